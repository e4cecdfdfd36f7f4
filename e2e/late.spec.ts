import { queryDataFolder } from '../server/testing/query-data-folder.ts'
import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'
import { publish } from './publications.ts'

test('while a publication that is late is tried again, every screen says so, and none says that something went wrong', async ({
  page,
  t,
  language,
  baseURL,
  dataDir,
}) => {
  // It is said after a minute at the earliest.
  test.setTimeout(180_000)
  const newsletter = await createNewsletter(page, baseURL, language)
  const headers = { origin: baseURL ?? '' }
  const api = `/api/newsletters/${newsletter.id}/publications`
  const content = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Low.' }] }] }
  const title = 'Low tide'
  const made = await page.request.post(api, { data: { title, content }, headers })
  const { id } = (await made.json()) as { id: string }
  const refuse = `late_${language}`
  const ask = (statement: string) => queryDataFolder<{ unscheduled_by: string | null }>(dataDir, statement)
  await ask(`create function ${refuse}() returns trigger language plpgsql as $$ begin raise 'it may pass'; end $$`)
  await ask(`create trigger ${refuse} before update on publication for each row
    when (new.id = '${id}' and new.published_at is not null) execute function ${refuse}()`)
  try {
    const data = { channel: 'web', at: new Date(Date.now() + 2_000).toISOString() }
    const scheduled = await page.request.post(`${api}/${id}/send`, { data, headers })
    expect(scheduled.ok(), await scheduled.text()).toBe(true)
    const late = async () => (await (await page.request.get(`${api}/${id}`)).json()).stoppedBy
    await expect.poll(late, { timeout: 90_000 }).toBe('internal')

    await page.goto(`/publish/${id}`)
    await expect(page.getByText(t('publish.send.late'))).toBeVisible()
    await expect(page.getByText(t('publish.stopped.internal'))).toBeHidden()
    await page.goto('/publish')
    await expect(page.getByText(t('publish.status.late'), { exact: true })).toBeVisible()
    // The first day's, with its steps, and the one that follows.
    await page.goto('/dashboard')
    await expect(page.getByText(t('dashboard.curve'))).toBeVisible()
    await expect(page.getByText(t('dashboard.due.late', { title }))).toBeVisible()
    await publish(page, { baseURL, newsletter, title: 'High tide' })
    await expect(page.getByText(t('dashboard.curve'))).toBeHidden()
    await expect(page.getByText(t('dashboard.due.late', { title }))).toBeVisible()
  } finally {
    await ask(`drop function ${refuse} cascade`)
  }
})
