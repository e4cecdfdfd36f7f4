import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { locales } from '../server/languages.ts'
import type { Translate } from '../server/translator.ts'
import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'
import { uniqueAddress } from './unique-address.ts'

test.describe.configure({ timeout: 120_000 })

const header = 'email,active_subscription,expiry,plan,email_disabled,created_at,first_payment_at'

test('an owner imports the list of another tool, after a dry run, and takes it back', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  const [maelle, yann] = [uniqueAddress('maelle'), uniqueAddress('yann')]
  const rows = [
    `${maelle},true,,yearly,false,2021-03-14T07:02:51.000Z,`,
    `${yann},false,,other,false,2022-05-01T10:00:00.000Z,`,
    `yann.lebris@gmial.com,false,,other,false,2022-05-01T10:00:00.000Z,`,
  ]
  const file = { name: 'harbour-notes.csv', mimeType: 'text/csv', buffer: Buffer.from([header, ...rows].join('\n')) }

  await page.goto('/subscribers')
  await page
    .getByRole('main')
    .getByRole('link', { name: t('imports.button'), exact: true })
    .click()
  await page.getByRole('button', { name: t('imports.file.choose') }).focus()
  await page.locator('input[type="file"]').setInputFiles(file)

  // The columns are recognised; the choices need the owner's words and confirmation.
  await expect(page.getByText(t('imports.preset', { tool: 'Substack' }))).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
  const becomes = (column: string) => page.getByRole('combobox', { name: t('imports.columns.becomesOf', { column }) })
  await expect(page.getByText(t('imports.moving.posts', { tool: 'Substack' }))).toBeVisible()
  await expect(page.getByRole('link', { name: t('imports.moving.charge') })).toHaveAttribute('href', '/charge')
  await expect(becomes('email')).toHaveValue(t('imports.target.email'))
  await expect(becomes('created_at')).toHaveValue(t('imports.target.joined'))
  await expectAccessible(page)
  await page.getByRole('button', { name: t('imports.check.start') }).click()
  await expect(page.getByText(t('imports.consent.originMissing'))).toBeVisible()
  await expect(page.getByText(t('imports.consent.wordsShort'))).toBeVisible()
  await expect(page.getByText(t('imports.consent.confirmMissing'))).toBeVisible()
  const words = 'They subscribed to Harbour Notes by the form on its page.'
  await chooseOrigin(page, t)
  await page.getByLabel(t('imports.consent.words')).fill(words)
  await page.getByRole('checkbox', { name: t('imports.consent.confirm') }).check()
  await page.getByRole('button', { name: t('imports.check.start') }).press('Enter')

  // The dry run counts and changes nobody. It is still there when the page is opened again.
  const outcome = (words: string) => page.getByRole('status').filter({ hasText: words })
  await expect(outcome(t('imports.check.unchanged'))).toBeFocused()
  await page.getByRole('button', { name: t('imports.check.back') }).press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await page.reload()
  await expect(page.getByRole('rowheader', { name: t('imports.reason.mistyped_domain') })).toBeVisible()
  const refusal = page.getByRole('row').filter({ hasText: 'yann.lebris@gmial.com' })
  await expect(refusal.getByRole('cell').first()).toHaveText('4')
  expect(await subscribersOf(page, id)).toEqual([])
  await expectAccessible(page)

  // The file has a line more than the dry run counts: its header.
  const one = `**/api/newsletters/${id}/imports/*`
  await page.route(one, async (route) => {
    const whole = await (await route.fetch()).json()
    await route.fulfill({ json: { ...whole, state: 'importing', progress: { done: 4, total: 4 } } })
  })
  await page.reload()
  await expect(page.getByText(t('imports.lines', { done: '3', total: '3' }))).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })
  await page.reload()

  await page.getByRole('button', { name: t('imports.check.import', { count: 2, n: '2' }) }).press('Enter')
  await expect(outcome(t('imports.done.noMail'))).toBeFocused()
  expect(await subscribersOf(page, id)).toEqual([maelle, yann].toSorted())
  const sidebar = page
    .getByRole('navigation')
    .getByRole('link', { name: t('shell.nav.subscribers') })
    .first()
  await expect(sidebar).toContainText('2')
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: t('imports.report.download') }).click()
  expect((await download).suggestedFilename()).toMatch(/^import-.+\.csv$/)
  await expectAccessible(page)

  // The receipt is of today, and the yes of the day in the file.
  await page.goto(`/subscribers?search=${maelle}`)
  await page.locator('tbody [data-opens]').click()
  const day = new Date('2021-03-14').toLocaleDateString(locales[language], { dateStyle: 'long', timeZone: 'UTC' })
  await expect(page.getByRole('dialog')).toContainText(t('subscribers.imported.dated.given', { day }))

  await page.goto('/subscribers/import')
  await expect(page.getByRole('listitem').filter({ hasText: file.name })).toContainText(t('imports.state.done'))
  await page.getByRole('link', { name: file.name }).click()
  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(response.url())
  })
  await page.getByRole('button', { name: t('imports.done.takeBack') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('imports.done.takeBack') })
    .click()
  await expect(outcome(t('imports.done.taken_back'))).toBeFocused()
  expect(refused).toEqual([])
  await expect(page.getByText(t('imports.done.removed', { count: 2, n: '2' }))).toBeVisible()
  expect(await subscribersOf(page, id)).toEqual([])
})

