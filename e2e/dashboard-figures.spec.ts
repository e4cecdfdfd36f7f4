import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { demoOwner } from '../server/seed/owner.ts'
import { copyMadeDataFolder } from '../server/testing/made-data-folder.ts'
import type { Translate } from '../server/translator.ts'
import { expect, test } from './fixtures.ts'
import { type RunningServer, seedServer, startServer } from './server.ts'

// Sales, sponsors and months of sendings are those of the demo, which one worker writes once.
test.describe.configure({ mode: 'default' })

let server: RunningServer
const dataDir = mkdtempSync(join(tmpdir(), 'tirage-figures-'))

test.beforeAll(async () => {
  test.setTimeout(300_000)
  copyMadeDataFolder(dataDir)
  await seedServer(dataDir, 400)
  server = await startServer(dataDir)
})
test.afterAll(async () => {
  await server?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

test.beforeEach(async ({ page }) => {
  const headers = { origin: server.url }
  const signedIn = await page.request.post(`${server.url}/api/auth/sign-in/email`, { data: demoOwner, headers })
  expect(signedIn.ok(), await signedIn.text()).toBe(true)
  const { newsletters } = (await (await page.request.get(`${server.url}/api/newsletters`)).json()) as {
    newsletters: { id: string; handle: string }[]
  }
  const id = newsletters.find(({ handle }) => handle === 'low-water')?.id ?? ''
  await page.addInitScript((newsletter) => localStorage.setItem('newsletter', newsletter), id)
})

const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

type Chart = 'growth' | 'engagement' | 'publications' | 'links' | 'sources' | 'revenue'
type Line = Record<string, string>

/** The file of a chart as a spreadsheet of the person's language reads it, each line by the names of its columns. */
async function fileOf(page: Page, t: Translate, chart: Chart): Promise<Line[]> {
  const name = t('ui.downloadChart', { chart: t(`dashboard.charts.${chart}`) })
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name, exact: true }).click()
  const text = (await Array.fromAsync(await (await download).createReadStream())).join('')
  const isFrench = text.split('\n')[0]?.includes(';')
  const cells = isFrench ? /("(?:[^"]|"")*"|[^;]*)(?:;|$)/g : /("(?:[^"]|"")*"|[^,]*)(?:,|$)/g
  const [columns = [], ...lines] = text
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split('\n')
    .map((line) =>
      [...line.matchAll(cells)].map(([, value = '']) => {
        const text = value.replaceAll(/^"|"$/g, '')
        return isFrench ? text.replace(/^(-?\d+),(\d+)$/, '$1.$2') : text
      }),
    )
  return lines.map((line) => Object.fromEntries(columns.map((column, at) => [column, line[at] ?? ''])))
}

/** A sum as the page writes it: whole ones without cents. */
function moneyIn(currency: string, locale: string | undefined): (units: number) => string {
  const fraction = {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
    trailingZeroDisplay: 'stripIfInteger',
  } as const
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    ...fraction,
  })
  return (units) => format.format(units).replace('-', '−')
}

const sum = (lines: Line[], column: string) => lines.reduce((total, line) => total + Number(line[column]), 0)
const rate = (share: number, locale: string | undefined) => {
  const digits = share > 0 && share < 0.01 ? 2 : 1
  const format = {
    style: 'percent',
    minimumFractionDigits: share === 0 ? 0 : digits,
    maximumFractionDigits: digits,
  } as const
  return new Intl.NumberFormat(locale, format).format(share)
}

test('the picture of how the last publication travelled has its numbers and their shares', async ({
  page,
  t,
  locale,
}) => {
  await page.goto(`${server.url}/dashboard`)
  const travel = part(page, t('dashboard.travel.title'))
  const steps = travel.getByRole('listitem')
  await expect(steps).toHaveCount(4)
  const title = (await travel.getByRole('link').textContent()) ?? ''
  const [last] = (await fileOf(page, t, 'publications')).filter((line) => line.title === title)
  if (!last) throw new Error(`the file has no publication “${title}”`)
  const accepted = Number(last.accepted)
  expect(accepted).toBeGreaterThan(0)
  for (const [at, column] of (['accepted', 'opens', 'people', 'unsubscribes'] as const).entries()) {
    const count = Number(last[column])
    await expect(steps.nth(at)).toContainText(new Intl.NumberFormat(locale).format(count))
    if (at > 0)
      await expect(steps.nth(at)).toContainText(t('dashboard.travel.share', { share: rate(count / accepted, locale) }))
    // A bar is as long as its share of what was accepted.
    const bar = steps.nth(at).locator('i')
    const [own, whole] = [await bar.boundingBox(), await bar.locator('..').boundingBox()]
    expect((own?.width ?? 0) / (whole?.width ?? 1)).toBeCloseTo(count / accepted, 1)
  }
  await travel.getByRole('link').click()
  await expect(page.getByRole('heading', { name: title })).toBeVisible()
})

