import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { linkIn, readMail } from './caught-mail.ts'
import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'
import { publish } from './publications.ts'
import { requestSubscription, subscribe } from './subscribers.ts'
import { uniqueAddress } from './unique-address.ts'

test.describe.configure({ timeout: 120_000 })

const signedOut = ['/signup', '/login', '/forgot', '/reset', '/verified']
const ownersPages = [
  '/dashboard',
  '/publish',
  '/subscribers',
  '/subscribers/segments',
  '/subscribers/segments/new',
  '/subscribers/labels',
  '/subscribers/import',
  '/advertise',
  '/advertise/campaigns',
  '/advertise/calendar',
  '/advertise/placements',
  '/charge',
  '/charge/plans',
  '/charge/plans/new',
  '/charge/stripe',
  '/outbox',
  '/welcome',
  '/nothing-here',
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
  for (const path of signedOut) await visitAndCheck(page, path)
})

test('the pages of the owner app have no serious accessibility problem', async ({ page, language, baseURL }) => {
  await createNewsletter(page, baseURL, language)
  for (const path of ownersPages) await visitAndCheck(page, path)
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
  await visitAndCheck(page, '/subscribers?sort=joined')
  await visitAndCheck(page, `/subscribers/${subscriber.id}`)
})

test('the settings pages have no serious accessibility problem', async ({ page, language, baseURL }) => {
  await createNewsletter(page, baseURL, language)
  for (const path of settingsPages) await visitAndCheck(page, path)
})

test('the results page and the editor have no serious accessibility problem', async ({ page, language, baseURL }) => {
  const publication = await publish(page, { baseURL, newsletter: await createNewsletter(page, baseURL, language) })
  await visitAndCheck(page, `/publish/${publication.id}`)
  await visitAndCheck(page, `/publish/create/${publication.id}`)
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
  await visitAndCheck(page, `/publish/${publication.id}`)
  await page.goto(`/publish/${publication.id}/deliveries`)
  await expect(page.getByText(t('publish.state.one.accepted'), { exact: true })).toBeVisible()
  await checkPage(page, 'deliveries')
})

test('the form of a relay has no serious accessibility problem', async ({ page, t, language, baseURL }) => {
  await createNewsletter(page, baseURL, language)
  await page.goto('/settings/relays')
  await page.getByRole('button', { name: t('relays.ui.add') }).click()
  await expect(page.getByLabel(t('relays.ui.host'))).toBeVisible()
  await checkPage(page, 'a relay’s form')
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

/** A confirmation names the newsletter and the subscriber, and then comes its signature. */
function unsubscribeAddress(confirmation: string): string {
  const [newsletterId, subscriberId] = confirmation.split('/confirm/')[1]?.split('.') ?? []
  return `/unsub/${newsletterId}/${subscriberId}`
}

async function visitAndCheck(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await checkPage(page, address)
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
async function checkPage(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('main').first()).toBeVisible()
  await expect(page.getByRole('status', { name: /…$/ })).toHaveCount(0)
  const french = (await page.locator('html').getAttribute('lang')) === 'fr'
  for (const colorScheme of french ? (['light'] as const) : (['light', 'dark'] as const)) {
    await page.emulateMedia({ colorScheme })
    await waitForScheme(page, colorScheme)
    // The other mode puts the results of several frames together in a second page, which costs as much as the check.
    const { violations } = await new AxeBuilder({ page })
      .setLegacyMode(page.frames().length === 1)
      .options({ resultTypes: ['violations'] })
      .analyze()
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    const found = serious.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target}: ${failureSummary}`),
    )
    expect.soft(found, `${name}, ${colorScheme}`).toEqual([])
  }
}
