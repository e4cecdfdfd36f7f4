import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyMadeDataFolder } from '../server/testing/made-data-folder.ts'
import { startStripe } from '../server/testing/stripe/stand-in.ts'
import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'
import { sellPlan } from './plans.ts'
import { startServer } from './server.ts'
import { ownPageOf } from './subscribers.ts'
import { uniqueAddress } from './unique-address.ts'

test('a reader pays by card, sees it on their own page, and cancels it there by two presses', async ({
  browser,
  t,
  language,
  locale,
}) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tirage-e2e-card-'))
  copyMadeDataFolder(dataDir)
  const stripe = await startStripe()
  const server = await startServer(dataDir, { STRIPE_API: stripe.url })
  try {
    const baseURL = server.url
    const context = () => browser.newContext({ baseURL, ...(locale && { locale }) })
    const page = await (await context()).newPage()
    const subscriber = await (await context()).newPage()
    const newsletter = await createNewsletter(page, baseURL, language)
    await sellPlan(page, baseURL, newsletter.id)
    const account = stripe.addAccount()
    const connected = await page.request.put(`/api/newsletters/${newsletter.id}/charge/stripe`, {
      data: { key: account.key },
      headers: { origin: baseURL },
    })
    expect(connected.ok(), await connected.text()).toBe(true)

    const email = uniqueAddress('buyer')
    await subscriber.route(`${stripe.url}/**`, (route) => route.fulfill({ body: 'Stripe' }))
    await subscriber.goto(`/plans/${newsletter.id}`)
    await subscriber.getByText(t('stripe.page.tryIt')).click()
    await subscriber.getByLabel(t('stripe.page.email')).fill(email)
    await subscriber.getByRole('checkbox').check()
    await subscriber.getByRole('button', { name: t('stripe.page.go') }).click()
    await subscriber.waitForURL(`${stripe.url}/**`)
    const [session] = account.world.all('checkout.session')
    stripe.pay(account, session?.id ?? '')
    const hear = () =>
      stripe.deliver(account, {
        post: async ({ url, body, signature }) => {
          const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
          return (await fetch(url, { method: 'POST', headers, body })).status
        },
      })
    await hear()

    const own = subscriber.getByRole('region', { name: t('readers.own.title') })
    const link = await ownPageOf(email, { subscriber, owner: page, t, newsletter })
    await expect(async () => {
      await subscriber.goto(link)
      await expect(own).toContainText('Supporter', { timeout: 500 })
    }).toPass()
    await expect(own).toContainText('54')
    await own.getByText(t('readers.own.cancel'), { exact: true }).click()
    await own.getByLabel(t('readers.own.reason.unused')).check()
    await own.getByRole('button', { name: t('readers.own.cancelButton') }).click()
    await expect(own.getByRole('button', { name: t('readers.own.resume') })).toBeVisible()
    await expect(own).not.toContainText(t('readers.own.cancel'))
    const [subscription] = account.world.all('subscription')
    expect(subscription?.cancel_at_period_end).toBe(true)
  } finally {
    await server.stop()
    stripe.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
