import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { DB } from '../../database/types.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import { enqueue } from '../../jobs/queue.ts'
import type { ChargeSettings as Shape, updateChargeSettings } from './contract.ts'

type ChargeSettings = z.infer<typeof Shape>
type Change = z.output<typeof updateChargeSettings.body>

export const settingsOf = (newsletter: Pick<NewsletterRow, 'grace_days' | 'tax_inside'>): ChargeSettings => ({
  graceDays: newsletter.grace_days,
  taxInside: newsletter.tax_inside,
})

/** Changes the given settings. Other days of grace change what is open: a job works that out. */
export const changeSettings = (
  db: Kysely<DB>,
  newsletter: NewsletterRow,
  { graceDays, taxInside }: Change,
): Promise<ChargeSettings> =>
  db.transaction().execute(async (tx) => {
    const columns = {
      ...(graceDays !== undefined && { grace_days: graceDays }),
      ...(taxInside !== undefined && { tax_inside: taxInside }),
    }
    if (Object.keys(columns).length === 0) return settingsOf(newsletter)
    const changed = await tx
      .updateTable('newsletter')
      .set(columns)
      .where('id', '=', newsletter.id)
      .returning(['grace_days', 'tax_inside'])
      .executeTakeFirstOrThrow()
    if (graceDays !== undefined) await enqueue(tx, 'keep_entitlements', { newsletterId: newsletter.id })
    return settingsOf(changed)
  })
