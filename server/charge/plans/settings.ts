import type { Kysely, Selectable } from 'kysely'
import type { z } from 'zod'
import type { DB, Newsletter } from '../../database/types.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import { enqueue } from '../../jobs/queue.ts'
import type { Language } from '../../languages.ts'
import { OutsideWords, type ChargeSettings as Shape, type updateChargeSettings } from './contract.ts'

type ChargeSettings = z.infer<typeof Shape>
type Settings = Pick<Selectable<Newsletter>, (typeof columns)[number]>
const columns = ['grace_days', 'tax_inside', 'remind_days', 'outside_words'] as const
type Change = z.output<typeof updateChargeSettings.body>

export const settingsOf = (newsletter: Settings): ChargeSettings => ({
  graceDays: newsletter.grace_days,
  taxInside: newsletter.tax_inside,
  remindDays: newsletter.remind_days,
  outsideWords: OutsideWords.parse(newsletter.outside_words),
})

/** How to pay without a card, in the owner's words: paragraphs in a language, else in one that there is. */
export function outsideWordsOf({ outside_words }: Pick<Settings, 'outside_words'>, language: Language): string[] {
  const words = OutsideWords.parse(outside_words)
  const text = words[language] ?? Object.values(words)[0] ?? ''
  return text.split('\n').filter((one) => one.trim() !== '')
}

/** Changes the given settings. Other days of grace change what is open: a job works that out. */
export const changeSettings = (
  db: Kysely<DB>,
  newsletter: NewsletterRow,
  { graceDays, taxInside, remindDays, outsideWords }: Change,
): Promise<ChargeSettings> =>
  db.transaction().execute(async (tx) => {
    const values = {
      ...(graceDays !== undefined && { grace_days: graceDays }),
      ...(taxInside !== undefined && { tax_inside: taxInside }),
      ...(remindDays && { remind_days: remindDays.toSorted((one, other) => other - one) }),
      ...(outsideWords && { outside_words: JSON.stringify(outsideWords) }),
    }
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
