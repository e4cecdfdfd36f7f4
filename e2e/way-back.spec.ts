import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'
import { openDraft } from './publications.ts'

test('what stands in the way of a sending is mended in its field, and leads back to the pre-flight', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const headers = { origin: baseURL ?? '' }
  const api = `/api/newsletters/${newsletter.id}`
  const emptied = await page.request.patch(api, { data: { postalAddress: '' }, headers })
  expect(emptied.ok(), await emptied.text()).toBe(true)
  const made = await page.request.post(`${api}/publications`, { data: { title: 'Low tide' }, headers })
  const { id } = (await made.json()) as { id: string }

  await page.goto(`/publish/create/${id}/send`)
  await page.getByRole('button', { name: t('preFlight.all') }).click()
  const line = page.getByRole('listitem').filter({ hasText: t('preFlight.no_postal_address') })
  await line.getByRole('link', { name: t('preFlight.mend.no_postal_address') }).click()
  const field = page.getByLabel(t('newsletters.sender.postal'))
  await expect(field).toBeFocused()
  await field.fill('4 quai de la Criée, 29770 Audierne')
  await page.getByRole('button', { name: t('ui.save') }).click()
  await page.getByRole('link', { name: t('publish.backToPreFlight') }).click()
  await expect(page).toHaveURL(`/publish/create/${id}/send`)
  await page.getByRole('button', { name: t('preFlight.all') }).click()
  await expect(page.getByText(t('preFlight.no_sender'))).toBeVisible()
  await expect(line).toHaveCount(0)
})

test('a time that was chosen in pre-flight is there again after going back to write', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { path } = await openDraft(page, { baseURL, language })
  await page.goto(`${path}/send`)
  await page.getByText(t('publish.when.at'), { exact: true }).click()
  await page.getByLabel(t('publish.when.date'), { exact: true }).fill('2031-12-24')
  await page.getByLabel(t('publish.when.time'), { exact: true }).fill('09:30')
  await page.getByRole('link', { name: t('publish.send.back') }).click()
  await page.getByRole('button', { name: t('publish.editor.preflight') }).press('Enter')
  await expect(page.getByLabel(t('publish.when.date'), { exact: true })).toHaveValue('2031-12-24')
  // Whoever goes by keyboard is where the page begins, and not outside of it.
  await expect(page.getByRole('main')).toBeFocused()
  await expect(page.getByLabel(t('publish.when.time'), { exact: true })).toHaveValue('09:30')
})

test('a time that was chosen in pre-flight stays while the server has not heard of it', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { path } = await openDraft(page, { baseURL, language })
  const gate = Promise.withResolvers<void>()
  await page.route('**/day', async (route) => {
    if (route.request().postData()?.includes('2031')) await gate.promise
    await route.continue()
  })
  await page.goto(`${path}/send`)
  const planned = page.waitForResponse((answer) => answer.url().endsWith('/day'))
  await page.getByText(t('publish.when.at'), { exact: true }).click()
  await planned
  const day = page.getByLabel(t('publish.when.date'), { exact: true })
  await day.fill('2031-12-24')
  await page.getByRole('link', { name: t('publish.send.back') }).click()
  await page.getByRole('button', { name: t('publish.editor.preflight') }).click()
  await expect(day).toHaveValue('2031-12-24')
  gate.resolve()
})

test('a day that is typed digit by digit asks for no day of the first centuries', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { path } = await openDraft(page, { baseURL, language })
  await page.goto(`${path}/send`)
  await page.getByText(t('publish.when.at'), { exact: true }).click()
  const planned: { day: string }[] = []
  const refused: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT' && request.url().endsWith('/day'))
      planned.push(request.postDataJSON() as { day: string })
  })
  page.on('response', (answer) => {
    if (answer.status() >= 400) refused.push(answer.url())
  })
  const day = page.getByLabel(t('publish.when.date'), { exact: true })
  // Day and month are the same, so that their order does not matter.
  await day.focus()
  await page.keyboard.type('12122031', { delay: 30 })
  await expect(day).toHaveValue('2031-12-12')
  await expect(page.getByText('2031', { exact: false })).toBeVisible()
  await expect.poll(() => planned.at(-1)).toEqual({ day: '2031-12-12' })
  expect(planned.filter((one) => !/^20\d\d-/.test(one.day))).toEqual([])
  expect(refused).toEqual([])
})

test('on a phone a notice that leads on from a page does not cover the next one', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  await createNewsletter(page, baseURL, language)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/dashboard')
  await page
    .getByRole('button', {
      name: t('ui.within', { whole: t('dashboard.step.sample.button'), part: t('dashboard.step.sample.title') }),
    })
    .click()
  await expect(page).toHaveURL(/\/outbox\?mail=/)
  const notice = page.getByText(t('sample.arrived'))
  await expect(notice).toBeVisible()
  await page
    .getByRole('complementary', { name: t('dashboard.next') })
    .getByRole('button')
    .click()
  await expect(page).toHaveURL(/\/publish\/create\//)
  await expect(notice).toHaveCount(0)
})

test('an address of no subscriber and of no publication leads to the list', async ({ page, t, language, baseURL }) => {
  await createNewsletter(page, baseURL, language)
  for (const [of, to, label] of [
    ['/subscribers/fields', '/subscribers', t('shell.nav.subscribers')],
    ['/publish/nowhere', '/publish', t('shell.nav.publish')],
  ] as const) {
    await page.goto(of)
    await expect(page.getByRole('heading', { name: t('shell.notFound') })).toBeVisible()
    await expect(page.getByRole('button', { name: t('ui.retry') })).toHaveCount(0)
    await page.getByRole('main').getByRole('link', { name: label }).click()
    await expect(page).toHaveURL(to)
  }
})

test('an address of nothing leads an owner to the dashboard, and a reader, who has none, nowhere', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const back = page.getByRole('link', { name: t('shell.backToDashboard') })
  const asked = page.waitForResponse((answer) => answer.url().endsWith('/api/me'))
  await page.goto('/nowhere')
  await expect(page.getByRole('heading', { name: t('shell.notFound') })).toBeVisible()
  await asked
  await expect(back).toHaveCount(0)
  await expect(page).toHaveTitle(`${t('shell.notFound')} · Tirage`)
  await createNewsletter(page, baseURL, language)
  await page.goto('/nowhere')
  await expect(back).toBeVisible()
})

test('on a phone the editor says when a scheduled publication leaves', async ({ page, t, language, baseURL }) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const headers = { origin: baseURL ?? '' }
  const api = `/api/newsletters/${newsletter.id}/publications`
  const content = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Low.' }] }] }
  const made = await page.request.post(api, { data: { title: 'Low tide', content }, headers })
  const { id } = (await made.json()) as { id: string }
  const at = new Date(Date.now() + 9 * 86_400_000).toISOString()
  const data = { channel: 'web', at }
  const scheduled = await page.request.post(`${api}/${id}/send`, { data, headers })
  expect(scheduled.ok(), await scheduled.text()).toBe(true)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`/publish/create/${id}`)
  await expect(page.getByText(t('delivery.results.scheduled'))).toBeVisible()
})
