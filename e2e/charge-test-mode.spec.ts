import type { z } from 'zod'
import type { readConnection } from '../server/charge/stripe/contract.ts'
import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'

const at = '2026-11-20T03:00:00.000Z'
const connected: z.infer<typeof readConnection.reply> = {
  connection: {
    ...{ test: true, key: 'rk_test_…w9Fh', account: null, missing: [], automaticTax: false, taxIdCollection: false },
    ...{ connectedAt: at, checkedAt: at, lastEventAt: at },
  },
  testSubscriptions: 0,
  webhookUrl: 'https://news.example.org/stripe/1',
  reachable: true,
}

test('with a test key every page of Charge says so, and no other page does', async ({ page, t, language, baseURL }) => {
  await createNewsletter(page, baseURL, language)
  await page.route('**/api/**/charge/stripe', (route) => route.fulfill({ json: connected }))
  const band = page.getByRole('complementary').filter({ hasText: t('stripe.band.strong') })
  for (const path of ['', '/plans', '/payments', '/stripe', '/stripe/said', '/figures', '/plans/new']) {
    await page.goto(`/charge${path}`)
    await expect(band).toBeVisible()
  }
  await page.getByRole('link', { name: t('stripe.band.live') }).click()
  await expect(page.getByRole('heading', { name: t('shell.titles.stripe'), level: 1 })).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(band).toHaveCount(0)
})
