import { readMail } from './caught-mail.ts'
import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'
import { subscribe } from './subscribers.ts'

const content = {
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Welcome aboard.' }] }],
}

test('the editor of a welcome says that what is saved goes to the next who comes, or that it is held', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const headers = { origin: baseURL ?? '' }
  const api = `/api/newsletters/${newsletter.id}`
  const made = await page.request.post(`${api}/publications`, { data: { title: 'Welcome', content }, headers })
  const { id } = (await made.json()) as { id: string }
  await page.goto(`/publish/create/${id}`)
  await expect(page.getByText('Welcome aboard.')).toBeVisible()
  await expect(page.getByText(t('welcomes.onEdit'))).toBeHidden()
  const set = async (more = {}) => {
    const data = { segmentId: null, publicationId: id, ...more }
    const answer = await page.request.put(`${api}/welcomes`, { data, headers })
    expect(answer.ok(), await answer.text()).toBe(true)
  }
  await set()
  await page.reload()
  await expect(page.getByText(t('welcomes.onEdit'))).toBeVisible()
  await set({ paused: true })
  await page.reload()
  await expect(page.getByText(t('welcomes.onEditHeld'))).toBeVisible()
})

test('whoever chooses another publication while the welcome is held reads who still gets the one before, and lets both go on', async ({
  page,
  subscriber,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const headers = { origin: baseURL ?? '' }
  const api = `/api/newsletters/${newsletter.id}`
  const write = async (title: string): Promise<string> =>
    (await (await page.request.post(`${api}/publications`, { data: { title, content }, headers })).json()).id
  const quay = await write('The quay')
  await write('The harbour')
  const held = { segmentId: null, publicationId: quay, paused: true }
  expect((await page.request.put(`${api}/welcomes`, { data: held, headers })).ok()).toBe(true)
  const email = await subscribe({ subscriber, owner: page, t, newsletter })
  const waiting = async () =>
    (await (await page.request.get(`${api}/welcomes`)).json()).welcomes[0].counts.waiting as number
  await expect.poll(waiting).toBe(1)

  await page.goto('/settings/subscribing')
  await page.getByRole('combobox', { name: t('welcomes.publication') }).click()
  await page.getByRole('option', { name: 'The harbour' }).click()
  await expect(page.getByText(t('welcomes.stillGet', { count: 1, n: '1', title: 'The quay' }))).toBeVisible()
  await page.getByRole('button', { name: t('welcomes.change') }).click()
  await expect(page.getByText(t('welcomes.earlier', { count: 1, n: '1' }))).toBeVisible()
  await page.getByRole('button', { name: t('welcomes.resume') }).click()
  await expect.poll(waiting).toBe(0)
  expect((await readMail(page, newsletter.id, { to: email, subject: 'The quay' })).text).toContain('Welcome aboard.')
})
