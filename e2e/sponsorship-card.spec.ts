import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { copyMadeDataFolder } from '../server/testing/made-data-folder.ts'
import { startStripe } from '../server/testing/stripe/stand-in.ts'
import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'
import { startServer } from './server.ts'

test('a sponsor pays by card on their own page; what has no slot is due, and is given back by a press', async ({
  browser,
  t,
  language,
  locale,
}) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tirage-e2e-sponsor-card-'))
  copyMadeDataFolder(dataDir)
  const stripe = await startStripe()
  const server = await startServer(dataDir, { STRIPE_API: stripe.url })
  try {
    const baseURL = server.url
    const context = () => browser.newContext({ baseURL, ...(locale && { locale }) })
    const page = await (await context()).newPage()
    const sponsor = await (await context()).newPage()
    const newsletter = await createNewsletter(page, baseURL, language)
    const call = async (method: 'POST' | 'PUT', path: string, data: unknown) => {
      const url = `/api/newsletters/${newsletter.id}${path}`
      const answer = await page.request.fetch(url, { method, data, headers: { origin: baseURL } })
      expect(answer.ok(), await answer.text()).toBe(true)
      return answer.json()
    }
    const account = stripe.addAccount()
    await call('PUT', '/charge/stripe', { key: account.key })
    const words = { [language]: { name: 'Middle', disclosure: 'From our sponsor' } }
    const placement = await call('POST', '/sponsorship/placements', { words, place: 'middle', maxWords: 40 })
    const day = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10)
    await call('PUT', '/sponsorship/days', { day, kind: 'added' })
    const agreed = { contact: '', email: null, language, note: '', currency: 'eur', amount: 41_000 }
    const book = (name: string) =>
      call('POST', '/sponsorship/bookings', { ...agreed, sponsor: name, placementId: placement.id, day })
    const own = async (id: string) => (await call('POST', `/sponsorship/bookings/${id}/link`, {})).url
    await sponsor.route(`${stripe.url}/**`, (route) => route.fulfill({ body: 'Stripe' }))
    const goToStripe = async (id: string) => {
      await sponsor.goto(await own(id))
      await expect(sponsor.getByText(t('readers.testBand'))).toBeVisible()
      await sponsor.getByRole('button', { name: t('sponsors.own.pay.title') }).click()
      await sponsor.waitForURL(`${stripe.url}/**`)
      return sponsor.url().split('/c/pay/')[1] ?? ''
    }
    const hear = () =>
      stripe.deliver(account, {
        post: async ({ url, body, signature }) => {
          const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
          return (await fetch(url, { method: 'POST', headers, body })).status
        },
      })

    // The first goes to Stripe, and its booking is cancelled here meanwhile; the second has the slot then.
    const first = await book('Halyard Books')
    const session = await goToStripe(first.id)
    stripe.pay(account, session)
    await call('POST', `/sponsorship/bookings/${first.id}/acts`, { act: 'cancel', words: '' })
    const second = await book('Kelp & Rye')
    const open = await goToStripe(second.id)
    await sponsor.goto(`${await own(second.id)}?said=not_paid`)
    await expect(sponsor.getByText(t('sponsors.own.notice.not_paid'))).toBeVisible()
    stripe.pay(account, open)
    await hear()
    await expect(async () => {
      await sponsor.goto(`${await own(second.id)}?said=paying`)
      await expect(sponsor.getByText(t('sponsors.own.notice.paid'))).toBeVisible({ timeout: 500 })
    }).toPass()
    await sponsor.goto(await own(first.id))
    await expect(sponsor.getByText(t('sponsors.own.state.owed'))).toBeVisible()
    expect(await faultsOf(sponsor)).toEqual([])
    await page.goto('/advertise')
    await page
      .getByRole('link', { name: /Halyard Books/ })
      .first()
      .click()
    const card = page.getByRole('region', { name: t('sponsorship.card.title') })
    await expect(card.getByText(t('sponsorship.card.owedMark'), { exact: true })).toBeVisible()
    expect(await faultsOf(page)).toEqual([])
    await card.getByRole('button', { name: t('plans.giveBack.button') }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: t('plans.giveBack.confirm') })
      .click()
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(card.getByText(t('sponsorship.card.owedMark'), { exact: true })).toBeHidden()
    await expect(page.getByText(t('sponsorship.happened.refund_owed'))).toBeVisible()
    expect(account.world.all('refund').map(({ amount }) => amount)).toEqual([41_000])

    await page.goto('/charge/payments')
    await expect(page.getByRole('link', { name: 'Kelp & Rye' })).toBeVisible()
    await expect(page.getByText(t('plans.payments.sponsorship')).first()).toBeVisible()
  } finally {
    await server.stop()
    stripe.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
})

/** What keeps people from using a page, as axe sees it. */
async function faultsOf(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  return serious.map(({ id, nodes }) => `${id} at ${nodes.map(({ html }) => html).join(', ')}`)
}
