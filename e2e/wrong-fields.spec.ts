import type { Locator, Page } from '@playwright/test'
import { writtenSum } from '../server/charge/money.ts'
import { languageName } from '../server/languages.ts'
import { expect, test } from './fixtures.ts'
import { createNewsletter, newOwner } from './owners.ts'
import { sell } from './sponsors.ts'

/** That a field is seen, heard and reached as the one that is wrong, with this sentence. */
async function expectMarked(field: Locator, sentence: string): Promise<void> {
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  const words = sentence.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/\s/g, '\\s')
  await expect(field).toHaveAccessibleDescription(new RegExp(words))
}

const alerts = (page: Page) => page.getByRole('alert')

test('signing up says which fields are wrong, and goes on once they are mended', async ({ page, t }) => {
  const owner = newOwner()
  await page.goto('/signup')
  const email = page.getByLabel(t('identity.email'))
  const password = page.getByLabel(t('identity.password'), { exact: true })
  const submit = page.getByRole('button', { name: t('identity.signUp.submit') })
  await submit.click()
  const name = page.getByLabel(t('identity.name'), { exact: true })
  await expectMarked(name, t('errors.fields.required'))
  await expect(name).toBeFocused()

  await name.fill(owner.name)
  await email.fill('ines@lowwater')
  await password.fill('password12')
  await submit.click()
  await expectMarked(email, t('errors.fields.not_an_email'))
  await expectMarked(password, t('errors.fields.password_common'))
  await expect(email).toBeFocused()
  await expect(name).not.toHaveAttribute('aria-invalid')
  await expect(alerts(page)).toHaveCount(0)
  await expect(email).toHaveValue('ines@lowwater')

  await email.fill(owner.email)
  await expect(email).not.toHaveAttribute('aria-invalid')
  await password.fill(owner.password)
  await submit.click()
  await expect(page.getByRole('heading', { name: t('identity.signUp.title') })).toBeHidden()
})

test('the buttons for a link by mail mark the address', async ({ page, t }) => {
  await page.goto('/login')
  const email = page.getByLabel(t('identity.email'))
  await page.getByRole('button', { name: t('identity.login.link'), exact: true }).click()
  await expectMarked(email, t('identity.login.linkNeedsEmail'))
  await expect(email).toBeFocused()
  await email.fill('ines@lowwater')
  await page.getByRole('button', { name: t('identity.login.link'), exact: true }).click()
  await expectMarked(email, t('errors.fields.not_an_email'))

  await page.goto('/forgot')
  await page.getByLabel(t('identity.email')).fill('ines@lowwater')
  await page.getByRole('button', { name: t('identity.forgot.submit') }).click()
  await expectMarked(page.getByLabel(t('identity.email')), t('errors.fields.not_an_email'))
})

test('a setting that is taken is said at its field, and a relay’s host at its own', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  await createNewsletter(page, baseURL, language)
  await page.goto('/settings/general')
  const handle = page.getByLabel(t('newsletters.general.handle'))
  await handle.fill('login')
  await page.getByRole('button', { name: t('ui.save'), exact: true }).click()
  await expectMarked(handle, t('errors.slug_reserved'))
  await expect(handle).toBeFocused()
  await expect(alerts(page)).toHaveCount(0)

  await page.goto('/settings/relays')
  await page.getByRole('button', { name: t('relays.ui.add') }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel(t('relays.ui.name'), { exact: true }).fill('Main')
  const host = drawer.getByLabel(t('relays.ui.host'))
  await host.fill('mail.example.org/x')
  await drawer.getByRole('button', { name: t('relays.ui.add') }).click()
  await expect(host).toHaveAttribute('aria-invalid', 'true')
  await expect(host).toBeFocused()
  await expect(drawer).not.toContainText('way.')
})

/** That nothing lies over a field, such as the title of its dialog. */
async function expectUncovered(field: Locator): Promise<void> {
  await expect
    .poll(() =>
      field.evaluate((element) => {
        const { left, top, width, height } = element.getBoundingClientRect()
        return document.elementFromPoint(left + width / 2, top + height / 2) === element
      }),
    )
    .toBe(true)
}

test('a placement without a name, or without its disclosure, marks that field, where a phone shows it', async ({
  page,
  t,
  baseURL,
  language,
}) => {
  await createNewsletter(page, baseURL, language)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/advertise/placements')
  await page
    .getByRole('button', { name: t('sponsorship.add') })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  const own = { language: languageName(language, language) }
  const other = { language: languageName(language === 'en' ? 'fr' : 'en', language) }
  const name = dialog.getByLabel(t('sponsorship.name', own))
  const disclosure = dialog.getByLabel(t('sponsorship.disclosure', own))
  const save = dialog.getByRole('button', { name: t('ui.save') })
  await save.click()
  await expectMarked(name, t('errors.fields.required'))
  await expect(name).toBeFocused()
  await expectUncovered(name)

  await name.fill('Middle')
  await save.click()
  await expectMarked(disclosure, t('errors.fields.required'))
  await expect(name).not.toHaveAttribute('aria-invalid')
  await expectUncovered(disclosure)

  await disclosure.fill('Ad')
  await dialog.getByLabel(t('sponsorship.disclosure', other)).fill('Ad')
  await save.click()
  const unnamed = dialog.getByLabel(t('sponsorship.name', other))
  await expectMarked(unnamed, t('errors.fields.required'))
  await expect(unnamed).toBeFocused()
  await expectUncovered(unnamed)
})

