import type { z } from 'zod'
import type { getChargeFigures } from '../server/charge/figures/contract.ts'
import { expect, test } from './fixtures.ts'
import { createNewsletter } from './owners.ts'

type Figures = z.infer<typeof getChargeFigures.reply>

const months = [
  ...['2025-12-01', '2026-01-01', '2026-02-01', '2026-03-01', '2026-04-01', '2026-05-01'],
  ...['2026-06-01', '2026-07-01', '2026-08-01', '2026-09-01', '2026-10-01', '2026-11-01'],
]

/** Half a year of somebody who sells, and the one before: sums of a year, in cents. */
function answer(): Figures {
  let end = 250_000
  const points = months.map((since, index) => {
    const moved = {
      ...{ new: 80_000 + index * 9_000, expansion: index * 2_400, reactivation: index > 3 ? 7_200 : 0 },
      ...{ contraction: index > 4 ? -5_400 : 0, churn: -3_600 * index },
    }
    end += moved.new + moved.expansion + moved.reactivation + moved.contraction + moved.churn
    return { since, ...moved, end }
  })
  const half = (part: typeof points, begin: number) => {
    const sum = (kind: 'new' | 'expansion' | 'reactivation' | 'contraction' | 'churn') =>
      part.reduce((total, point) => total + point[kind], 0)
    const total = {
      ...{ new: sum('new'), expansion: sum('expansion'), reactivation: sum('reactivation') },
      ...{ contraction: sum('contraction'), churn: sum('churn') },
    }
    const last = part.at(-1)?.end ?? 0
    return { points: part, begin, end: last, total, payingBegin: 141, payingEnd: 230, lost: 0.039 }
  }
  const none = { paid: 0, late: 0, leaving: 0, outside: 0, trial: 0, paused: 0, complimentary: 0, gift: 0 }
  const membership = { planId: 1, names: { en: 'Membership', fr: 'Adhésion' } }
  const euros = {
    currency: 'eur',
    payments: 412,
    paid: 506_400,
    refunds: 5,
    refunded: -7_800,
    disputes: 1,
    disputed: -5_400,
  }
  const pounds = { currency: 'gbp', payments: 60, paid: 60_500, refunds: 0, refunded: 0, disputes: 0, disputed: 0 }
  const money = [
    { ...euros, tax: 83_000, fee: 15_229, feesToCome: 2, net: 483_371 },
    { ...pounds, tax: 0, fee: 2_533, feesToCome: 0, net: 57_967 },
  ]
  return {
    range: { from: '2026-06-01', to: '2026-11-30' },
    before: { from: '2025-12-01', to: '2026-05-31' },
    by: 'month',
    currency: 'eur',
    currencies: ['eur', 'gbp'],
    recurringEnds: [{ currency: 'eur', yearly: points.at(-1)?.end ?? 0 }],
    recurring: half(points.slice(6), points[5]?.end ?? 0),
    recurringBefore: half(points.slice(0, 6), 250_000),
    plans: [
      { ...none, ...membership, period: 'year', paid: 130, late: 4, leaving: 3, outside: 5, change: 61 },
      { ...none, ...membership, period: 'month', paid: 76, trial: 12, change: 26 },
      {
        ...none,
        planId: 2,
        names: { en: 'Patron', fr: 'Mécénat' },
        period: 'year',
        paid: 19,
        complimentary: 31,
        change: 9,
      },
    ],
    trials: { begun: 64, finished: 52, paying: 37, rate: 37 / 52 },
    trialsBefore: { begun: 30, finished: 30, paying: 20, rate: 2 / 3 },
    money,
    moneyBefore: [],
    givenBack: [
      { kind: 'refund', at: '2026-11-19T10:00:00.000Z', amount: -600, name: 'Chloé Delorme' },
      { kind: 'dispute', at: '2026-11-02T10:00:00.000Z', amount: -5_400, name: null },
    ],
    publications: [{ origin: 'p1', title: 'Le port qui attend', number: 12, sales: 9, amount: 34_200 }],
    sources: [
      { origin: 'page', sales: 52, amount: 164_400 },
      { origin: null, sales: 13, amount: 52_200 },
    ],
  }
}

test('an owner follows the recurring revenue over any range, by keyboard and on a phone', async ({
  page,
  t,
  language,
  baseURL,
}) => {
  await createNewsletter(page, baseURL, language)
  const asked: URLSearchParams[] = []
  await page.route('**/charge/figures?*', (route) => {
    asked.push(new URL(route.request().url()).searchParams)
    return route.fulfill({ json: answer() })
  })
  await page.goto('/charge')
  await page.getByRole('link', { name: t('shell.titles.figures'), exact: true }).click()
  await expect(page.getByRole('heading', { name: t('shell.titles.figures'), level: 1 })).toBeVisible()
  const table = page.getByRole('table').first()
  const last = table.getByRole('row').last()
  await expect(last.getByRole('rowheader')).toHaveText(t('figures.end.month'))
  const expected = answer().recurring.end / 1200
  const shown = new Intl.NumberFormat(language === 'fr' ? 'fr-FR' : 'en-GB', { maximumFractionDigits: 0 }).format(
    expected,
  )
  await expect(last).toContainText(shown)
  await expect(page.getByText(t('figures.gaveBack.dispute'), { exact: true })).toBeVisible()

  const refunds = t('figures.refunds', { count: 5, number: '5' })
  const dispute = t('figures.disputes', { count: 1, number: '1' })
  const back = new Intl.ListFormat(language).format([refunds, dispute])
  await expect(page.getByText(t('figures.refundsOf', { count: 412, back, payments: '412' }))).toBeVisible()

  // One number of one name, and what of it the recurring revenue leaves out is said.
  await expect(page.getByText(t('figures.fact.paying'), { exact: true }).first().locator('..')).toContainText('237')
  await expect(
    page.getByText(t('figures.besideRecurring', { count: 237, paying: '237', recurring: '230' })),
  ).toBeVisible()

  // By the keyboard, from six months to a year.
  const half = page.getByRole('radio', { name: t('figures.preset.6') })
  await half.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => asked.at(-1)?.get('from')).toMatch(/-01$/)
  await expect(page.getByRole('radio', { name: t('figures.preset.12') })).toBeChecked()
  await page.getByText(t('figures.preset.dates'), { exact: true }).click()
  await page.getByLabel(t('figures.from'), { exact: true }).fill('2026-03-01')
  await page.getByLabel(t('figures.to'), { exact: true }).fill('2026-03-20')
  await expect
    .poll(() => Object.fromEntries(asked.at(-1) ?? []))
    .toMatchObject({ from: '2026-03-01', to: '2026-03-20', by: 'day' })
  const links = await page.getByRole('link', { name: t('figures.charts.sources') }).getAttribute('href')
  expect(links).toContain('figures.csv?chart=sources')

  await page.setViewportSize({ width: 390, height: 844 })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  }
})
