import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'
import { subscribe } from './subscribers.ts'

test('an owner tags a subscriber, writes a segment in plain words and sends to it', async ({
  page,
  subscriber,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const chosen = await subscribe({ subscriber, owner: page, t, newsletter })
  const other = await subscribe({ subscriber, owner: page, t, newsletter })

  await page.goto('/subscribers')
  await page.getByRole('link', { name: t('shell.titles.labels') }).click()
  await page.getByLabel(t('segments.labels.newTag')).fill('Press')
  await page.getByRole('button', { name: t('segments.labels.addTag') }).click()
  // The hint that nothing is there yet has a like word in it.
  await expect(page.getByRole('listitem').filter({ has: page.getByText('Press', { exact: true }) })).toBeVisible()

  await page.goto('/subscribers')
  await page.getByRole('button', { name: chosen }).click()
  const tags = page.getByRole('combobox', { name: t('segments.labels.ofSubscriber') })
  await tags.click()
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH' && answer.ok())
  await page.getByRole('option', { name: 'Press' }).click()
  await saved

  await page.goto('/subscribers/segments')
  await page
    .getByRole('link', { name: t('segments.new') })
    .first()
    .click()
  await page.getByLabel(t('segments.name'), { exact: true }).fill('Journalists')
  await page.getByRole('combobox', { name: t('segments.about') }).click()
  await page.getByRole('option', { name: t('segments.subject.tag'), exact: true }).click()
  const save = page.getByRole('button', { name: t('segments.save') })
  await expect(save).toBeDisabled()
  await page.getByRole('combobox', { name: t('segments.value') }).click()
  await page.getByRole('option', { name: 'Press' }).click()
  await expect(page.getByRole('status').filter({ hasText: t('segments.subscribersWord', { count: 1 }) })).toContainText(
    '1',
  )
  await save.click()
  await expect(page.getByRole('heading', { name: 'Journalists' })).toBeVisible()

  // The tag is named as used, and is kept.
  await page.goto('/subscribers/labels')
  await page.getByRole('button', { name: t('segments.labels.deleteOf', { name: 'Press' }) }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: t('segments.delete'), exact: true }).click()
  await expect(dialog.getByText(t('segments.useSegment', { name: 'Journalists' }))).toBeVisible()
  await dialog.getByRole('button', { name: t('ui.keep') }).click()

  const headers = { origin: baseURL ?? '' }
  const path = `/api/newsletters/${newsletter.id}/publications`
  const content = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Low water.' }] }] }
  const made = await page.request.post(path, { data: { title: 'For the press', content }, headers })
  const { id } = (await made.json()) as { id: string }
  await page.goto(`/publish/create/${id}/send`)
  await expect(page.getByText(t('preFlight.receive', { count: 2, n: '2' }))).toBeVisible()
  await page.getByRole('combobox', { name: t('segments.audience'), exact: true }).click()
  await page.getByRole('option', { name: t('segments.audienceOf', { name: 'Journalists' }) }).click()
  await expect(page.getByText(t('preFlight.receive', { count: 1, n: '1' }))).toBeVisible()
  await page.reload()
  await expect(page.getByText(t('preFlight.receive', { count: 1, n: '1' }))).toBeVisible()
  await page.getByRole('button', { name: t('publish.pass.button') }).click()
  await page.waitForURL(`**/publish/${id}`)

  await page.goto(`/publish/${id}/deliveries`)
  await expect(page.getByRole('row').filter({ hasText: chosen })).toContainText(t('publish.state.one.caught'))
  await expect(page.getByText(other)).toHaveCount(0)
  await page.goto('/publish')
  await expect(page.getByRole('listitem').filter({ hasText: 'For the press' })).toContainText('Journalists')
})

test('whom a scheduled publication goes to is said in the list, also on a phone when it is not everybody', async ({
  page,
  subscriber,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  await subscribe({ subscriber, owner: page, t, newsletter })
  const headers = { origin: baseURL ?? '' }
  const api = `/api/newsletters/${newsletter.id}`
  const filter = { on: 'language', op: 'is', value: language }
  const made = await page.request.post(`${api}/segments`, { data: { name: 'People of the quay', filter }, headers })
  const { id: segmentId } = (await made.json()) as { id: number }
  const content = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Low water.' }] }] }
  const at = new Date(Date.now() + 86_400_000).toISOString()
  for (const audience of [{ kind: 'segment', segmentId }, { kind: 'everyone' }]) {
    const data = { title: `For ${audience.kind}`, content }
    const written = await page.request.post(`${api}/publications`, { data, headers })
    const { id: publicationId } = (await written.json()) as { id: string }
    const order = { channel: 'everywhere', audience, at }
    const sent = await page.request.post(`${api}/publications/${publicationId}/send`, { data: order, headers })
    expect(sent.ok(), await sent.text()).toBe(true)
  }
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/publish')
  const row = (title: string) => page.getByRole('listitem').filter({ has: page.getByRole('link', { name: title }) })
  await expect(row('For segment').getByText('People of the quay')).toBeVisible()
  await expect(row('For everyone')).toBeVisible()
  await expect(row('For everyone').getByText(t('publish.list.audience.everywhere'), { exact: true })).toBeHidden()
  await page.setViewportSize({ width: 1000, height: 844 })
  await expect(row('For segment').getByText('People of the quay')).toBeVisible()
})

test('a segment that a colleague deletes before it is sent to is named as what blocks, until another audience is chosen', async ({
  page,
  subscriber,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  await subscribe({ subscriber, owner: page, t, newsletter })
  const headers = { origin: baseURL ?? '' }
  const api = `/api/newsletters/${newsletter.id}`
  const filter = { on: 'status', op: 'is', value: 'active' }
  const segment = await page.request.post(`${api}/segments`, { data: { name: 'Journalists', filter }, headers })
  expect(segment.ok(), await segment.text()).toBe(true)
  const content = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Low water.' }] }] }
  const made = await page.request.post(`${api}/publications`, { data: { title: 'For the press', content }, headers })
  const { id } = (await made.json()) as { id: string }
  await page.goto(`/publish/create/${id}/send`)
  const audience = page.getByRole('combobox', { name: t('segments.audience'), exact: true })
  await audience.click()
  await page.getByRole('option', { name: t('segments.audienceOf', { name: 'Journalists' }) }).click()
  const send = page.getByRole('button', { name: t('publish.pass.button'), exact: true })
  await expect(send).toBeEnabled()

  const deleted = await page.request.delete(`${api}/segments/${(await segment.json()).id}`, { headers })
  expect(deleted.ok(), await deleted.text()).toBe(true)
  // As when somebody comes back to this tab.
  await page.clock.install({ time: Date.now() + 60_000 })
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  const blocks = page.getByRole('listitem').filter({ hasText: t('preFlight.text.segment_gone') })
  await expect(blocks).toBeVisible()
  await expect(page.getByText(t('publish.pass.blocked'))).toBeVisible()
  await expect(send).toBeDisabled()
  await audience.click()
  await page.getByRole('option', { name: t('segments.audienceEveryone') }).click()
  await expect(blocks).toHaveCount(0)
  await expect(send).toBeEnabled()
})