test('a house campaign without its words marks them, and an end before its beginning is said so', async ({
  page,
  t,
  baseURL,
  language,
}) => {
  await createNewsletter(page, baseURL, language)
  await page.goto('/advertise/placements')
  await page
    .getByRole('button', { name: t('sponsorship.house.add') })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  const save = dialog.getByRole('button', { name: t('ui.save') })
  await save.click()
  const own = { language: languageName(language, language) }
  await expectMarked(dialog.getByLabel(t('sponsorship.house.name')), t('errors.fields.required'))
  for (const part of ['heading', 'text', 'label'] as const)
    await expectMarked(dialog.getByLabel(t(`sponsorship.house.${part}`, own)), t('errors.fields.required'))
  await expectMarked(dialog.getByLabel(t('sponsorship.creativeTarget')), t('errors.fields.required'))
  await expect(dialog.getByText(t('sponsorship.house.oneLanguage'))).toBeVisible()
  await expect(page.getByText(t('ui.broken'))).toHaveCount(0)
  await dialog.getByLabel(t('sponsorship.house.name')).fill('Almanac')
  for (const part of ['heading', 'text', 'label'] as const)
    await dialog.getByLabel(t(`sponsorship.house.${part}`, own)).fill('Almanac')
  await dialog.getByLabel(t('sponsorship.creativeTarget')).fill('lowwater.example/almanac')
  await dialog.getByLabel(t('sponsorship.house.startsAt')).fill('2099-02-02')
  const end = dialog.getByLabel(t('sponsorship.house.endsAt'))
  await end.fill('2099-01-02')
  await save.click()
  await expectMarked(end, t('errors.fields.before_start'))
  await end.fill('2099-03-02')
  await save.click()
  await expect(dialog).toBeHidden()
})

