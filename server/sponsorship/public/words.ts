import type { NewsletterRow } from '../../http/scope.ts'
import { dateFormat, type Language, locales } from '../../languages.ts'
import type { Placement } from '../contract.ts'

/** What a placement is called in a language, else in any that it has. */
export const placementNameIn = ({ words }: Pick<Placement, 'words'>, language: Language): string =>
  (words[language] ?? Object.values(words)[0])?.name ?? ''

/** What stands above a sponsor's words in a language, else in any that the placement has. */
export const disclosureIn = ({ words }: Pick<Placement, 'words'>, language: Language): string =>
  (words[language] ?? Object.values(words)[0])?.disclosure ?? ''

/** Whether a text is still due by its day, is needed at once, or has no letter to run in any more. */
export const dueOf = ({ day, creativeDue }: { day: string; creativeDue: string }, today: string) =>
  day < today ? 'over' : creativeDue < today ? 'now' : 'by'

/** `5 December 2026 at 09:30 (Europe/Paris)`, by the newsletter's clock: a sponsor may live by another. */
export const writtenMoment = (
  at: Date | string,
  { timezone }: Pick<NewsletterRow, 'timezone'>,
  language: Language,
): string => {
  const written = dateFormat(locales[language], { dateStyle: 'long', timeStyle: 'short', timeZone: timezone })
  return `${written.format(new Date(at))} (${timezone})`
}

/** `Saturday 5 December 2026` */
export const writtenDay = (day: string, language: Language): string =>
  dateFormat(locales[language], { dateStyle: 'full', timeZone: 'UTC' }).format(new Date(`${day}T12:00:00Z`))

/** `Sat 5 Dec` */
export const writtenShortDay = (day: string, language: Language): string =>
  dateFormat(locales[language], { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    new Date(`${day}T12:00:00Z`),
  )
