import { expect } from '@playwright/test'
import { languageName } from '../server/languages.ts'
import { linkIn, readMail } from './caught-mail.ts'
import { test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'
import { uniqueAddress } from './unique-address.ts'

test('a draft has no address to hand on, says what is missing, and is started by one button', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const headers = { origin: baseURL ?? '' }
  const path = `/api/newsletters/${newsletter.id}/opt-in-campaigns`
  const { id, url } = await (await page.request.post(path, { data: { name: 'Winter walks' }, headers })).json()
  await page.goto(`/advertise/campaigns/${id}`)
  const start = page.getByRole('button', { name: t('campaigns.start') })
  await expect(page.getByText(t('campaigns.unwrittenText'))).toBeVisible()
  await expect(start).toHaveCount(0)

  const words = { question: 'Walk with us?', offer: 'Three walks.', yes: 'Yes', afterYes: 'We write.' }
  const saved = await page.request.patch(`${path}/${id}`, { data: { words: { [language]: words } }, headers })
  expect(saved.ok(), await saved.text()).toBe(true)
  await page.reload()
  await expect(page.getByText(t('campaigns.draftText'))).toBeVisible()
  await expect(page.getByText(url)).toHaveCount(0)
  await start.click()
  await expect(page.getByText(t('campaigns.state.running'), { exact: true })).toBeVisible()
  await expect(page.getByText(url)).toBeVisible()
})

test('an owner asks readers a question; a stranger says yes without scripts, confirms, and takes it back', async ({
  page,
  browser,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  await page.goto('/advertise/campaigns')
  await page
    .getByRole('button', { name: t('campaigns.add') })
    .first()
    .click()
  await page.getByRole('dialog').getByLabel(t('campaigns.name')).fill('Winter walks')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('campaigns.begin') })
    .click()
  const inLanguage = { language: languageName(language) }
  await page.getByLabel(t('campaigns.words.question', inLanguage)).fill('Walk with us at low water?')
  await page.getByLabel(t('campaigns.words.offer', inLanguage)).fill('Three walks in January, with boots.')
  await page.getByLabel(t('campaigns.words.yes', inLanguage)).fill('Yes, I walk')
  await page.getByLabel(t('campaigns.words.afterYes', inLanguage)).fill('We write before each walk.')
  await page.getByLabel(t('campaigns.period.opens')).fill('2026-01-02T08:00')
  await expect(page.getByText(t('campaigns.period.opensAtOnce'))).toBeVisible()
  await page.getByRole('button', { name: t('campaigns.save'), exact: true }).click()
  await expect(page.getByText(t('campaigns.saved'))).toBeVisible()
  await expect(page.getByText(t('campaigns.state.running'), { exact: true })).toBeVisible()
  const owners = page.url()
  const campaignId = owners.split('/').at(-1) ?? ''

  const locale = language === 'fr' ? 'fr-FR' : 'en-GB'
  const context = await browser.newContext({ javaScriptEnabled: false, locale, ...(baseURL && { baseURL }) })
  const reader = await context.newPage()
  const email = uniqueAddress('walker')
  await reader.goto(`/optin/${campaignId}`)
  await expect(reader.getByRole('heading', { name: 'Walk with us at low water?' })).toBeVisible()
  await reader.getByRole('textbox').first().fill(email)
  const yes = reader.getByRole('button', { name: 'Yes, I walk' })
  await expect(yes).toHaveAccessibleDescription(t('optIn.follows.newsletter', { newsletter: newsletter.name }))
  await yes.click()
  await expect(reader.getByRole('heading', { name: t('page.caught.title') })).toBeVisible()
  await reader.goto(linkIn(await readMail(page, newsletter.id, { to: email }), '/optin/'))
  await reader.getByRole('button', { name: 'Yes, I walk' }).click()
  await expect(reader.getByText('We write before each walk.')).toBeVisible()
  await page.reload()
  await expect(page.getByText(t('campaigns.funnel.confirmed'), { exact: true }).first()).toBeVisible()
  await expect(page.getByText(t('campaigns.funnel.got.newsletter'), { exact: true })).toBeVisible()
  const counts = async () => {
    const answer = await page.request.get(`/api/newsletters/${newsletter.id}/opt-in-campaigns/${campaignId}`)
    return (await answer.json()).counts
  }
  expect(await counts()).toMatchObject({ yes: 1, confirmed: 1, undone: 0 })

  await reader.getByRole('button', { name: t('optIn.said.undo') }).click()
  await expect(reader.getByRole('heading', { name: t('optIn.notice.undone.title') })).toBeVisible()
  expect(await counts()).toMatchObject({ confirmed: 0, undone: 1 })
  await context.close()
})

