import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'

test('the editor of a welcome says that what is saved goes to the next who comes, or that it is held', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const headers = { origin: baseURL ?? '' }
  const api = `/api/newsletters/${newsletter.id}`
  const content = {
    type: 'doc',
    content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Welcome aboard.' }] }],
  }
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
