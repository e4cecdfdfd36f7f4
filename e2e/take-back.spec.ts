import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { createNewsletter, type Newsletter } from './owners.ts'
import { subscribe } from './subscribers.ts'

test('what was sent is taken back with the keyboard, after a reload and beside another tab; left alone, it leaves', async ({
  page,
  subscriber,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const headers = { origin: baseURL ?? '' }
  const api = `/api/newsletters/${newsletter.id}`
  const wait = async (takeBackSeconds: number) => {
    const set = await page.request.patch(api, { data: { takeBackSeconds }, headers })
    expect(set.ok(), await set.text()).toBe(true)
  }
  await subscribe({ subscriber, owner: page, t, newsletter })
  const content = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Low water.' }] }] }
  const made = await page.request.post(`${api}/publications`, { data: { title: 'Too soon', content }, headers })
  const { id } = (await made.json()) as { id: string }
  const status = async () => (await (await page.request.get(`${api}/publications/${id}`)).json()).status
  const takeBack = (tab: Page) => tab.getByRole('button', { name: t('publish.takeBack.button') })

  await wait(60)
  await page.goto(`/publish/create/${id}/send`)
  await expect(page.getByText(t('publish.pass.takeBack', { count: 60 }))).toBeVisible()
  await page.getByRole('button', { name: t('publish.pass.button') }).click()
  await expect(page).toHaveURL(`/publish/${id}`)
  await expect(page.getByText(t('publish.takeBack.how'))).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: /\d/ })).toBeAttached()
  await page.reload()
  await expect(takeBack(page)).toBeVisible()
  const other = await page.context().newPage()
  await other.goto(`/publish/${id}`)
  await expect(takeBack(other)).toBeVisible()
  // Its form would send it a second time.
  await other.goto(`/publish/create/${id}/send`)
  await expect(other).toHaveURL(`/publish/${id}`)
  // What is typed there would leave half written.
  await expect(other.getByRole('link', { name: t('publish.menu.edit'), exact: true })).toBeHidden()
  await other.goto(`/publish/create/${id}`)
  await expect(takeBack(other)).toBeVisible()
  await expect(other).toHaveURL(`/publish/${id}`)

  await tabTo(page, t('publish.takeBack.button'))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/publish/create/${id}`)
  await expect(page.getByText(t('publish.takeBack.done'))).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
  expect(await status()).toBe('draft')
  await expect(other).toHaveURL(`/publish/create/${id}`)
  await other.close()

  // On from where the take-back led, because what the pages remember of it is from before.
  await wait(2)
  await page.getByRole('button', { name: t('publish.editor.preflight') }).click()
  await page.getByRole('button', { name: t('publish.pass.button') }).click()
  await expect(page).toHaveURL(`/publish/${id}`)
  await expect(page.getByRole('heading', { name: t('publish.press.title.sent') })).toBeVisible()
  expect(await status()).toBe('sent')
})

test('what leaves at its hour while somebody writes on it is said to be out at once', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const { id, address, headers } = await draft(page, { baseURL, newsletter, title: 'On the hour' })
  const data = { channel: 'web', at: new Date(Date.now() + 10_000).toISOString() }
  const scheduled = await page.request.post(`${address}/send`, { data, headers })
  expect(scheduled.ok(), await scheduled.text()).toBe(true)
  await page.goto(`/publish/create/${id}`)
  await expect(page.getByText('Low water.')).toBeVisible()
  await expect(page.getByText(t('publish.editor.isOutOnWeb'))).toBeVisible({ timeout: 60_000 })
  await expect(page.getByRole('button', { name: t('publish.editor.preflight') })).toBeHidden()
  expect((await (await page.request.get(address)).json()).revision).toBe(1)
})

test('what is scheduled is taken back from the menu of its row, and beside its time in the editor', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const { id, address, headers } = await draft(page, { baseURL, newsletter, title: 'In a week' })
  const schedule = async () => {
    const data = { channel: 'web', at: new Date(Date.now() + 7 * 24 * 3600_000).toISOString() }
    const scheduled = await page.request.post(`${address}/send`, { data, headers })
    expect(scheduled.ok(), await scheduled.text()).toBe(true)
  }
  const status = async () => (await (await page.request.get(address)).json()).status
  const isTakenBack = async () => {
    await expect(page.getByText(t('publish.takeBack.done'))).toBeVisible()
    expect(await status()).toBe('draft')
  }

  await schedule()
  await page.goto('/publish')
  await page.getByRole('button', { name: t('publish.menu.more', { title: 'In a week' }) }).click()
  await page.getByRole('menuitem', { name: t('publish.takeBack.button') }).click()
  await isTakenBack()

  for (const width of [390, 1440]) {
    await schedule()
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`/publish/create/${id}`)
    const takeBack = page.getByRole('button', { name: t('publish.takeBack.button') })
    await takeBack.click()
    await isTakenBack()
    await expect(takeBack).toHaveCount(0)
    await expect(page.getByText('Low water.')).toBeVisible()
  }
})

test('undoing a time that was changed goes back to the one before, undoing the first makes it a draft, and both say so', async ({
  page,
  subscriber,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  await subscribe({ subscriber, owner: page, t, newsletter })
  const { id, address, headers } = await draft(page, { baseURL, newsletter, title: 'Put off' })
  const state = async () => {
    const { status, scheduledAt, channel } = await (await page.request.get(address)).json()
    return { status, scheduledAt, channel }
  }
  const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
  const passFor = async (time: string) => {
    await page.goto(`/publish/create/${id}/send`)
    await page.getByRole('radio', { name: t('publish.when.at') }).check()
    await page.getByLabel(t('publish.when.date'), { exact: true }).fill(day)
    await page.getByLabel(t('publish.when.time'), { exact: true }).fill(time)
    await page.getByRole('button', { name: t('publish.pass.button') }).click()
    await expect(page).toHaveURL('/publish')
  }
  const undo = () => page.getByRole('button', { name: t('publish.undo'), exact: true }).click()

  await passFor('07:00')
  const first = await state()
  expect(first).toMatchObject({ status: 'scheduled', channel: 'everywhere' })
  await passFor('09:30')
  await expect.poll(state).not.toEqual(first)
  await undo()
  await expect(page.getByRole('main')).toBeFocused()
  await expect.poll(state).toEqual(first)
  await expect(
    page.getByText(t('publish.send.scheduled', { when: '' }).trim()).filter({ hasText: /07:00|7.h/ }),
  ).toBeVisible()

  const taken = await page.request.post(`${address}/unschedule`, { data: {}, headers })
  expect(taken.ok(), await taken.text()).toBe(true)
  await passFor('08:00')
  await undo()
  await expect(page.getByText(t('publish.takeBack.done'))).toBeVisible()
  expect((await state()).status).toBe('draft')
})

interface Drafting {
  baseURL: string | undefined
  newsletter: Newsletter
  title: string
}

/** A draft with a few words, and its address in the API. */
async function draft(page: Page, { baseURL, newsletter, title }: Drafting) {
  const headers = { origin: baseURL ?? '' }
  const api = `/api/newsletters/${newsletter.id}/publications`
  const content = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Low water.' }] }] }
  const made = await page.request.post(api, { data: { title, content }, headers })
  expect(made.ok(), await made.text()).toBe(true)
  const { id } = (await made.json()) as { id: string }
  return { id, address: `${api}/${id}`, headers }
}

/** Walks with the tabulator until the button has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name })
  for (let steps = 0; steps < 80; steps++) {
    await page.keyboard.press('Tab')
    if (await button.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error(`${name} is not reached with the keyboard`)
}
