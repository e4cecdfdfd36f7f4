import { useContext, useMemo } from 'react'
import { dateFormat, type Language, locales } from '../server/languages.ts'
import { dayOf } from './day.ts'
import { useLanguage } from './language.ts'
import { TimezoneContext } from './timezone.ts'

const MINUTE = 60_000
const DAY = 86_400_000

type When = string | Date | null | undefined

/** Formats numbers and dates in the language on screen and the timezone of the open newsletter. A missing value is “—”. */
export function useFormat() {
  const language = useLanguage()
  const timeZone = useContext(TimezoneContext)
  return useMemo(() => formatsOf(language, timeZone), [language, timeZone])
}

function formatsOf(language: Language, timeZone: string = Intl.DateTimeFormat().resolvedOptions().timeZone) {
  const locale = locales[language]
  const number = new Intl.NumberFormat(locale)
  const signed = new Intl.NumberFormat(locale, { signDisplay: 'exceptZero' })
  const date = (options: Intl.DateTimeFormatOptions) => (when: When) =>
    when ? dateFormat(locale, { ...options, timeZone }).format(new Date(when)) : '—'
  const shortDay = date({ day: 'numeric', month: 'short' })
  const day = (when: When) => inOneLine(shortDay(when))
  const calendarDay = (options: Intl.DateTimeFormatOptions) => (named: string | undefined) =>
    named ? dateFormat(locale, { ...options, timeZone: 'UTC' }).format(new Date(named)) : '—'
  return {
    locale,
    /** How numbers are typed. */
    typed: { thousandSeparator: separator(number, 'group'), decimalSeparator: separator(number, 'decimal') },
    number: (value: number | null | undefined) => (value == null ? '—' : number.format(value)),
    signed: (value: number) => signed.format(value).replace('-', '−'),
    /** A share of 1, such as 0.472, with one decimal, or two under one per cent. */
    rate: (share: number | null | undefined) => (share == null || Number.isNaN(share) ? '—' : rate(locale, share)),
    /** A share of 1 in whole per cents, where it is itself a guess. */
    percent: (share: number) =>
      new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }).format(share),
    /** A kilobyte is of 1,024 bytes, as Gmail counts, or of 1,000, as room on disks is counted. */
    bytes: (bytes: number, kilobyte: 1024 | 1000 = 1024) => {
      if (bytes < kilobyte) return size(locale, 'byte', bytes)
      if (bytes < kilobyte ** 2) return size(locale, 'kilobyte', bytes / kilobyte)
      return size(locale, 'megabyte', bytes / kilobyte ** 2)
    },
    /** “25 minutes”, “3 hours”, “2 days”: about how long something takes. */
    lasting: (seconds: number) => lasting(locale, seconds),
    /** 28 Nov */
    day,
    /** 28 Nov 2026 */
    dayOfYear: date({ day: 'numeric', month: 'short', year: 'numeric' }),
    /** 28 November: where it may end a sentence, for in French short months have a full stop of their own. */
    dayInWords: date({ day: 'numeric', month: 'long' }),
    /** 28 Nov, of a day as the API has it, which is the same in every timezone. */
    calendarDay: (named: string | undefined) => inOneLine(calendarDay({ day: 'numeric', month: 'short' })(named)),
    /** 28 November 2026, the same. */
    calendarDayInWords: calendarDay({ day: 'numeric', month: 'long', year: 'numeric' }),
    /** 28 Nov 2026, the same. */
    calendarDayOfYear: calendarDay({ day: 'numeric', month: 'short', year: 'numeric' }),
    /** 28 November, the same. */
    calendarDayInMonth: calendarDay({ day: 'numeric', month: 'long' }),
    /** Saturday 28 November 2026, the same. */
    calendarFullDay: (named: string | undefined) => longDay(locale, 'UTC', named),
    /** Saturday 21 November 2026 */
    fullDay: (when: When) => longDay(locale, timeZone, when),
    /** Sat 28 Nov, 07:00; of another year than this one with it. */
    moment: (when: When) => momentIn({ locale, timeZone }, when),
    /** 28 Nov 2026, 07:00 */
    momentOfYear: date({ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' }),
    time: date({ hour: '2-digit', minute: '2-digit' }),
    /** The time today, with its day otherwise: when something is due. */
    soon: (when: string | Date, now = new Date()) =>
      dateFormat(locale, {
        ...(dayOf(when, timeZone) !== dayOf(now, timeZone) && {
          weekday: 'short',
          day: 'numeric',
          month: 'short',
        }),
        hour: '2-digit',
        minute: '2-digit',
        timeZone,
      }).format(new Date(when)),
    /** “14 min ago” within a day, the date after that. */
    ago: (when: When, now = Date.now()) => (when ? (ago(language, new Date(when).getTime(), now) ?? day(when)) : '—'),
    /** The same within a sentence: in French a date has its article there. */
    agoInWords: (when: string | Date, now = Date.now()) =>
      ago(language, new Date(when).getTime(), now) ?? (language === 'fr' ? `le\u00a0${day(when)}` : day(when)),
  }
}

