import type { Kysely, Selectable } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../database/client.ts'
import type { DB, Newsletter } from '../../database/types.ts'
import { AppError } from '../../errors.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import { enqueue } from '../../jobs/queue.ts'
import type { Language } from '../../languages.ts'
import { OutsideWords, remindedWays, type ChargeSettings as Shape, type updateChargeSettings } from './contract.ts'

type ChargeSettings = z.infer<typeof Shape>
type Settings = Pick<Selectable<Newsletter>, (typeof columns)[number]>
const columns = [
  'grace_days',
  'tax_inside',
  'remind_days',
  'remind_ways',
  'outside_words',
  'win_back_coupon_id',
] as const
type Change = z.output<typeof updateChargeSettings.body>

export const settingsOf = (newsletter: Settings): ChargeSettings => ({
  graceDays: newsletter.grace_days,
  taxInside: newsletter.tax_inside,
  remindDays: newsletter.remind_days,
  remindWays: remindedWays.filter((way) => newsletter.remind_ways.includes(way)),
  outsideWords: OutsideWords.parse(newsletter.outside_words),
  winBackCouponId: newsletter.win_back_coupon_id,
})

/** How to pay without a card, in the owner's words: paragraphs in a language, else in one that there is. */
export function outsideWordsOf({ outside_words }: Pick<Settings, 'outside_words'>, language: Language): string[] {
  const words = OutsideWords.parse(outside_words)
  const text = words[language] ?? Object.values(words)[0] ?? ''
  return text.split('\n').filter((one) => one.trim() !== '')
}

/** Changes the given settings. Other days of grace change what is open: a job works that out. @throws AppError coupon_not_found */
export const changeSettings = (
  db: Kysely<DB>,
  newsletter: NewsletterRow,
  { graceDays, taxInside, remindDays, remindWays, outsideWords, winBackCouponId }: Change,
): Promise<ChargeSettings> =>
  db.transaction().execute(async (tx) => {
    const values = {
      ...(graceDays !== undefined && { grace_days: graceDays }),
      ...(taxInside !== undefined && { tax_inside: taxInside }),
      ...(remindDays && { remind_days: remindDays.toSorted((one, other) => other - one) }),
      ...(remindWays && { remind_ways: remindWays }),
      ...(outsideWords && { outside_words: JSON.stringify(outsideWords) }),
      ...(winBackCouponId !== undefined && { win_back_coupon_id: winBackCouponId }),
    }
    if (winBackCouponId) await requireCoupon(tx, newsletter.id, winBackCouponId)
    if (Object.keys(values).length === 0) return settingsOf(newsletter)
    const changed = await tx
      .updateTable('newsletter')
      .set(values)
      .where('id', '=', newsletter.id)
      .returning(columns)
      .executeTakeFirstOrThrow()
    if (graceDays !== undefined) await enqueue(tx, 'keep_entitlements', { newsletterId: newsletter.id })
    return settingsOf(changed)
  })

async function requireCoupon(tx: Db, newsletterId: string, couponId: number): Promise<void> {
  const open = tx.selectFrom('coupon').select('id').where('closed_at', 'is', null)
  const query = open.where('newsletter_id', '=', newsletterId).where('id', '=', couponId)
  if (!(await query.executeTakeFirst())) throw new AppError('coupon_not_found')
}
