import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { linkIn, readMail } from './caught-mail.ts'
import { expect, test } from './fixtures.ts'
import { createNewsletter, type Newsletter } from './owners.ts'
import { publish } from './publications.ts'
import { requestSubscription, subscribe } from './subscribers.ts'
import { uniqueAddress } from './unique-address.ts'

test.describe.configure({ timeout: 120_000 })

const signedOut = ['/signup', '/login', '/forgot', '/reset', '/verified']
const ownersPages = [
  '/dashboard',
  '/publish',
  '/subscribers',
  '/advertise',
  '/charge',
  '/outbox',
  '/welcome',
  '/nothing-here',
]
const settingsPages = [
  '/settings/general',
  '/settings/branding',
  '/settings/sender',
  '/settings/relays',
  '/settings/domain',
  '/settings/members',
  '/settings/keys',
  '/profile',
]

test('nothing serious stands in the way on the pages before signing in', async ({ page }) => {
  for (const path of signedOut) await visit(page, path)
})

test('nothing serious stands in the way in the owner app', async ({ page, language, baseURL }) => {
  await createNewsletter(page, baseURL, language)
  for (const path of ownersPages) await visit(page, path)
})

test('nothing serious stands in the way of who sets things up', async ({ page, language, baseURL }) => {
  await createNewsletter(page, baseURL, language)
  for (const path of settingsPages) await visit(page, path)
})

test('nothing serious stands in the way of who writes', async ({ page, language, baseURL }) => {
  const publication = await publish(page, baseURL, await createNewsletter(page, baseURL, language))
  await visit(page, `/publish/${publication.id}`)
  await visit(page, `/publish/create/${publication.id}`)
})

test('nothing serious stands in the way of who looks what became of a sending', async ({
  page,
  reader,
  t,
  language,
  baseURL,
}) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  await subscribe(reader, page, t, newsletter)
  const publication = await publish(page, baseURL, newsletter, 'everywhere')
  await visit(page, `/publish/${publication.id}`)
  await page.goto(`/publish/${publication.id}/deliveries`)
  await expect(page.getByText(t('publish.state.one.accepted'), { exact: true })).toBeVisible()
  await look(page, 'deliveries')
})

test('nothing serious stands in the way of who adds a relay', async ({ page, t, language, baseURL }) => {
  await createNewsletter(page, baseURL, language)
  await page.goto('/settings/relays')
  await page.getByRole('button', { name: t('relays.ui.add') }).click()
  await expect(page.getByLabel(t('relays.ui.host'))).toBeVisible()
  await look(page, 'a relay’s form')
})

test('nothing serious stands in the way of a reader', async ({ page, t, language, baseURL }) => {
  const newsletter = await createNewsletter(page, baseURL, language)
  const publication = await publish(page, baseURL, newsletter)
  for (const address of [
    newsletter.urls.archive,
    publication.url,
    `/sub/${newsletter.id}`,
    '/r/nothing',
    '/sub/nothing',
  ]) {
    await visit(page, address)
  }
  const email = uniqueAddress('reader')
  await requestSubscription(page, t, newsletter, email)
  await look(page, 'asked')
  await page.goto(linkIn(await readMail(page, newsletter.id, { to: email }), '/confirm/'))
  await look(page, 'confirm')
  await page.getByRole('button', { name: t('subscribers.page.confirm.button') }).click()
  await look(page, 'confirmed')
  await page.goto(await unsubAddress(page, newsletter, email))
  await look(page, 'unsubscribe')
  await page.getByRole('button', { name: t('subscribers.page.leave.button') }).click()
  await look(page, 'unsubscribed')
})

async function unsubAddress(page: Page, newsletter: Newsletter, email: string): Promise<string> {
  const answer = await page.request.get(
    `/api/newsletters/${newsletter.id}/subscribers?search=${encodeURIComponent(email)}`,
  )
  const { rows } = (await answer.json()) as { rows: { id: string }[] }
  return `/unsub/${newsletter.id}/${rows[0]?.id}`
}

async function visit(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await look(page, address)
}

/** The owner app follows a change of scheme a moment later, and colours then travel; axe must not look in between. */
async function repainted(page: Page, scheme: 'light' | 'dark'): Promise<void> {
  const follows = `html:not([data-mantine-color-scheme]), html[data-mantine-color-scheme="${scheme}"]`
  await expect(page.locator(follows)).toHaveCount(1)
  await page.evaluate(() => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
    return Promise.allSettled(ending.map(({ finished }) => finished))
  })
}

/** What axe finds serious or critical, by day and by night; colours are the same in both languages. */
async function look(page: Page, name: string): Promise<void> {
  await expect(page.getByRole('main').first()).toBeVisible()
  await expect(page.getByRole('status', { name: /…$/ })).toHaveCount(0)
  const french = (await page.locator('html').getAttribute('lang')) === 'fr'
  for (const colorScheme of french ? (['light'] as const) : (['light', 'dark'] as const)) {
    await page.emulateMedia({ colorScheme })
    await repainted(page, colorScheme)
    const { violations } = await new AxeBuilder({ page }).analyze()
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    const found = serious.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target}: ${failureSummary}`),
    )
    expect.soft(found, `${name}, ${colorScheme}`).toEqual([])
  }
}
