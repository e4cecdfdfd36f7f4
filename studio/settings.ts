import { defaultLanguage, type Language, languageOf } from '../server/languages.ts'
import { todaysName } from './ui/timezones.ts'

export type Currency = '€' | '$'
type CurrencyFormat = 'eur' | 'usd'

/** The settings of a visitor, known before anyone signs in. */
export interface Settings {
  language: Language
  currency: Currency
  currencyformat: CurrencyFormat
  timezone: string
}

/** The input of `detectSettings`; the browser by default. */
export interface Browser {
  language: string
  stored(key: string): string | null
  timezone(): string
}

const thisBrowser: Browser = {
  get language() {
    return navigator.language
  },
  stored: (key) => localStorage.getItem(key),
  timezone: () => todaysName(Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'),
}

/** The browser's language where it is one of ours. A currency kept in local storage changes the shown symbol only. */
export function detectSettings(browser: Browser = thisBrowser): Settings {
  const symbol = detectCurrency(browser.language)
  return {
    language: detectLanguage(browser.language),
    currency: asCurrency(browser.stored('currency')) ?? symbol,
    currencyformat: symbol === '€' ? 'eur' : 'usd',
    timezone: browser.timezone(),
  }
}

const detectLanguage = (locale: string): Language => languageOf(locale) ?? defaultLanguage

/** € where the locale formats euros with that sign, $ elsewhere. */
export function detectCurrency(locale: string): Currency {
  try {
    return new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR' }).format(0).includes('€') ? '€' : '$'
  } catch {
    return '$'
  }
}

/** Remembers the shown symbol on this device. */
export const keepCurrency = (symbol: Currency): void => localStorage.setItem('currency', symbol)

/** The symbol of a currency. */
export const symbolOf = (format: CurrencyFormat): Currency => (format === 'eur' ? '€' : '$')

const asCurrency = (stored: string | null): Currency | null => (stored === '€' || stored === '$' ? stored : null)