test('revenue is what subscriptions and sponsors brought, and its file has the same sums', async ({
  page,
  t,
  locale,
}) => {
  await page.goto(`${server.url}/dashboard`)
  const revenue = part(page, t('dashboard.charts.revenue'))
  const file = await fileOf(page, t, 'revenue')
  for (const kind of ['subscriptions', 'bookings'] as const) {
    const shown = revenue.locator(`div[data-kind="${kind}"]`)
    await expect(shown.getByRole('term')).toHaveText(t(`dashboard.income.${kind}`))
    const sums = shown.getByRole('definition')
    const ofKind = (span: string) => file.filter((line) => line.span === span && line.kind === kind)
    const currencies = [...new Set([...ofKind('range'), ...ofKind('before')].map(({ currency }) => currency))]
    expect(currencies.length).toBeGreaterThan(0)
    await expect(sums).toHaveCount(currencies.length)
    for (const [at, currency] of currencies.entries()) {
      const of = (span: string) => ofKind(span).filter((line) => line.currency === currency)
      const [now, before] = [sum(of('range'), 'net'), sum(of('before'), 'net')]
      const money = moneyIn(currency ?? '', locale)
      const way = now === before ? 'same' : now > before ? 'more' : 'less'
      await expect(sums.nth(at).locator('b')).toHaveText(money(now))
      await expect(sums.nth(at)).toContainText(
        t(`dashboard.before.sums.${way}`, { value: money(before), n: money(Math.abs(now - before)) }),
      )
      const booked = sum(of('range'), 'booked')
      if (booked > 0) await expect(sums.nth(at)).toContainText(t('dashboard.booked', { sum: money(booked) }))
      // The points of its line add up to the sum beside it.
      const parts = of('part')
      if (parts.length > 0) expect(sum(parts, 'net')).toBeCloseTo(now, 2)
      if (parts.length > 0)
        await expect(sums.nth(at).locator('polyline')).toHaveAttribute('points', pointsOf(parts.length))
    }
  }
})

const pointsOf = (count: number) => new RegExp(`^(\\S+,\\S+ ){${count - 1}}\\S+,\\S+$`)

test('each figure under the chart has a line in miniature, a point for each day on which something was accepted', async ({
  page,
  t,
  locale,
}) => {
  await page.goto(`${server.url}/dashboard`)
  const days = (await fileOf(page, t, 'engagement')).filter(({ accepted }) => Number(accepted) > 0)
  expect(days.length).toBeGreaterThan(2)
  const columns = { opens: 'opens', humanClicks: 'people', unsubscribes: 'unsubscribes', failed: 'failed' } as const
  const number = new Intl.NumberFormat(locale)
  for (const [name, column] of Object.entries(columns)) {
    const term = page
      .getByRole('term')
      .filter({ hasText: new RegExp(`^${t(`dashboard.${name as keyof typeof columns}`)}$`) })
    const card = term.locator('..')
    await expect(card.locator('polyline')).toHaveAttribute('points', pointsOf(days.length))
    const outOf = sum(days, 'accepted') + (name === 'failed' ? sum(days, 'failed') : 0)
    await expect(card).toContainText(rate(sum(days, column) / outOf, locale))
    if (name === 'failed') await expect(card).toContainText(number.format(outOf))
  }
})

