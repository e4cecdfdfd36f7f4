import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import axe from 'axe-core'
import { linkIn, readMail } from './caught-mail.ts'
import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'
import { publish } from './publications.ts'
import { sell } from './sponsors.ts'
import { requestSubscription, subscribe } from './subscribers.ts'
import { Traffic } from './traffic.ts'
import { uniqueAddress } from './unique-address.ts'

declare global {
  interface Window {
    axe: typeof axe
  }
}

test.describe.configure({ timeout: 120_000 })

const grave = ['serious', 'critical']
/** With what axe calls best practice: headings, landmarks. */
const everyImpact = ['minor', 'moderate', ...grave]

const signedOut = ['/signup', '/login', '/forgot', '/reset', '/verified']
const ownersPages = [
  '/dashboard',
  '/dashboard/newsletters',
  '/publish',
  '/subscribers',
  '/subscribers/segments',
  '/subscribers/segments/new',
  '/subscribers/labels',
  '/subscribers/import',
  '/outbox',
  '/help',
  '/welcome',
]
const advertisePages = [
  '/advertise',
  '/advertise/campaigns',
  '/advertise/recommendations',
  '/advertise/links',
  '/advertise/rules',
  '/advertise/calendar',
  '/advertise/placements',
]
const chargePages = [
  '/charge',
  '/charge/plans',
  '/charge/plans/new',
  '/charge/payments',
  '/charge/subscriptions',
  '/charge/figures',
  '/charge/stripe',
  '/charge/stripe/said',
]
const settingsPages = [
  '/settings/general',
  '/settings/branding',
  '/settings/images',
  '/settings/sender',
  '/settings/subscribing',
  '/settings/relays',
  '/settings/domain',
  '/settings/members',
  '/settings/keys',
  '/settings/audit',
  '/profile',
]

test('the pages before signing in have no serious accessibility problem', async ({ page }) => {
  await walkAndCheck(page, signedOut)
})

test('the pages of the owner app have no serious accessibility problem', async ({ page, language, baseURL }) => {
  await createNewsletter(page, baseURL, language)
  await walkAndCheck(page, ownersPages)
  await visitAndCheck(page, '/nothing-here')
})

test('the pages of Advertise have no serious accessibility problem', async ({ page, language, baseURL }) => {
  const { id } = await createNewsletter(page, baseURL, language)
  const path = `/api/newsletters/${id}`
  const ask = async (method: 'POST' | 'PATCH', address: string, data: object) => {
    const answer = await page.request.fetch(path + address, { method, data, headers: { origin: baseURL ?? '' } })
    expect(answer.ok(), await answer.text()).toBe(true)
    return (await answer.json()) as { id: string }
  }
  await ask('PATCH', '/sponsorship/settings', { weekdays: [6] })
  const campaign = await ask('POST', '/opt-in-campaigns', { name: 'Winter walks' })
  const link = await ask('POST', '/links', { target: 'https://example.org/', name: 'Quay' })
  const ofTheirs = [
    `/advertise/campaigns/${campaign.id}`,
    `/advertise/campaigns/${campaign.id}/edit`,
    `/advertise/links/${link.id}`,
  ]
  await walkAndCheck(page, [...advertisePages, ...ofTheirs])
})

test('the pages of Charge have no serious accessibility problem', async ({ page, language, baseURL }) => {
  await createNewsletter(page, baseURL, language)
  await walkAndCheck(page, chargePages)
})

