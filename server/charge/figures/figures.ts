import { sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../database/client.ts'
import { AppError } from '../../errors.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import type { getChargeFigures } from './contract.ts'
import { readGivenBack, readMoney, readSales, titled } from './money-figures.ts'
import { countDays, countMonths, dayIn, daysLater, lastOfMonth, monthOf, type Range, rangeBefore } from './range.ts'
import { readRecurring, readRecurringEnds } from './recurring.ts'
import { readPlans, readTrials } from './standings.ts'

export type Figures = z.infer<typeof getChargeFigures.reply>
type Asked = z.output<typeof getChargeFigures.query>

/** Longer ones are more than a screen shows, and a call must not cost as it likes. */
const MOST_DAYS = 366
const MOST_MONTHS = 360
/** When days are asked for without a first one. */
const SOME_DAYS = 30

interface Reader {
  newsletter: NewsletterRow
  now: Date
  /** Whether the names of subscribers may be read. */
  withNames: boolean
}

/**
 * Everything that the page of figures shows. docs/charge-figures.md says what each figure counts. They are read from rows that are kept
 * while the books are written (migrations/0059_charge_figures.sql), so that they cost the same however many payments there are.
 *
 * @throws AppError invalid when the range ends before it begins or is too long
 */
export async function readFigures(db: Db, { newsletter, now, withNames }: Reader, asked: Asked): Promise<Figures> {
  const { by } = asked
  const range = await rangeOf(db, { newsletter, now, asked })
  const before = rangeBefore(range)
  const currencies = await readCurrencies(db, newsletter)
  const currency = asked.currency ?? currencies[0] ?? null
  const of = { newsletterId: newsletter.id, currency: currency ?? '' }
  const [
    recurringEnds,
    recurring,
    recurringBefore,
    plans,
    trials,
    trialsBefore,
    money,
    moneyBefore,
    givenBack,
    publications,
    sources,
  ] = await Promise.all([
    readRecurringEnds(db, newsletter.id, range),
    readRecurring(db, { ...of, range, by }),
    readRecurring(db, { ...of, range: before, by }),
    readPlans(db, newsletter.id, range),
    readTrials(db, newsletter.id, range),
    readTrials(db, newsletter.id, before),
    readMoney(db, newsletter, range),
    readMoney(db, newsletter, before),
    readGivenBack(db, { ...of, range, timezone: newsletter.timezone, withNames }),
    readSales(db, { ...of, range, dueTo: 'publication' }).then((sales) => titled(db, newsletter.id, sales)),
    readSales(db, { ...of, range, dueTo: 'source' }),
  ])
  return {
    ...{
      range,
      before,
      by,
      currency,
      currencies,
      recurringEnds,
      recurring,
      recurringBefore,
      plans,
      trials,
      trialsBefore,
    },
    ...{ money, moneyBefore, givenBack, publications, sources },
  }
}

/** The range that was asked for, with what was left open. */
export async function rangeOf(
  db: Db,
  { newsletter, now, asked }: { newsletter: NewsletterRow; now: Date; asked: Pick<Asked, 'from' | 'to' | 'by'> },
): Promise<Range> {
  const today = dayIn(now, newsletter.timezone)
  const to = asked.to ?? (asked.by === 'day' ? today : lastOfMonth(today))
  const first =
    asked.by === 'day' ? daysLater(to, 1 - SOME_DAYS) : ((await firstMonth(db, newsletter.id)) ?? monthOf(to))
  const range = { from: asked.from ?? (first > to ? monthOf(to) : first), to }
  if (range.from > range.to) throw new AppError('invalid', { fields: { to: 'too_small' } })
  const isLong = asked.by === 'day' ? countDays(range) > MOST_DAYS : countMonths(range) > MOST_MONTHS
  if (isLong) throw new AppError('invalid', { fields: { from: 'too_small' } })
  return range
}

async function firstMonth(db: Db, newsletterId: string): Promise<string | null> {
  const first = (table: 'payment_count' | 'movement_count' | 'standing_count') =>
    sql`(select to_char(min(since), 'YYYY-MM-DD') from ${sql.table(table)} where newsletter_id = ${newsletterId} and span = 'month')`
  const { rows } = await sql<{ first: string | null }>`
    select least(${first('payment_count')}, ${first('movement_count')}, ${first('standing_count')}) as first`.execute(
    db,
  )
  return rows[0]?.first ?? null
}

/** Those that were sold in come before those that only have a price; of both the newsletter's own first, then by what they bring in. */
async function readCurrencies(db: Db, { id, currency }: NewsletterRow): Promise<string[]> {
  const { rows } = await sql<{ currency: string }>`
    select currency from (
      select currency, yearly as worth, true as sold from movement_count where newsletter_id = ${id} and span = 'month'
      union all
      select currency, 0, true from payment_count where newsletter_id = ${id} and span = 'month'
      union all
      select currency, 0, false from price where newsletter_id = ${id} and replaced_at is null
    ) m group by currency order by bool_or(sold) desc, currency = ${currency} desc, sum(worth) desc, currency`.execute(
    db,
  )
  return rows.map((row) => row.currency)
}