test('a file that cannot be read is refused in words, and another can be chosen', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  await createNewsletter(page, baseURL, language)
  await page.goto('/subscribers/import')
  const workbook = { name: 'people.xlsx', mimeType: 'text/csv', buffer: Buffer.from('PK\u0003\u0004 xl/workbook.xml') }
  await page.locator('input[type="file"]').setInputFiles(workbook)
  await expect(page.getByRole('alert')).toContainText(t('imports.refusal.title'))
  await page.getByRole('link', { name: t('imports.done.another') }).click()
  await expect(page.getByText(t('imports.file.drop'))).toBeVisible()
})

test('where nothing in a file says which number is the month, the owner is asked by a day of theirs', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  await createNewsletter(page, baseURL, language)
  await page.goto('/subscribers/import')
  const rows = [`${uniqueAddress('ada')};03/04/2025`, `${uniqueAddress('yann')};05/06/2025`, 'nobody;1']
  const buffer = Buffer.from(['email;joined', ...rows].join('\n'))
  await page.locator('input[type="file"]').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer })
  const question = page.getByRole('radiogroup', { name: t('imports.columns.days.label', { cell: '03/04/2025' }) })
  const named = (day: string) =>
    new Date(day).toLocaleDateString(locales[language], { dateStyle: 'long', timeZone: 'UTC' })
  const dayFirst = t('imports.columns.days.day_first', { day: named('2025-04-03') })
  const monthFirst = t('imports.columns.days.month_first', { day: named('2025-03-04') })
  await expect(question.getByRole('radio', { name: dayFirst })).toBeVisible()
  await question.getByRole('radio', { name: monthFirst }).check()
  await expectAccessible(page)
  await chooseOrigin(page, t)
  await page.getByLabel(t('imports.consent.words')).fill('They subscribed to Harbour Notes by the form on its page.')
  await page.getByRole('checkbox', { name: t('imports.consent.confirm') }).check()
  await page.getByRole('button', { name: t('imports.check.start') }).click()
  await expect(page.getByText(t('imports.check.days.month_first'))).toBeVisible()
  await expect(page.getByRole('rowheader', { name: t('imports.reason.not_an_address') })).toBeVisible()
  await expectAccessible(page)
})

test('letters that look wrong are read with the encoding that is chosen', async ({ page, t, language, baseURL }) => {
  await createNewsletter(page, baseURL, language)
  await page.goto('/subscribers/import')
  const koi8 = Buffer.from('656d61696c3bc9cdd10a616e6e61406578616d706c652e6f72673be1cecec10a', 'hex')
  await page.locator('input[type="file"]').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: koi8 })
  const encoding = page.getByRole('combobox', { name: t('imports.encoding.label') })
  await expect(encoding).toHaveValue(t('imports.encoding.names.windows-1252'))
  await expect(page.getByRole('status').filter({ hasText: 'áÎÎÁ' })).toBeVisible()
  const words = 'They subscribed to Harbour Notes by the form on its page.'
  await page.getByLabel(t('imports.consent.words')).fill(words)

  await encoding.click()
  await page.getByRole('option', { name: t('imports.encoding.names.koi8-r') }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Анна' })).toBeVisible()
  await expect(page.getByRole('rowheader', { name: 'имя' })).toBeVisible()
  await expect(page.getByLabel(t('imports.consent.words'))).toHaveValue(words)
  await expectAccessible(page)

  // What gives no rows is refused, and the file stays as it was read.
  await encoding.click()
  await page.getByRole('option', { name: t('imports.encoding.names.utf-16le') }).click()
  await expect(page.getByRole('alert').filter({ hasText: t('errors.encoding_does_not_fit') })).toBeVisible()
  await expect(encoding).toHaveValue(t('imports.encoding.names.koi8-r'))
})

async function chooseOrigin(page: Page, t: Translate): Promise<void> {
  await page.getByRole('combobox', { name: t('imports.consent.origin') }).click()
  await page.getByRole('option', { name: t('imports.consent.origins.own_newsletter') }).click()
}

async function subscribersOf(page: Page, newsletterId: string): Promise<string[]> {
  const answer = await page.request.get(`/api/newsletters/${newsletterId}/subscribers`)
  const { rows } = (await answer.json()) as { rows: { email: string }[] }
  return rows.map(({ email }) => email).toSorted()
}

/** No serious problem, and nothing wider than a phone, which is where tables break. */
async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(serious.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  const size = page.viewportSize()
  await page.setViewportSize({ width: 390, height: 844 })
  const [wide, seen] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth])
  expect(wide).toBeLessThanOrEqual(seen)
  if (size) await page.setViewportSize(size)
}