test('the table of subscribers and the page of one have no serious accessibility problem', async ({
  page,
  language,
  baseURL,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  const data = { email: uniqueAddress('shown') }
  const headers = { origin: baseURL ?? '' }
  const added = await page.request.post(`/api/newsletters/${id}/subscribers`, { data, headers })
  const subscriber = (await added.json()) as { id: string }
  await walkAndCheck(page, ['/subscribers?sort=joined', `/subscribers/${subscriber.id}`])
})

test('the choices of a list have no serious accessibility problem', async ({ page, t, language, baseURL }) => {
  await createNewsletter(page, baseURL, language)
  await page.goto('/settings/general')
  await page.getByRole('combobox', { name: t('newsletters.language') }).press('ArrowDown')
  await expect(page.locator('[data-combobox-selected]')).toBeVisible()
  await checkPage(page, 'an open list')
})

test('the settings pages have no serious accessibility problem', async ({ page, language, baseURL }) => {
  await createNewsletter(page, baseURL, language)
  await walkAndCheck(page, settingsPages)
})

test('the results page and the editor have no serious accessibility problem', async ({ page, language, baseURL }) => {
  const publication = await publish(page, { baseURL, newsletter: await createNewsletter(page, baseURL, language) })
  await visitAndCheck(page, `/publish/${publication.id}`)
  await visitAndCheck(page, `/publish/create/${publication.id}`, everyImpact)
})

test('the pages of a sent publication have no serious accessibility problem', async ({
  page,
  subscriber,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  await subscribe({ subscriber: subscriber, owner: page, t, newsletter })
  const publication = await publish(page, { baseURL, newsletter, channel: 'everywhere' })
  await walkAndCheck(page, [`/publish/${publication.id}`, '/dashboard'])
  await page.goto(`/publish/${publication.id}/deliveries`)
  await expect(page.getByText(t('publish.state.one.caught'), { exact: true })).toBeVisible()
  await checkPage(page, 'deliveries')
})

test('the form of a relay has no serious accessibility problem', async ({ page, t, language, baseURL }) => {
  await createNewsletter(page, baseURL, language)
  await page.goto('/settings/relays')
  await page.getByRole('button', { name: t('relays.ui.add') }).click()
  await expect(page.getByLabel(t('relays.ui.host'))).toBeVisible()
  await checkPage(page, 'a relay’s form', everyImpact)
})

test('the public pages have no serious accessibility problem', async ({ page, t, language, baseURL }) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const publication = await publish(page, { baseURL, newsletter })
  for (const address of [
    newsletter.urls.archive,
    publication.url,
    `/sub/${newsletter.id}`,
    '/r/nothing',
    '/sub/nothing',
  ]) {
    await visitAndCheck(page, address)
  }
  const email = uniqueAddress('subscriber')
  await requestSubscription(page, t, { newsletter, email })
  await checkPage(page, 'asked')
  const confirmation = linkIn(await readMail(page, newsletter.id, { to: email }), '/confirm/')
  await page.goto(confirmation)
  await checkPage(page, 'confirm')
  await page.getByRole('button', { name: t('subscribers.page.confirm.button') }).click()
  await checkPage(page, 'confirmed')
  await page.goto(unsubscribeAddress(confirmation))
  await checkPage(page, 'unsubscribe')
  await page.getByRole('button', { name: t('subscribers.page.leave.button') }).click()
  await checkPage(page, 'unsubscribed')
})

test('the pages of sponsors have no serious accessibility problem', async ({ page, t, language, baseURL }) => {
  const { id } = await createNewsletter(page, baseURL, language)
  const sold = await sell({ page, baseURL, newsletterId: id })
  await visitAndCheck(page, `/sponsor/${id}`)
  await page.getByRole('button', { name: t('sponsors.page.ask') }).click()
  await checkPage(page, 'a request with a problem')
  const email = uniqueAddress('sponsor')
  await page.locator('.sponsor-slot').first().click()
  await page.getByLabel(t('sponsors.page.sponsor')).fill('Halyard Books')
  await page.locator('#email').fill(email)
  await page.getByRole('button', { name: t('sponsors.page.ask') }).click()
  await checkPage(page, 'asked')
  await page.goto(linkIn(await readMail(page, id, { to: email }), '/sponsor/confirm/'))
  await checkPage(page, 'a request to confirm')
  await page.getByRole('button', { name: t('sponsors.confirm.button') }).click()
  await checkPage(page, 'a booking that is asked for')
  await visitAndCheck(page, sold.own)
  await sold.money('pay')
  await visitAndCheck(page, sold.own)
  await page.getByLabel(t('sponsors.own.field.text'), { exact: true }).fill('word '.repeat(14))
  await expect(page.locator('#text-problem')).toBeVisible()
  await checkPage(page, 'words that are too many')
  await page.getByRole('button', { name: t('sponsors.own.send') }).click()
  await expect(page.getByText(t('sponsors.own.wrong'))).toBeVisible()
  await checkPage(page, 'words that were refused')
  await page.goto(`/advertise/calendar/${sold.bookingId}`)
  await expect(page.getByRole('textbox', { name: t('sponsorship.creativeText') })).toBeVisible()
  await checkPage(page, 'a booking with a form for words')
})

test('a sponsor’s report has no serious accessibility problem, with figures and without', async ({
  page,
  subscriber,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  await subscribe({ subscriber, owner: page, t, newsletter })
  const path = `/api/newsletters/${newsletter.id}`
  const call = async (method: 'POST' | 'PUT', rest: string, data: object) => {
    const answer = await page.request.fetch(path + rest, { method, data, headers: { origin: baseURL ?? '' } })
    expect(answer.ok(), await answer.text()).toBe(true)
    return answer.json()
  }
  const placements: number[] = []
  const bookings: string[] = []
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Paris' }).format(new Date())
  await call('PUT', '/sponsorship/days', { day, kind: 'added' })
  for (const place of ['top', 'end']) {
    const words = { [language]: { name: place, disclosure: 'Sponsor' } }
    const placement = await call('POST', '/sponsorship/placements', { words, place, maxWords: 20 })
    const agreed = { placementId: placement.id, day, sponsor: 'Halyard', language, currency: 'eur', amount: 100 }
    const { id } = await call('POST', '/sponsorship/bookings', agreed)
    await call('POST', `/sponsorship/bookings/${id}/money`, { act: 'invoice' })
    const creative = { name: 'Halyard', text: 'An almanac.', label: 'Order', target: 'https://example.org/' }
    await call('PUT', `/sponsorship/bookings/${id}/creative`, creative)
    await call('POST', `/sponsorship/bookings/${id}/acts`, { act: 'approve' })
    placements.push(placement.id)
    bookings.push(id)
  }
  const [inSlot, byHand] = bookings
  const slot = { type: 'sponsorSlot', attrs: { placementId: placements[0], hideFromPaid: true } }
  const words = { type: 'paragraph', content: [{ type: 'text', text: 'Twice a day.' }] }
  const draft = await call('POST', '/publications', {
    title: 'Low tide',
    content: { type: 'doc', content: [words, slot] },
  })
  await call('POST', `/publications/${draft.id}/send`, {})
  await call('POST', `/sponsorship/bookings/${byHand}/acts`, { act: 'run' })
  const links = await (await page.request.get(`${path}/links?publicationId=${draft.id}`)).json()
  for (const { id } of links.rows) await page.request.get(`/r/${id}`, { maxRedirects: 0 })
  for (const [id, heading] of [
    [inSlot, t('sponsorReport.byDay')],
    [byHand, t('sponsorReport.notCounted')],
  ]) {
    const { url } = await call('POST', `/sponsorship/bookings/${id}/report-link`, {})
    await page.goto(url)
    await expect(page.getByRole('heading', { name: heading ?? '' })).toBeVisible()
    await checkPage(page, url)
  }
})

/** A confirmation names the newsletter and the subscriber, and then comes its signature. */
function unsubscribeAddress(confirmation: string): string {
  const [newsletterId, subscriberId] = confirmation.split('/confirm/')[1]?.split('.') ?? []
  return `/unsub/${newsletterId}/${subscriberId}`
}

/** Checks pages of the owner app, which is loaded once. */
async function walkAndCheck(page: Page, addresses: string[]): Promise<void> {
  const traffic = new Traffic(page)
  for (const [visited, address] of addresses.entries()) {
    await (visited === 0 ? traffic.load(address) : traffic.follow(address))
    await checkPage(page, address)
  }
}

async function visitAndCheck(page: Page, address: string, impacts = grave): Promise<void> {
  await page.goto(address)
  await checkPage(page, address, impacts)
}

/** Waits until the owner app has changed its colour scheme and the transitions have ended. Axe must not run in between. */
async function waitForScheme(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  const follows = `html:not([data-mantine-color-scheme]), html[data-mantine-color-scheme="${scheme}"]`
  await expect(page.locator(follows)).toHaveCount(1)
  await page.evaluate(async () => {
    // Some colours are chosen as the app draws itself anew, after its page has changed.
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
    return Promise.allSettled(ending.map(({ finished }) => finished))
  })
}

/** Checks a page with axe in both colour schemes. French is checked in one: the colours do not depend on the language. */
async function checkPage(page: Page, name: string, impacts = grave): Promise<void> {
  await expect(page.getByRole('main').first()).toBeVisible()
  await expect(page.getByRole('status', { name: /…$/ })).toHaveCount(0)
  const french = (await page.locator('html').getAttribute('lang')) === 'fr'
  for (const colorScheme of french ? (['light'] as const) : (['light', 'dark'] as const)) {
    await page.emulateMedia({ colorScheme })
    await waitForScheme(page, colorScheme)
    const violations = await violationsIn(page)
    const counted = violations.filter(({ impact }) => impact && impacts.includes(impact))
    const found = counted.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target}: ${failureSummary}`),
    )
    expect.soft(found, `${name}, ${colorScheme}`).toEqual([])
  }
}

/** What axe finds. It is put into a page once, which its builder would do twice for each check. */
async function violationsIn(page: Page): Promise<axe.Result[]> {
  const options: axe.RunOptions = { resultTypes: ['violations'] }
  // The builder puts the results of several frames together in a second page, which costs as much as the check.
  if (page.frames().length > 1) return (await new AxeBuilder({ page }).options(options).analyze()).violations
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(async (given) => (await window.axe.run(given)).violations, options)
}