test('a campaign says beside itself what keeps it from being saved; an address without its beginning is taken', async ({
  page,
  t,
  baseURL,
  language,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  const path = `/api/newsletters/${id}/opt-in-campaigns`
  const headers = { origin: baseURL ?? '' }
  const campaign = await (await page.request.post(path, { data: { name: 'Rope' }, headers })).json()
  const words = { question: 'Rope?', offer: 'A catalogue.', yes: 'Yes', afterYes: 'It comes.' }
  await page.request.patch(`${path}/${campaign.id}`, {
    data: { words: { [language]: words }, startsAt: '2026-01-02T08:00:00.000Z' },
    headers,
  })
  await page.goto(`/advertise/campaigns/${campaign.id}/edit`)
  await expect(page.getByText(t('campaigns.preview.ready'))).toBeVisible()
  await page.getByRole('radio', { name: t('campaigns.beneficiary.sponsor') }).check()
  await page.getByLabel(t('campaigns.beneficiary.sponsorAddress')).fill('Cork')
  const problemOf = (field: string, problem: string) =>
    page.getByRole('listitem').filter({ hasText: field }).filter({ hasText: problem })
  const unnamed = problemOf(t('campaigns.beneficiary.sponsorName'), t('errors.fields.required'))
  await expect(unnamed).toBeVisible()
  await expect(page.getByText(t('campaigns.preview.ready'))).toHaveCount(0)
  await page.getByLabel(t('campaigns.beneficiary.sponsorName')).fill('Rope & Chain')
  await expect(unnamed).toHaveCount(0)
  const privacy = page.getByLabel(t('campaigns.beneficiary.sponsorPrivacy'))
  await privacy.fill('not an address')
  const save = page.getByRole('button', { name: t('campaigns.save'), exact: true })
  await save.click()
  await expect(problemOf(t('campaigns.beneficiary.sponsorPrivacy'), t('errors.fields.not_a_url'))).toBeVisible()
  await privacy.fill('ropeandchain.example/privacy')
  await save.click()
  await expect(page.getByText(t('campaigns.saved'))).toBeVisible()
  const { beneficiary } = await (await page.request.get(`${path}/${campaign.id}`)).json()
  expect(beneficiary.sponsor.privacy).toBe('https://ropeandchain.example/privacy')
})

test('a price that is added after a refused save is not wrong before it can be filled in', async ({
  page,
  t,
  baseURL,
  language,
}) => {
  await createNewsletter(page, baseURL, language)
  await page.goto('/charge/plans/new')
  const save = page.getByRole('button', { name: t('plans.save'), exact: true })
  await save.click()
  const marked = page.locator('[aria-invalid="true"]')
  await expect(marked).not.toHaveCount(0)
  await page.getByRole('button', { name: t('plans.price.add') }).click()
  await expect(marked).toHaveCount(0)
  await save.click()
  await expect(marked).toHaveCount(2)
})

test('what a sponsor is to change, another day and a day of sale are asked for at their field', async ({
  page,
  t,
  baseURL,
  language,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  const sold = await sell({ page, baseURL, newsletterId: id })
  await sold.money('invoice')
  const said = { name: 'Halyard', text: 'An almanac.', label: 'Order', target: 'https://halyard.example/' }
  const address = `/api/newsletters/${id}/sponsorship/bookings/${sold.bookingId}/creative`
  const put = await page.request.put(address, { data: said, headers: { origin: baseURL ?? '' } })
  expect(put.ok()).toBe(true)
  await page.goto(`/advertise/calendar/${sold.bookingId}`)
  const dialog = page.getByRole('dialog')
  const ask = async (act: 'ask_changes' | 'make_good') => {
    const name = t(`sponsorship.act.${act}`)
    await page.getByRole('button', { name }).click()
    await dialog.getByRole('button', { name }).click()
  }
  await ask('make_good')
  await expectMarked(dialog.getByRole('combobox', { name: t('sponsorship.day') }), t('errors.fields.required'))
  await dialog.getByRole('button', { name: t('ui.cancel') }).click()
  await ask('ask_changes')
  const words = dialog.getByLabel(t('sponsorship.toChange'))
  await expectMarked(words, t('errors.fields.required'))
  await expect(words).toBeFocused()
  await words.fill('Without the price, please.')
  await dialog.getByRole('button', { name: t('sponsorship.act.ask_changes') }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Without the price, please.')).toBeVisible()

  await page.goto('/advertise/calendar')
  await page.getByRole('button', { name: t('sponsorship.addDay') }).click()
  const day = dialog.getByLabel(t('sponsorship.day'))
  const add = dialog.getByRole('button', { name: t('sponsorship.addDay') })
  await add.click()
  await expectMarked(day, t('errors.fields.required'))
  await day.fill('2020-01-04')
  await add.click()
  await expectMarked(day, t('errors.fields.day_past'))
  await day.fill('2090-01-07')
  await add.click()
  await expectMarked(day, t('sponsorship.soldAlready'))
})

test('a house campaign and a booking say all that is wrong at once', async ({ page, t, baseURL, language }) => {
  const { id } = await createNewsletter(page, baseURL, language)
  await sell({ page, baseURL, newsletterId: id })
  await page.goto('/advertise/placements')
  await page
    .getByRole('button', { name: t('sponsorship.house.add') })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(t('sponsorship.house.startsAt')).fill('2090-01-08')
  await dialog.getByLabel(t('sponsorship.house.endsAt')).fill('2090-01-07')
  await dialog.getByRole('button', { name: t('ui.save') }).click()
  await expectMarked(dialog.getByLabel(t('sponsorship.house.name')), t('errors.fields.required'))
  await expectMarked(dialog.getByLabel(t('sponsorship.house.endsAt')), t('errors.fields.before_start'))

  await page.goto('/advertise/calendar')
  await page.getByRole('main').getByRole('button', { name: /410/ }).first().click()
  await dialog.getByLabel(t('sponsorship.amount')).fill('a lot')
  await dialog.getByRole('button', { name: t('sponsorship.enter') }).click()
  await expectMarked(dialog.getByLabel(t('sponsorship.sponsor')), t('errors.fields.required'))
  await expectMarked(dialog.getByLabel(t('sponsorship.amount')), t('plans.badSum'))
  await page.keyboard.press('Escape')

  await page.goto('/advertise/placements')
  await page.getByRole('button', { name: t('sponsorship.add') }).click()
  const price = dialog.getByLabel(t('sponsorship.price', { currency: 'EUR' }))
  const most = writtenSum(99_999_999, 'eur', language)
  for (const [typed, fault] of [
    ['1000000', t('plans.mostSum', { sum: most })],
    ['0', t('sponsorship.zeroPrice')],
    ['a lot', t('plans.badSum')],
  ] as const) {
    await price.fill(typed)
    await dialog.getByRole('button', { name: t('ui.save') }).click()
    await expectMarked(price, fault)
  }
})

test('a question that is there already is said so at its words, and what a key may be is read while it is typed', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  await createNewsletter(page, baseURL, language)
  await page.goto('/subscribers/labels')
  const words = page.getByLabel(t('segments.labels.label'))
  const key = page.getByLabel(t('segments.labels.key'))
  const add = page.getByRole('button', { name: t('segments.labels.addField') })
  await words.fill('City')
  await add.click()
  await expect(page.getByText(t('segments.labels.shown'))).toBeVisible()
  await expect(words).toHaveValue('')
  await words.fill('City')
  await add.click()
  await expectMarked(words, t('errors.name_taken'))
  await expect(key).not.toHaveAttribute('aria-invalid')

  await words.fill('Street')
  await key.fill('Vil le')
  await expect(key).toHaveAccessibleDescription(t('segments.labels.keyHint'))
  await add.click()
  await expectMarked(key, t('segments.labels.keyHint'))
})
