import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { expectFirstFocus } from './focus.ts'
import { createNewsletter } from './owners.ts'
import { uniqueAddress } from './unique-address.ts'

test('a dialog keeps the focus of a keyboard, closes with Escape, and gives the focus back to what opened it', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  const headers = { origin: baseURL ?? '' }
  const made = async (path: string, data: object) => {
    const answer = await page.request.post(`/api/newsletters/${id}${path}`, { data, headers })
    expect(answer.ok(), await answer.text()).toBe(true)
    return (await answer.json()) as { id: string }
  }
  const title = 'Low tide'
  const email = uniqueAddress('nora')
  const draft = await made('/publications', { title })
  await made('/subscribers', { email })
  await made('/opt-in-campaigns', { name: 'Winter walks' })
  const button = (name: string) => page.getByRole('button', { name, exact: true }).first()

  // One that is there before it opens, one that appears opened, along an edge, and of a row of a table.
  await page.goto('/advertise/campaigns')
  await expectGoesBack(page, button(t('campaigns.add')))
  await page.goto('/advertise/placements')
  await expectGoesBack(page, button(t('sponsorship.add')))
  await page.goto('/settings/relays')
  await expectGoesBack(page, button(t('relays.ui.add')))
  await page.goto('/subscribers')
  await expectGoesBack(page, page.getByRole('button', { name: email }))
  await expectGoesBack(page, button(t('subscribers.whoCounts.label')), { isNote: true })

  // A question over a dialog: Escape is of the uppermost alone.
  await page.getByRole('button', { name: email }).press('Enter')
  const below = page.getByRole('dialog', { name: t('shell.titles.subscriber') })
  await below.getByRole('button', { name: t('subscribers.erase') }).click()
  const question = page.getByRole('dialog', { name: t('subscribers.eraseAsk', { email }) })
  await expect(question).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(below).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(below).toBeHidden()

  await page.goto(`/publish/create/${draft.id}`)
  await expectGoesBack(page, button(t('editor.details.title')))
  await expectGoesBack(page, button(t('editor.tool.image')))

  // One that an item of a menu opens: the item is gone with its menu.
  await page.goto('/publish')
  const more = button(t('publish.menu.more', { title }))
  await more.focus()
  await page.keyboard.press('Enter')
  const remove = page.getByRole('menuitem', { name: t('publish.menu.remove') })
  await expect(remove).toBeVisible()
  // Once the menu is open it takes the focus. An arrow before that goes to the page.
  await expectFirstFocus(page, page.locator('[role="menu"] :focus'))
  await page.keyboard.press('ArrowUp')
  await expect(remove).toBeFocused()
  await page.keyboard.press('Enter')
  await expectHoldsFocus(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(more).toBeFocused()

  // A menu that is left without a choice.
  await page.keyboard.press('Enter')
  await expectFirstFocus(page, page.locator('[role="menu"] :focus'))
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toBeHidden()
  await expect(more).toBeFocused()
})

/** @param isNote whether it is only read: the focus stays on its button, and Tab closes it */
async function expectGoesBack(page: Page, opener: Locator, { isNote = false } = {}): Promise<void> {
  await opener.focus()
  await page.keyboard.press('Enter')
  if (isNote) {
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('dialog')).toBeHidden()
    await page.keyboard.press('Shift+Tab')
    await expect(opener).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog')).toBeVisible()
  } else {
    await expectHoldsFocus(page)
  }
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(opener).toBeFocused()
}

/** Forwards and backwards past its last control. */
async function expectHoldsFocus(page: Page): Promise<void> {
  const inside = page.getByRole('dialog').locator(':focus')
  await expect(inside).toHaveCount(1)
  const count = await page.getByRole('dialog').locator('button, input, select, textarea, a').count()
  for (let pressed = 0; pressed <= count; pressed += 1) await page.keyboard.press('Tab')
  await expect(inside).toHaveCount(1)
  await page.keyboard.press('Shift+Tab')
  await expect(inside).toHaveCount(1)
}

test('a button keeps the focus while what it began is under way, and the proof of a mail is reached by Tab', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  const headers = { origin: baseURL ?? '' }
  const content = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Low.' }] }] }
  const api = `/api/newsletters/${id}/publications`
  const made = await page.request.post(api, { data: { title: 'Low tide', content }, headers })
  const draft = (await made.json()) as { id: string }
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  let asked = 0
  await page.route(`**${api}/${draft.id}/test`, async (route) => {
    asked++
    await held
    await route.continue()
  })
  await page.goto(`/publish/create/${draft.id}/send`)
  const frame = page.locator('iframe')
  await expect(frame).toBeVisible()
  const send = page.getByRole('button', { name: t('publish.test.send') }).first()
  await send.focus()
  await page.keyboard.press('Enter')
  await expect(send).toHaveAttribute('aria-disabled', 'true')
  await expect(send).toBeFocused()
  await page.keyboard.press('Enter')
  answer()
  await expect(page.getByText(t('publish.test.ready'))).toBeVisible()
  await expect(send).toBeFocused()
  expect(asked).toBe(1)
  await page.keyboard.press('Tab')
  await expect(frame).toBeFocused()
})
