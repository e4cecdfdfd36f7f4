import { expect, type Locator } from '@playwright/test'
import { languageName } from '../server/languages.ts'
import { linkIn, readMail } from './caught-mail.ts'
import { test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'
import { uniqueAddress } from './unique-address.ts'

test('an owner recommends another newsletter, and whoever confirms chooses it without scripts, once', async ({
  page,
  browser,
  t,
  language,
  baseURL,
}) => {
  const { id, urls } = await createNewsletter(page, baseURL, language)
  const headers = { origin: baseURL ?? '' }
  const data = { name: 'Rope & Tar', language, timezone: 'Europe/Paris', currency: 'eur' }
  const other = await (await page.request.post('/api/newsletters', { data, headers })).json()
  await page.addInitScript((open) => localStorage.setItem('newsletter', open), id)
  await page.goto('/advertise/recommendations')
  await page.getByRole('button', { name: t('recommendations.add') }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('combobox')).toHaveValue('Rope & Tar')
  await dialog
    .getByLabel(t('recommendations.reasonIn', { language: languageName(language) }))
    .fill('Knots, every Monday.')
  await dialog.getByRole('button', { name: t('recommendations.add') }).click()
  await expect(page.getByRole('cell').getByText(t('recommendations.states.shown'), { exact: true })).toBeVisible()

  const locale = language === 'fr' ? 'fr-FR' : 'en-GB'
  const reader = await (
    await browser.newContext({ javaScriptEnabled: false, locale, ...(baseURL && { baseURL }) })
  ).newPage()
  const email = uniqueAddress('reader')
  await reader.goto(urls.subscribe)
  await reader.getByLabel(t('subscribers.page.email')).fill(email)
  await reader.getByRole('checkbox').check()
  await reader.getByRole('button', { name: t('subscribers.page.subscribe') }).click()
  await reader.goto(linkIn(await readMail(page, id, { to: email }), '/confirm/'))
  await reader.getByRole('button', { name: t('subscribers.page.confirm.button') }).click()
  const choice = reader.getByRole('checkbox', { name: 'Knots, every Monday.' })
  await expect(choice).not.toBeChecked()
  await reader.getByRole('button', { name: t('recommendations.page.yes') }).click()
  await expect(reader.getByText(t('recommendations.page.none'))).toBeVisible()
  await choice.check()
  await reader.getByRole('button', { name: t('recommendations.page.yes') }).click()
  await expect(reader.getByText(t('recommendations.page.joined', { newsletter: 'Rope & Tar' }))).toBeVisible()
  await reader.context().close()

  const found = await page.request.get(`/api/newsletters/${other.id}/subscribers?search=${encodeURIComponent(email)}`)
  expect((await found.json()).rows).toMatchObject([{ email, status: 'active', source: 'recommendation' }])
  await page.reload()
  const remove = page.getByRole('button', { name: t('recommendations.removeOne', { name: 'Rope & Tar' }) })
  await remove.press('Enter')
  await expect(page.getByRole('dialog').getByRole('button', { name: t('ui.keep') })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(remove).toBeFocused()
  const cells = page.getByRole('row', { name: /Rope & Tar/ }).getByRole('cell')
  await expect(cells.nth(1)).toHaveText('1')
  await expect(cells.nth(3)).toHaveText('1')
})

test('a recommendation that is asked for stands on the dashboard as it does on Advertise', async ({
  page,
  subscriber,
  t,
  language,
  baseURL,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  const asking = await createNewsletter(subscriber, baseURL, language)
  const asked = await subscriber.request.post(`/api/newsletters/${asking.id}/recommendations`, {
    data: { newsletter: id, reasons: { [language]: 'Knots, every Monday.' } },
    headers: { origin: baseURL ?? '' },
  })
  expect((await asked.json()).state).toBe('waiting')
  const due = t('dashboard.dueRecommender', { newsletter: asking.name })
  for (const address of ['/advertise', '/dashboard']) {
    await page.goto(address)
    await expect(page.getByRole('link', { name: due })).toBeVisible()
  }
})

test('what is wrong with a newsletter to recommend is said at the field by which it was named', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  const headers = { origin: baseURL ?? '' }
  const make = async (name: string) => {
    const data = { name, language, timezone: 'Europe/Paris', currency: 'eur' }
    return (await (await page.request.post('/api/newsletters', { data, headers })).json()) as { id: string }
  }
  const other = await make('Rope & Tar')
  await make('Salt')
  await page.addInitScript((open) => localStorage.setItem('newsletter', open), id)
  await page.goto('/advertise/recommendations')
  await page.getByRole('button', { name: t('recommendations.add') }).click()
  const dialog = page.getByRole('dialog')
  const choice = dialog.getByRole('combobox')
  const reason = dialog.getByLabel(t('recommendations.reasonIn', { language: languageName(language) }))
  const add = dialog.getByRole('button', { name: t('recommendations.add') })
  const expectSaid = async (field: Locator, sentence: string) => {
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await expect(field).toHaveAccessibleDescription(new RegExp(sentence.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    await expect(field).toBeFocused()
    await expect(page.getByRole('alert')).toHaveCount(0)
  }
  await expect(choice).toHaveValue('Rope & Tar')
  await reason.fill('   ')
  await add.click()
  await expectSaid(reason, t('errors.fields.required'))

  // Somebody else was quicker.
  const path = `/api/newsletters/${id}/recommendations`
  const reasons = { [language]: 'Knots, every Monday.' }
  const added = await page.request.post(path, { data: { newsletter: other.id, reasons }, headers })
  expect(added.ok(), await added.text()).toBe(true)
  await reason.fill('Knots, every Monday.')
  await add.click()
  await expectSaid(choice, t('errors.recommended_already'))

  await choice.click()
  await page.getByRole('option', { name: t('recommendations.byAddress') }).click()
  const named = dialog.getByLabel(t('recommendations.address'))
  for (const [typed, sentence] of [
    ['   ', t('errors.fields.required')],
    ['nobody-is-called-so', t('errors.recommended_not_found')],
    [id, t('errors.recommends_itself')],
  ] as const) {
    await named.fill(typed)
    await add.click()
    await expectSaid(named, sentence)
  }
  await named.fill('https://nowhere.example/n/tar')
  await dialog.getByRole('button', { name: t('recommendations.look') }).click()
  await expectSaid(named, t('errors.remote_unreachable'))

  // What another server says, and what it says a moment later.
  const address = 'https://tar.example/n/tar'
  const remote = {
    ...{ name: 'Tar', description: '', language, host: 'tar.example', url: address, key: 'k'.repeat(43) },
    ...{ signedAt: new Date().toISOString(), readAt: new Date().toISOString() },
  }
  await page.route(`**/api/newsletters/${id}/remote-newsletters`, (route) => route.fulfill({ json: remote }))
  const changed = { error: { code: 'remote_changed', message: t('errors.remote_changed') } }
  await page.route(`**/api/newsletters/${id}/remote-recommendations`, (route) =>
    route.fulfill({ status: 409, json: changed }),
  )
  await named.fill(address)
  await dialog.getByRole('button', { name: t('recommendations.look') }).click()
  await expect(dialog).toContainText('tar.example')
  await add.click()
  await expectSaid(named, t('errors.remote_changed'))
  await expect(dialog.getByRole('button', { name: t('recommendations.look') })).toBeVisible()
})