test('what is wrong with a campaign is marked at each field, with its language, and the first one has the focus', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const headers = { origin: new URL(baseURL ?? '').origin }
  const campaigns = `/api/newsletters/${newsletter.id}/opt-in-campaigns`
  const made = await page.request.post(campaigns, { data: { name: 'Winter walks' }, headers })
  const { id } = await made.json()
  await page.goto(`/advertise/campaigns/${id}/edit`)
  const save = page.getByRole('button', { name: t('campaigns.save'), exact: true })
  const french = (part: 'question' | 'offer' | 'yes' | 'afterYes') =>
    page.getByLabel(t(`campaigns.words.${part}`, { language: languageName('fr', language) }))
  const marked = page.locator('[aria-invalid="true"]')
  await french('question').fill('Marcher avec nous ?')
  await french('yes').fill('Oui')
  await page.getByText(t('campaigns.beneficiary.sponsor'), { exact: true }).click()
  await save.click()
  const alert = page.getByRole('alert').first()
  await expect(alert).toContainText(t('errors.invalid'))
  for (const part of ['offer', 'afterYes'] as const)
    await expect(alert).toContainText(t(`campaigns.words.${part}`, { language: languageName('fr', language) }))
  await expect(alert).toContainText(t('campaigns.beneficiary.sponsorName'))
  await expect(marked).toHaveCount(3)
  await expect(french('offer')).toBeFocused()
  await expect(french('offer')).toHaveAccessibleDescription(t('errors.fields.required'))
  await french('offer').fill('Trois sorties en janvier.')
  await expect(marked).toHaveCount(2)
  await french('afterYes').fill('Merci.')
  await page.getByLabel(t('campaigns.beneficiary.sponsorName')).fill('Kelp & Rye')
  await expect(marked).toHaveCount(0)

  // Half a day is no day, and must not be read as none.
  const opens = page.getByLabel(t('campaigns.period.opens'))
  await opens.focus()
  await page.keyboard.type('11')
  await save.click()
  await expect(opens).toBeFocused()
  await expect(opens).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByText(t('campaigns.saved'))).toHaveCount(0)

  // What only the server finds stands beside its fields too.
  await page.getByLabel(t('campaigns.period.opens')).fill('2091-01-02T08:00')
  await page.getByLabel(t('campaigns.period.closes')).fill('2091-01-01T08:00')
  await save.click()
  await expect(page.getByLabel(t('campaigns.period.closes'))).toBeFocused()
  await expect(page.getByText(t('errors.fields.before_start'), { exact: true })).toBeVisible()
  await page.getByLabel(t('campaigns.period.closes')).fill('2091-02-01T08:00')
  await page.getByLabel(t('campaigns.beneficiary.sponsorPrivacy')).fill('kelp and rye')
  await save.click()
  await expect(page.getByLabel(t('campaigns.beneficiary.sponsorPrivacy'))).toBeFocused()
  await expect(alert).toContainText(t('campaigns.beneficiary.sponsorPrivacy'))
  await page.getByLabel(t('campaigns.beneficiary.sponsorPrivacy')).fill('')
  await page.getByText(t('campaigns.beneficiary.other_newsletter'), { exact: true }).click()
  await page.getByLabel(t('campaigns.beneficiary.newsletterId')).fill('nobody-has-this-name')
  await save.click()
  await expect(page.getByLabel(t('campaigns.beneficiary.newsletterId'))).toBeFocused()
  await expect(alert).toContainText(t('errors.newsletter_not_found'))
  await page.getByText(t('campaigns.beneficiary.newsletter'), { exact: true }).click()
  await page.getByLabel(t('campaigns.period.cap')).fill('3')
  await save.click()
  await expect(page.getByText(t('campaigns.saved'))).toBeVisible()

  // Its page says for how long it runs, and how many can say yes.
  await page.goto(`/advertise/campaigns/${id}`)
  await expect(page.getByText(t('campaigns.taken', { confirmed: '0', cap: '3' }))).toBeVisible()
  await expect(page.getByRole('paragraph').filter({ hasText: /^(?:From|Du) .*(?:Feb|févr)/ })).toBeVisible()

  // An opening that has passed is an opening now, and the notice says so.
  await page.goto(`/advertise/campaigns/${id}/edit`)
  await opens.fill('2026-01-02T08:00')
  await save.click()
  await expect(page.getByText(t('campaigns.savedAndRuns'))).toBeVisible()
  await expect(page.getByText(t('campaigns.state.running'), { exact: true })).toBeVisible()
})
