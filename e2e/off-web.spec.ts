import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'
import { publish } from './publications.ts'
import { subscribe } from './subscribers.ts'

test('a letter is taken off the web with the keyboard alone, its readers meet a kind page, and it is put back from the list', async ({
  page,
  subscriber,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  await subscribe({ subscriber, owner: page, t, newsletter })
  const title = 'The harbour that waits'
  const { id, url } = await publish(page, { baseURL, newsletter, channel: 'everywhere', title })
  const onWeb = page.getByRole('link', { name: t('publish.menu.web') })
  const mark = page.getByText(t('publish.status.offWeb'), { exact: true })

  await page.goto(`/publish/${id}`)
  await expect(onWeb).toHaveAttribute('href', url)
  await tabTo(page, t('publish.offWeb.take'))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: t('publish.offWeb.ask.title', { title }) })
  await expect(dialog).toContainText(t('publish.offWeb.ask.mails'))
  // Leaving the question changes nothing, and the keyboard is where it was.
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: t('publish.offWeb.take') })).toBeFocused()
  expect((await subscriber.goto(url))?.status()).toBe(200)
  await page.keyboard.press('Enter')
  await tabTo(page, t('publish.offWeb.ask.confirm'))
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(mark).toBeVisible()
  await expect(onWeb).toBeHidden()
  await expect(page.getByRole('button', { name: t('publish.offWeb.putBack') })).toBeFocused()

  expect((await subscriber.goto(url))?.status()).toBe(410)
  await expect(subscriber.getByRole('heading', { level: 1 })).toHaveText(t('publications.offWeb.title'))
  await expect(subscriber.getByText(title)).toBeHidden()
  // It was the only one.
  await expect(subscriber.getByRole('link', { name: t('publications.all') })).toHaveCount(0)
  await expect(subscriber.getByRole('main').getByRole('link', { name: t('page.subscribe') })).toBeVisible()
  await subscriber.goto(newsletter.urls.archive)
  await expect(subscriber.getByText(title)).toBeHidden()

  // Undo of the notice, and off again.
  await page.getByRole('button', { name: t('publish.undo'), exact: true }).click()
  await expect(onWeb).toHaveAttribute('href', url)
  expect((await subscriber.goto(url))?.status()).toBe(200)

  await page.goto('/publish')
  const choose = async (act: string) => {
    await page.getByRole('button', { name: t('publish.menu.more', { title }) }).click()
    await page.getByRole('menuitem', { name: act }).click()
  }
  await choose(t('publish.offWeb.take'))
  await page.getByRole('button', { name: t('publish.offWeb.ask.confirm'), exact: true }).click()
  await expect(page.getByRole('listitem').filter({ hasText: title }).filter({ has: mark })).toBeVisible()
  await page.getByRole('tab', { name: t('publish.list.tabs.off') }).click()
  await expect(page.getByRole('link', { name: title })).toBeVisible()
  await page.goto(`/publish/create/${id}`)
  await expect(page.getByText(t('publish.editor.isOff'))).toBeVisible()
  await page.goto('/publish')
  await choose(t('publish.offWeb.putBack'))
  await expect(page.getByText(t('publish.offWeb.isBack'))).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: title })).toBeVisible()
  await expect(mark).toBeHidden()
  expect((await subscriber.goto(url))?.status()).toBe(200)
})

/** Walks with the tabulator until the button has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true })
  await expect(button).toBeVisible()
  for (let steps = 0; steps < 80; steps++) {
    await page.keyboard.press('Tab')
    if (await button.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error(`${name} is not reached with the keyboard`)
}
