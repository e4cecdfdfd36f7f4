import type { Readable } from 'node:stream'
import pg from 'pg'
import type en from '../../../i18n/en.ts'
import type { Context } from '../../context.ts'
import { decimalIn, harmless, streamCsv, utc } from '../../database/csv.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import type { Language } from '../../languages.ts'
import { type Translate, translator } from '../../translator.ts'
import { currencies, digitsOf } from '../money.ts'
import { outsideMeans, stripeMeans } from '../outside/contract.ts'
import { daysLater, type Range } from './range.ts'

interface Wanted {
  newsletter: NewsletterRow
  range: Range
  /** Each row of the books, or their sums by month, country and currency. */
  rows: 'each' | 'months'
  /** With the names, addresses and notes, which are about people. */
  withNames: boolean
  /** Of the spreadsheet that opens it. */
  sheet: Language | undefined
  /** In which the columns are named. */
  namesIn: Language
}

/**
 * The books as an accountant reads them: CSV, in the order of time, without what was paid in test mode. docs/charge-figures.md describes
 * the columns. All rows are of one moment, and ten million take no more memory than ten.
 */
export const streamBooks = ({ pool }: Pick<Context, 'pool'>, wanted: Wanted): Promise<Readable> =>
  streamCsv({ pool }, wanted.rows === 'each' ? selectEach(wanted) : selectMonths(wanted), wanted.sheet)

const day = (column: string, { timezone }: NewsletterRow) => `(${column} at time zone ${pg.escapeLiteral(timezone)})`

const whole = currencies.filter((currency) => digitsOf(currency) === 0).map((currency) => pg.escapeLiteral(currency))

/** A sum in the unit of its currency: 12.50, or 1250 where there are no cents. */
const unitsIn = (sheet: Language | undefined) => (amount: string) =>
  decimalIn(
    `case when p.currency in (${whole.join(', ')}) then (${amount})::numeric else round((${amount}) / 100.0, 2) end`,
    sheet,
  )

/** Its name is that of its sentence in `figures.books`. */
type Column = [name: Exclude<keyof typeof en.figures.books, 'kinds'>, expression: string]

const named = (columns: Column[], t: Translate): string =>
  columns.map(([name, expression]) => `${expression} as ${pg.escapeIdentifier(t(`figures.books.${name}`))}`).join(', ')

function isWithin({ newsletter, range }: Wanted): string {
  const begin = (from: string) =>
    `(${pg.escapeLiteral(from)}::timestamp at time zone ${pg.escapeLiteral(newsletter.timezone)})`
  return `not p.test and p.at >= ${begin(range.from)} and p.at < ${begin(daysLater(range.to, 1))}`
}

const kindIn = (t: Translate) =>
  `case p.kind when 'payment' then ${pg.escapeLiteral(t('figures.books.kinds.payment'))}
    when 'refund' then ${pg.escapeLiteral(t('figures.books.kinds.refund'))} else ${pg.escapeLiteral(t('figures.books.kinds.dispute'))} end`

const namedMeans = [...outsideMeans, ...stripeMeans]

/** Another way of Stripe stays as Stripe names it. */
const meansIn = (t: Translate) =>
  `case p.means ${namedMeans
    .map((means) => `when ${pg.escapeLiteral(means)} then ${pg.escapeLiteral(t(`plans.means.${means}`))}`)
    .join(' ')} else ${harmless('p.means')} end`

function selectEach(wanted: Wanted): string {
  const { newsletter, namesIn, withNames, sheet } = wanted
  const t = translator(namesIn)
  const units = unitsIn(sheet)
  const languages = [namesIn, newsletter.language, 'en', 'fr'].map(
    (one) => `l.words -> ${pg.escapeLiteral(one)} ->> 'name'`,
  )
  const plan = `case when p.booking_id is not null then ${pg.escapeLiteral(t('plans.payments.sponsorship'))}
    else coalesce(${languages.join(', ')}) end`
  const aboutPeople: Column[] = [
    ['name', harmless('s.name')],
    ['email', harmless('s.email')],
    ['note', harmless('p.note')],
  ]
  const columns: Column[] = [
    ['month', `to_char(${day('p.at', newsletter)}, 'YYYY-MM')`],
    ['day', `to_char(${day('p.at', newsletter)}, 'YYYY-MM-DD')`],
    ['kind', kindIn(t)],
    ['id', 'p.id'],
    ['plan', harmless(plan)],
    ['currency', 'upper(p.currency)'],
    ['gross', units('p.amount')],
    ['tax', units('p.tax')],
    ['withoutTax', units('p.amount - p.tax')],
    ['fee', units('p.fee')],
    ['left', units('p.amount - p.fee')],
    ['country', 'p.country'],
    ['means', meansIn(t)],
    ['periodFrom', `to_char(${day('p.period_from', newsletter)}, 'YYYY-MM-DD')`],
    ['periodUntil', `to_char(${day('p.period_until', newsletter)}, 'YYYY-MM-DD')`],
    ['refundOf', 'p.refund_of'],
    ['stripe', harmless('p.stripe_id')],
    ['at', utc('p.at')],
    ...(withNames ? aboutPeople : []),
  ]
  return `select ${named(columns, t)} from payment p
    left join plan l on l.newsletter_id = p.newsletter_id and l.id = p.plan_id
    left join subscriber s on s.newsletter_id = p.newsletter_id and s.id = p.subscriber_id
    where p.newsletter_id = ${pg.escapeLiteral(newsletter.id)} and ${isWithin(wanted)} order by p.at, p.id`
}

function selectMonths(wanted: Wanted): string {
  const { newsletter, namesIn, sheet } = wanted
  const t = translator(namesIn)
  const units = unitsIn(sheet)
  const month = `to_char(${day('p.at', newsletter)}, 'YYYY-MM')`
  const of = (kind: string) => `coalesce(sum(p.amount) filter (where p.kind = '${kind}'), 0)`
  const columns: Column[] = [
    ['month', month],
    ['country', 'p.country'],
    ['currency', 'upper(p.currency)'],
    ['payments', `count(*) filter (where p.kind = 'payment')`],
    ['paid', units(of('payment'))],
    ['refunded', units(of('refund'))],
    ['disputed', units(of('dispute'))],
    ['tax', units('sum(p.tax)')],
    ['withoutTax', units('sum(p.amount - p.tax)')],
    ['fee', units('sum(p.fee)')],
    ['left', units('sum(p.amount - p.fee)')],
  ]
  return `select ${named(columns, t)} from payment p
    where p.newsletter_id = ${pg.escapeLiteral(newsletter.id)} and ${isWithin(wanted)}
    group by ${month}, p.country, p.currency order by ${month}, p.country nulls last, p.currency`
}
