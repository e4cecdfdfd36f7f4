import { expect, test } from 'vitest'
import { type Browser, detectCurrency, detectSettings } from './settings.ts'

const browser = (language: string, stored: Record<string, string> = {}): Browser => ({
  language,
  stored: (key) => stored[key] ?? null,
  timezone: () => 'Europe/Paris',
})

test.each([
  ['fr', 'fr'],
  ['fr-CA', 'fr'],
  ['FR-fr', 'fr'],
  ['en-US', 'en'],
  ['de-DE', 'en'],
  ['fro', 'en'],
])('a browser in %s reads %s', (language, expected) => {
  expect(detectSettings(browser(language)).language).toBe(expected)
})

test('the currency is € where the locale formats euros with that sign, and $ for an invalid locale', () => {
  expect(detectCurrency('fr-FR')).toBe('€')
  expect(detectCurrency('not a locale')).toBe('$')
})

test('a stored currency changes the shown symbol and leaves the format as detected', () => {
  const settings = detectSettings(browser('fr-FR', { currency: '$' }))
  expect(settings).toMatchObject({ currency: '$', currencyformat: 'eur' })
})

test('an invalid stored currency is ignored', () => {
  expect(detectSettings(browser('fr-FR', { currency: 'gold' })).currency).toBe('€')
})
