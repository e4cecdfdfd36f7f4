import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'
import { takeCards } from './plans.ts'

test('an owner orders plans by keyboard and binds a coupon to one of them', async ({ page, t, language, baseURL }) => {
  const { id } = await createNewsletter(page, baseURL, language)
  const api = `/api/newsletters/${id}/charge/plans`
  const headers = { origin: baseURL ?? '' }
  for (const name of ['Membership', 'Patron', 'Library'])
    await page.request.post(api, { data: { words: { [language]: { name, promise: '' } } }, headers })
  const stored = async () => {
    const { plans } = (await (await page.request.get(api)).json()) as {
      plans: { words: Record<string, { name: string }> }[]
    }
    return plans.map(({ words }) => words[language]?.name)
  }
  await page.goto('/charge/plans')
  const up = page.getByRole('button', { name: t('plans.order.up', { name: 'Library' }) })
  const down = page.getByRole('button', { name: t('plans.order.down', { name: 'Library' }) })
  const late = Promise.withResolvers<void>()
  const order = '**/charge/plan-order'
  await page.route(order, (route) => late.promise.then(() => route.continue()), { times: 1 })
  await up.focus()
  await page.keyboard.press('Enter')
  await expect(
    page.getByRole('status').filter({ hasText: t('plans.order.moved', { name: 'Library', n: 2, all: 3 }) }),
  ).toHaveCount(1)
  await expect(up).toBeFocused()
  await page.keyboard.press('Enter')
  // At the top there is only the way down, so the keyboard is there.
  await expect(down).toBeFocused()
  await expect(up).toBeDisabled()
  // The second move was made before the server heard of the first.
  const first = page.waitForResponse(order)
  late.resolve()
  await first
  await expect.poll(stored).toEqual(['Library', 'Membership', 'Patron'])
  await page.reload()
  await expect(page.locator('main ul').first().getByRole('link')).toHaveText(['Library', 'Membership', 'Patron'])

  // Without Stripe a coupon could be used nowhere.
  await expect(page.getByText(t('plans.coupons.needsStripe'))).toBeVisible()
  await expect(page.getByRole('button', { name: t('plans.coupons.add') })).toHaveCount(0)
  await takeCards(page)
  await page.reload()
  await page.getByRole('button', { name: t('plans.coupons.add') }).click()
  await page.getByLabel(t('plans.coupons.code'), { exact: true }).fill('LOWTIDE')
  await page.getByLabel(t('plans.coupons.takesOff'), { exact: true }).fill('20')
  await page.getByRole('combobox', { name: t('plans.coupons.plan'), exact: true }).click()
  await page.getByRole('option', { name: 'Patron' }).click()
  await page.getByRole('button', { name: t('plans.coupons.make') }).click()
  const row = page.getByRole('row').filter({ hasText: 'LOWTIDE' })
  await expect(row).toContainText('Patron')
  await expect(row.getByRole('link', { name: 'LOWTIDE' })).toHaveAttribute('href', /^\/plans\/.+\?coupon=LOWTIDE$/)
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})
