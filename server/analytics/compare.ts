import type { z } from 'zod'
import { sponsorMoneyWithin } from '../campaigns/advertise/results.ts'
import { dayIn, type Range } from '../charge/figures/range.ts'
import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { countActive, listOf } from '../newsletters/newsletter.ts'
import { may } from '../permissions.ts'
import type { compareNewsletters } from './contract.ts'
import { type Asked, checkAsked, rangesOf, readFigures } from './figures.ts'
import { incomeWithin } from './highlights.ts'

export type Compared = z.infer<typeof compareNewsletters.reply>['newsletters'][number]

/** The figures of a range for each newsletter of a user, as their role in it allows, those with the most subscribers first. @throws AppError invalid when the range is none */
export async function compare(
  { db, now }: Pick<Context, 'db' | 'now'>,
  userId: string,
  asked: Asked,
): Promise<Compared[]> {
  checkAsked(asked)
  const mine = (await listOf(db, userId)).filter(({ role }) => may(role, 'analytics.read'))
  const ids = mine.map(({ newsletter }) => newsletter.id)
  const active = await countActive(db, ids)
  const compared: Compared[] = []
  // One after the other: somebody with many newsletters takes no more connections than with one.
  for (const { newsletter, role } of mine) {
    const today = notBefore(asked, dayIn(now(), newsletter.timezone))
    const ranges = await rangesOf(db, { newsletter, today, asked })
    const { figures, figuresBefore } = await readFigures(db, newsletter, ranges)
    const revenue = may(role, 'charge.read') ? await revenueWithin(db, newsletter, ranges.range) : null
    const { id, name, accent } = newsletter
    compared.push({ id, name, accent, role, active: active.get(id) ?? 0, ...ranges, figures, figuresBefore, revenue })
  }
  return compared.toSorted((a, b) => b.active - a.active)
}

/** The day that it is, or the first one that was asked for: where a day begins earlier, it may be tomorrow's. */
const notBefore = ({ from }: Asked, today: string): string =>
  from === undefined || from === 'first' || from < today ? today : from

/** What subscriptions and sponsors brought together, by currency. */
async function revenueWithin(
  db: Db,
  newsletter: Pick<NewsletterRow, 'id' | 'timezone'>,
  range: Range,
): Promise<NonNullable<Compared['revenue']>> {
  const parts = [await incomeWithin(db, newsletter, range), await sponsorMoneyWithin(db, newsletter, range)]
  const sums = Map.groupBy(parts.flat(), ({ currency }) => currency)
  return [...sums].map(([currency, of]) => ({ currency, net: of.reduce((total, { net }) => total + net, 0) }))
}