test('top links, sources and subscribers by day are in their files as they are on the page', async ({
  page,
  t,
  locale,
}) => {
  await page.goto(`${server.url}/dashboard`)
  for (const [chart, now] of [
    ['links', 'human'],
    ['sources', 'joined'],
  ] as const) {
    const rows = part(page, t(`dashboard.charts.${chart}`)).getByRole('listitem')
    const file = await fileOf(page, t, chart)
    expect(file.length).toBeGreaterThan(1)
    await expect(rows).toHaveCount(file.length)
    for (const [at, line] of file.entries()) {
      const row = rows.nth(at)
      await expect(row.locator('b')).toHaveText(new Intl.NumberFormat(locale).format(Number(line[now])))
      const before = Number(line[`${now}_before`])
      const difference = Number(line[now]) - before
      const way = difference === 0 ? 'same' : difference > 0 ? 'more' : 'less'
      const number = new Intl.NumberFormat(locale)
      const compared = { value: number.format(before), n: number.format(Math.abs(difference)) }
      await expect(row).toContainText(
        before === 0 ? t('dashboard.before.none') : t(`dashboard.before.counts.${way}`, compared),
      )
    }
  }
  const growth = await fileOf(page, t, 'growth')
  const chart = page.getByRole('img', {
    name: new Intl.NumberFormat(locale).format(Number(growth.at(-1)?.subscribers)),
  })
  const joined = page.getByRole('term').filter({ hasText: new RegExp(`^${t('dashboard.joined')}$`) })
  await expect(joined.locator('~ dd')).toHaveText(
    new RegExp(`^${new Intl.NumberFormat(locale).format(sum(growth, 'joined'))}`),
  )
  await expect(chart).toBeVisible()
})

test('own days are shown beside as many before; days that are no range are said so, and leave what is shown', async ({
  page,
  t,
}) => {
  await page.goto(`${server.url}/dashboard`)
  await page
    .getByRole('radiogroup', { name: t('dashboard.period') })
    .getByText(t('dashboard.span.dates'))
    .click()
  const [from, to] = [
    page.getByLabel(t('dashboard.from'), { exact: true }),
    page.getByLabel(t('dashboard.to'), { exact: true }),
  ]
  const last = await to.inputValue()
  const daysAgo = (days: number) => new Date(Date.parse(last) - days * 86_400_000).toISOString().slice(0, 10)
  await from.fill(daysAgo(19))
  await to.fill(daysAgo(10))
  await expect(page).toHaveURL(new RegExp(`from=${daysAgo(19)}&to=${daysAgo(10)}$`))
  // What was shown before stays, with its files, until the new days have come.
  const growthFile = page.getByRole('link', {
    name: t('ui.downloadChart', { chart: t('dashboard.charts.growth') }),
  })
  await expect(growthFile).toHaveAttribute('href', new RegExp(`(?=.*from=${daysAgo(19)})(?=.*to=${daysAgo(10)})`))
  const growth = await fileOf(page, t, 'growth')
  expect([growth.length, growth[0]?.day, growth.at(-1)?.day]).toEqual([10, daysAgo(19), daysAgo(10)])
  const revenue = await fileOf(page, t, 'revenue')
  const spans = new Set(
    revenue.filter(({ span }) => span !== 'part').map(({ span, from, to }) => `${span} ${from} ${to}`),
  )
  expect([...spans].toSorted()).toEqual([`before ${daysAgo(29)} ${daysAgo(20)}`, `range ${daysAgo(19)} ${daysAgo(10)}`])
  await to.fill(daysAgo(25))
  await expect(page.getByText(t('dashboard.noRange'))).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`to=${daysAgo(10)}$`))
  expect((await fileOf(page, t, 'growth')).at(-1)?.day).toBe(daysAgo(10))
  // The address alone says which days are meant.
  await page.reload()
  await expect(from).toHaveValue(daysAgo(19))
  await expect(page.getByText(t('dashboard.noRange'))).toBeHidden()
  await page
    .getByRole('radiogroup', { name: t('dashboard.period') })
    .getByText(t('dashboard.span.all'))
    .click()
  await expect(page).toHaveURL(/range=all$/)
  const sourcesFile = page.getByRole('link', {
    name: t('ui.downloadChart', { chart: t('dashboard.charts.sources') }),
  })
  await expect(sourcesFile).toHaveAttribute('href', /from=first/)
  await expect(page.getByText(t('dashboard.before.nothing'))).toHaveCount(0)
  expect((await fileOf(page, t, 'sources')).every((line) => line.joined_before === '')).toBe(true)
  // Own days begin with those that are shown.
  const whole = await fileOf(page, t, 'growth')
  await page
    .getByRole('radiogroup', { name: t('dashboard.period') })
    .getByText(t('dashboard.span.dates'))
    .click()
  await expect(from).toHaveValue(String(whole[0]?.day))
})
