/** What each language is, except its sentences (`i18n/`). Contracts and browsers read this file, so it imports nothing. */
export const languages = ['en', 'fr'] as const
export type Language = (typeof languages)[number]

/** For people who ask for no language that we have. */
export const defaultLanguage: Language = 'en'

/** BCP 47 tags. They decide how dates and numbers are written, and what other sites are told about a page. */
export const locales: Record<Language, string> = { en: 'en-GB', fr: 'fr-FR' }

export const isLanguage = (value: unknown): value is Language => languages.some((language) => language === value)

export const otherLanguages = (language: Language): Language[] => languages.filter((other) => other !== language)

/** All languages, for a form that asks in each of them: that of its newsletter first. */
export const languagesFrom = (first: Language): Language[] => [first, ...otherLanguages(first)]

/** The language of a BCP 47 tag such as `fr-CA`, or null when it is none of ours. */
export function languageOf(tag: string): Language | null {
  const primary = tag.toLowerCase().split('-', 1)[0]
  return isLanguage(primary) ? primary : null
}

/** The name of a language as it stands within a sentence: `français`; its own name by default. */
export const languageName = (language: Language, reader: Language = language): string =>
  new Intl.DisplayNames(locales[reader], { type: 'language' }).of(language) ?? language

/** The name of a language as it stands alone, in a list or on a button: `Français`. */
export function languageLabel(language: Language, reader: Language = language): string {
  const name = languageName(language, reader)
  return name.charAt(0).toLocaleUpperCase(locales[reader]) + name.slice(1)
}

/** The first of our languages by the weights of an Accept-Language header (RFC 9110, section 12.5.4), else `fallback`. */
export function acceptedLanguage(header: string | undefined, fallback: Language): Language {
  const ranges = (header ?? '').split(',', 20).flatMap((part) => {
    const [tag = '', ...params] = part.trim().split(';')
    const language = languageOf(tag)
    const weight = Number(
      params
        .find((param) => /^\s*q=/i.test(param))
        ?.trim()
        .slice(2) ?? 1,
    )
    return language && weight > 0 ? [{ language, weight }] : []
  })
  return ranges.sort((a, b) => b.weight - a.weight)[0]?.language ?? fallback
}

/** Numbers that a French sentence writes otherwise than browsers do: « 1er », « 8 h », « 8 h 05 ». */
const frenchParts = (parts: Intl.DateTimeFormatPart[]): string[] =>
  parts.map(({ type, value }, at) => {
    const clock = parts[at - 1]?.type === 'hour' && parts[at + 1]?.type === 'minute'
    if (type === 'day' && value === '1') return '1er'
    if (type === 'hour') return parts[at + 2]?.type === 'minute' ? String(Number(value)) : value
    if (clock) return '\u00a0h'
    return type === 'minute' && parts[at - 2]?.type === 'hour' ? (value === '00' ? '' : `\u00a0${value}`) : value
  })

/** No line breaks between a day and its month. */
const withDayHeld = (parts: Intl.DateTimeFormatPart[]): Intl.DateTimeFormatPart[] =>
  parts.map((part, at) =>
    part.value === ' ' && parts[at - 1]?.type === 'day' && parts[at + 1]?.type === 'month'
      ? { ...part, value: '\u00a0' }
      : part,
  )

/**
 * Writes dates and times as a language does: the same as `Intl.DateTimeFormat`, with « 1er » and « 8 h » in French, and without a comma
 * behind the weekday in English.
 */
export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): { format(at: Date | number): string } {
  const written = new Intl.DateTimeFormat(locale, options)
  const texts = (parts: Intl.DateTimeFormatPart[]) =>
    languageOf(locale) === 'fr'
      ? frenchParts(parts)
      : parts.map(({ value }, at) => (parts[at - 1]?.type === 'weekday' && parts[at + 1]?.type === 'day' ? ' ' : value))
  return { format: (at) => texts(withDayHeld(written.formatToParts(at))).join('') }
}
