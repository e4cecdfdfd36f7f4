import type { z } from 'zod'
import { type Range, rangesOfParts } from '../charge/figures/range.ts'
import { digitsOf } from '../charge/money.ts'
import { AppError } from '../errors.ts'
import type { Compared } from './compare.ts'
import type { PublicationResult } from './contract.ts'
import type { DashboardFigures } from './figures.ts'
import type { Highlights } from './highlights.ts'

type Rows = (string | number | null)[][]

// The names of columns are those of the API in every language, for programs.

export const growthRows = ({ growth }: Pick<DashboardFigures, 'growth'>): Rows => [
  ['day', 'subscribers', 'joined', 'left'],
  ...growth.map(({ day, subscribers, joined, departed }) => [day, subscribers, joined, departed]),
]

export const engagementRows = ({ engagement }: Pick<DashboardFigures, 'engagement'>): Rows => [
  ['day', 'publications', 'mailed', 'accepted', 'failed', 'opens', 'clicks', 'human_clicks', 'people', 'unsubscribes'],
  ...engagement.map(({ day, publications, mailed, accepted, failed, opens, clicks, unsubscribes }) => [
    ...[day, publications, mailed, accepted, failed, opens],
    ...[clicks.raw, clicks.human, clicks.people, unsubscribes],
  ]),
]

export const publicationRows = (results: z.infer<typeof PublicationResult>[]): Rows => [
  [
    'publication',
    'number',
    'title',
    'at',
    'accepted',
    'caught',
    'failed',
    'opens',
    'clicks',
    'human_clicks',
    'people',
    'unsubscribes',
  ],
  ...results.map(({ id, number, title, at, counts, opens, clicks, unsubscribes }) => [
    ...[id, number, title, at, counts.accepted, counts.caught, counts.failed],
    ...[opens, clicks.raw, clicks.human, clicks.people, unsubscribes],
  ]),
]

/** @throws AppError forbidden for links that the caller may not read */
export function linkRows({ links }: Highlights): Rows {
  if (!links) throw new AppError('forbidden')
  return [
    ['link', 'name', 'target', 'publication', 'raw', 'human', 'raw_before', 'human_before'],
    ...links.map(({ id, name, target, publication, raw, human, before }) => [
      ...[id, name, target, publication?.title ?? null, raw, human],
      ...[before?.raw ?? null, before?.human ?? null],
    ]),
  ]
}

export const sourceRows = ({ sources }: Highlights): Rows => [
  ['source', 'joined', 'joined_before'],
  ...sources.map(({ source, joined, joinedBefore }) => [source, joined, joinedBefore]),
]

type Income = NonNullable<Highlights['subscriptions'] | Highlights['bookings']>
type Sum = Income['now'][number] & { booked?: number }

/** Sums in the unit of each currency, such as 12.5. The column `span` keeps the parts from being added to the range that they make up. */
export function revenueRows({ range, before, subscriptions, bookings }: Highlights): Rows {
  const kinds = Object.entries({ subscriptions, bookings }).flatMap(([kind, income]) =>
    income === null ? [] : [{ kind, income }],
  )
  const of = (span: 'before' | 'range', days: Range | null) =>
    days === null
      ? []
      : kinds.flatMap(({ kind, income }) =>
          (span === 'range' ? income.now : income.before).map(({ currency, net, booked }: Sum) => [
            ...[span, days.from, days.to, kind, currency, sumOf(net, currency)],
            booked === undefined ? null : sumOf(booked, currency),
          ]),
        )
  return [
    ['span', 'from', 'to', 'kind', 'currency', 'net', 'booked'],
    ...of('before', before),
    ...of('range', range),
    ...kinds.flatMap(({ kind, income }) => partRows(range, kind, income.parts)),
  ]
}

/** What was agreed is of the whole range alone. */
const partRows = (range: Range, kind: string, parts: Income['parts']): Rows =>
  parts.flatMap(({ currency, nets }) =>
    rangesOfParts(range).map(({ from, to }, part) => [
      ...['part', from, to, kind, currency, sumOf(nets[part] ?? 0, currency)],
      null,
    ]),
  )

/** The range before stands above the range. Revenue is of the range alone, in a column for each currency. */
export function comparisonRows(newsletters: Compared[]): Rows {
  const currencies = [...new Set(newsletters.flatMap(({ revenue }) => (revenue ?? []).map(({ currency }) => currency)))]
  const inUnits = ({ revenue }: Compared, currency: string) =>
    revenue && sumOf(revenue.find((sum) => sum.currency === currency)?.net ?? 0, currency)
  const counted = (figures: Compared['figures']) => {
    const { joined, departed, publications, mailed, accepted, opens, clicks, unsubscribes } = figures
    return [
      ...[joined, departed, publications, mailed, accepted, opens],
      ...[clicks.raw, clicks.human, clicks.people, unsubscribes],
    ]
  }
  const lines = newsletters.flatMap((each) => {
    const { id, name, range, before, active, figures, figuresBefore } = each
    const now = [id, name, range.from, range.to, active, ...counted(figures)]
    const was = before && figuresBefore && [id, name, before.from, before.to, null, ...counted(figuresBefore)]
    return [
      ...(was ? [[...was, ...currencies.map(() => null)]] : []),
      [...now, ...currencies.map((currency) => inUnits(each, currency))],
    ]
  })
  return [
    [
      ...['newsletter', 'name', 'from', 'to', 'subscribers', 'joined', 'left', 'publications', 'mailed'],
      ...['accepted', 'opens', 'clicks', 'human_clicks', 'people', 'unsubscribes'],
      ...currencies.map((currency) => `revenue_${currency}`),
    ],
    ...lines,
  ]
}

const sumOf = (amount: number, currency: string) => amount / 10 ** digitsOf(currency)
