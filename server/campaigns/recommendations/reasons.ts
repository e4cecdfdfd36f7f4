import { z } from 'zod'
import { holdMarks } from '../../../i18n/french-spaces.ts'
import type { Db } from '../../database/client.ts'
import { type Language, languages } from '../../languages.ts'

export const Reasons = z.partialRecord(z.enum(languages), z.string())
export type Reasons = z.infer<typeof Reasons>

/** The reason in a language, else in that of the newsletter that gives it, else in whichever it has. */
export const reasonIn = (reasons: Reasons, language: Language, fallback: Language): string =>
  holdMarks(reasons[language] ?? reasons[fallback] ?? Object.values(reasons)[0] ?? '')

interface Version {
  newsletterId: string
  campaignId: string
  version: number
}

export async function keepReasons(tx: Db, { newsletterId, campaignId, version }: Version, reasons: Reasons) {
  const written = languages.flatMap((language) => {
    const reason = reasons[language]
    return reason === undefined ? [] : [{ language, reason }]
  })
  await tx
    .insertInto('recommendation_words')
    .values(written.map((words) => ({ newsletter_id: newsletterId, campaign_id: campaignId, version, ...words })))
    .execute()
}
