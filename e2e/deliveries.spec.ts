import { readFileSync } from 'node:fs'
import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'
import { publish } from './publications.ts'
import { subscribe } from './subscribers.ts'

test('a search finds a delivery and its answer, and the CSV file holds it', async ({
  page,
  subscriber,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const email = await subscribe({ subscriber: subscriber, owner: page, t, newsletter })
  const { id } = await publish(page, { baseURL, newsletter, channel: 'everywhere' })
  await page.goto(`/publish/${id}`)
  await page.getByRole('link', { name: t('publish.deliveries.every') }).click()
  const row = page.getByRole('row').filter({ hasText: email })
  await expect(row).toContainText(t('publish.state.one.caught'))

  const search = page.getByRole('searchbox', { name: t('publish.deliveries.search') })
  await search.fill('nobody@nowhere.example')
  await expect(page.getByText(t('publish.deliveries.noneFound'))).toBeVisible()
  await search.fill(email)
  await expect(row).toBeVisible()

  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: t('publish.deliveries.csv') }).click()
  const file = readFileSync(await (await download).path(), 'utf8')
  // In the separators of the spreadsheets of the language on screen.
  expect(file).toContain([email, 'caught', 1, ''].join(language === 'fr' ? ';' : ','))
})

test('copies that went as a welcome are told apart from those of the sending', async ({
  page,
  subscriber,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const people = { subscriber, owner: page, t, newsletter }
  const before = await subscribe(people)
  const { id } = await publish(page, { baseURL, newsletter, channel: 'everywhere' })
  const api = `/api/newsletters/${newsletter.id}`
  const set = await page.request.put(`${api}/welcomes`, {
    data: { segmentId: null, publicationId: id },
    headers: { origin: baseURL ?? '' },
  })
  expect(set.ok(), await set.text()).toBe(true)
  const welcomed = await subscribe(people)
  await expect
    .poll(async () => (await (await page.request.get(`${api}/publications/${id}/result`)).json()).asWelcome)
    .toBe(1)

  await page.goto(`/publish/${id}`)
  await expect(page.getByText(t('delivery.asWelcome', { n: '1' }))).toBeVisible()
  await page.getByRole('link', { name: t('publish.deliveries.every') }).click()
  const row = (email: string) => page.getByRole('row').filter({ hasText: email })
  await expect(row(welcomed)).toContainText(t('delivery.oneAsWelcome'))
  await expect(row(before)).not.toContainText(t('delivery.oneAsWelcome'))
})
