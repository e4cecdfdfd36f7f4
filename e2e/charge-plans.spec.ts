import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'
import { takeCards } from './plans.ts'
import { uniqueAddress } from './unique-address.ts'

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

test('a sum entered by hand that equals a price counts as that price, and what is wrong is said where it is', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  const headers = { origin: baseURL ?? '' }
  const api = `/api/newsletters/${id}/charge`
  const prices = [
    { currency: 'eur', period: 'year', amount: 4500 },
    { currency: 'eur', period: 'month', amount: 500 },
  ]
  const words = { [language]: { name: 'Supporter', promise: '' } }
  await page.request.post(`${api}/plans`, { data: { words, prices }, headers })
  await page.goto('/charge/subscriptions')
  await page.getByRole('button', { name: t('plans.outside.byHand') }).click()
  const dialog = page.getByRole('dialog')
  const enter = dialog.getByRole('button', { name: t('plans.enter.button'), exact: true })
  const paidAt = dialog.getByLabel(t('plans.enter.paidAt'))
  const until = dialog.getByLabel(t('plans.enter.until'))
  await dialog.getByLabel(t('plans.enter.email')).fill(uniqueAddress('equal'))
  await dialog.getByLabel(t('plans.enter.amount')).fill('45')
  const today = await paidAt.inputValue()
  await paidAt.fill('2099-01-01')
  await enter.click()
  await expect(paidAt).toHaveAccessibleDescription(t('errors.fields.day_ahead'))
  await expect(until).not.toHaveAttribute('aria-invalid')
  await paidAt.fill(today)
  await until.fill('2020-01-01')
  await enter.click()
  await expect(until).toHaveAccessibleDescription(new RegExp(t('errors.fields.day_past')))
  await until.fill('2099-01-01')
  await enter.click()
  await expect(dialog).toBeHidden()
  const { rows } = (await (await page.request.get(`${api}/subscriptions`)).json()) as { rows: unknown[] }
  expect(rows).toMatchObject([{ period: 'year', amount: 4500 }])

  await page.goto('/charge/plans')
  await page.getByRole('button', { name: t('gifts.make'), exact: true }).click()
  const months = page.getByLabel(t('gifts.months'))
  await months.fill('0')
  await page.getByLabel(t('gifts.count')).fill('0')
  await page
    .getByRole('button', { name: t('gifts.make'), exact: true })
    .last()
    .click()
  await expect(months).toHaveAccessibleDescription(t('errors.fields.at_least', { count: 1 }))
  expect((await (await page.request.get(`${api}/gifts`)).json()).rows).toEqual([])
})

test('whoever has the plan already is said to, with its end, and goes on behind it', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  const { id } = await createNewsletter(page, baseURL, language)
  const headers = { origin: baseURL ?? '' }
  const api = `/api/newsletters/${id}/charge`
  const prices = [{ currency: 'eur', period: 'year', amount: 4500 }]
  const words = { [language]: { name: 'Supporter', promise: '' } }
  await page.request.post(`${api}/plans`, { data: { words, prices }, headers })
  const email = uniqueAddress('twice')
  await page.goto('/charge/subscriptions')
  const dialog = page.getByRole('dialog')
  const enter = dialog.getByRole('button', { name: t('plans.enter.button'), exact: true })
  const until = dialog.getByLabel(t('plans.enter.until'))
  const begin = async () => {
    await page.getByRole('button', { name: t('plans.outside.byHand') }).click()
    await dialog.getByLabel(t('plans.enter.email')).fill(email)
  }
  await begin()
  const first = await until.inputValue()
  await enter.click()
  await expect(dialog).toBeHidden()
  await begin()
  await enter.click()
  await expect(dialog.getByRole('alert')).toContainText(email)
  await expect(dialog.getByRole('radio', { name: t('plans.enter.behind') })).toBeChecked()
  await expect(until).toHaveValue(`${Number(first.slice(0, 4)) + 1}${first.slice(4)}`)
  await enter.click()
  await expect(dialog).toBeHidden()
  const { rows } = (await (await page.request.get(`${api}/subscriptions`)).json()) as { rows: unknown[] }
  expect(rows).toHaveLength(1)
  await begin()
  await enter.click()
  // The end was moved for who goes on, and for nobody else.
  await expect(until).toHaveValue(`${Number(first.slice(0, 4)) + 2}${first.slice(4)}`)
  await dialog.getByRole('radio', { name: t('plans.enter.beside') }).check()
  await expect(until).toHaveValue(first)
  await dialog.getByRole('radio', { name: t('plans.enter.behind') }).check()
  await expect(until).toHaveValue(`${Number(first.slice(0, 4)) + 2}${first.slice(4)}`)
  await dialog.getByLabel(t('plans.enter.email')).fill(uniqueAddress('fresh'))
  await expect(until).toHaveValue(first)
  await dialog.getByLabel(t('plans.enter.email')).fill(email)
  await enter.click()
  await dialog.getByRole('radio', { name: t('plans.enter.beside') }).check()
  await enter.click()
  await expect(dialog).toBeHidden()
  await page.goto('/charge/plans')
  await expect(page.getByText(t('plans.subscribers', { count: 1, n: '1' }))).toBeVisible()
})