/** Sat 28 Nov, 07:00 in that timezone; of another year than this one with it. */
export function momentIn({ locale, timeZone }: { locale: string; timeZone: string }, when: When): string {
  if (!when) return '—'
  const isOfNow = dayOf(when, timeZone).slice(0, 4) === dayOf(new Date(), timeZone).slice(0, 4)
  return dateFormat(locale, {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(!isOfNow && { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(when))
}

/** A number that begins a line says nothing without the word before it, and the other way round. */
const inOneLine = (text: string): string => text.replaceAll(' ', '\u00a0')

const separator = (format: Intl.NumberFormat, type: 'group' | 'decimal'): string =>
  format.formatToParts(12_345.6).find((part) => part.type === type)?.value ?? ''

/** The short name of a byte is a word in English, and its narrow one, “B”, has no space before it. */
const size = (locale: string, unit: 'byte' | 'kilobyte' | 'megabyte', value: number): string =>
  new Intl.NumberFormat(locale, {
    style: 'unit',
    unit,
    unitDisplay: unit === 'byte' ? 'narrow' : 'short',
    maximumFractionDigits: unit === 'megabyte' ? 1 : 0,
  })
    .format(value)
    // In French the narrow space of thousands stands before some units too.
    .replace(/(\d)[\u202f\u00a0 ]?(\p{L})/u, '$1\u00a0$2')

/** How many decimals the per cents of a share of 1 are shown with: one, or two under one per cent. */
export const rateDecimals = (share: number): number => (share > 0 && share < 0.01 ? 2 : 1)

function rate(locale: string, share: number): string {
  const decimals = rateDecimals(share)
  return new Intl.NumberFormat(locale, {
    style: 'percent',
    minimumFractionDigits: share === 0 ? 0 : decimals,
    maximumFractionDigits: decimals,
  }).format(share)
}

function lasting(locale: string, seconds: number): string {
  const [unit, length] =
    seconds < 5_400
      ? (['minute', 60] as const)
      : seconds < 172_800
        ? (['hour', 3_600] as const)
        : (['day', 86_400] as const)
  const count = Math.max(1, Math.round(seconds / length))
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}

function longDay(locale: string, timeZone: string, when: When): string {
  if (!when) return '—'
  const options = { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone } as const
  const text = dateFormat(locale, options).format(new Date(when))
  return text.charAt(0).toLocaleUpperCase(locale) + text.slice(1)
}

/** What the standard calls “now” is past here. */
const justNow: Record<Language, string> = { en: 'just now', fr: 'à l’instant' }

function ago(language: Language, then: number, now: number): string | null {
  const past = now - then
  if (past >= DAY) return null
  if (past < MINUTE) return justNow[language]
  const relative = new Intl.RelativeTimeFormat(locales[language], { style: 'short', numeric: 'auto' })
  return past < 60 * MINUTE
    ? relative.format(-Math.round(past / MINUTE), 'minute')
    : relative.format(-Math.round(past / (60 * MINUTE)), 'hour')
}
