import { currentLanguage } from '../language.ts'
import type { Settings } from '../settings.ts'
import { firstCurrency } from './first-currency.ts'

/** With what a new newsletter begins: language and timezone are those of the person, the currency is that of the place. All can be changed later. */
export const firstSettings = (settings: Settings) => ({
  language: currentLanguage(),
  currency: firstCurrency(settings),
  timezone: settings.timezone,
})
