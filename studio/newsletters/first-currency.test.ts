import { expect, test } from 'vitest'
import { firstCurrency } from './first-currency.ts'

test.each([
  ['en-GB', 'Europe/London', 'gbp'],
  ['en-GB', 'Europe/Paris', 'eur'],
  ['en-GB', 'Atlantic/Reykjavik', 'gbp'],
  ['fr-CH', 'Europe/Zurich', 'chf'],
  ['fr-CA', 'America/Toronto', 'cad'],
  ['en-US', 'Europe/London', 'gbp'],
  ['fr', 'Europe/London', 'gbp'],
  ['en', 'Australia/Hobart', 'aud'],
  // Neither says one that is sold in, so the person’s own counts.
  ['en-EG', 'Africa/Cairo', 'eur'],
  ['not a locale', 'UTC', 'eur'],
] as const)('a newsletter that begins in %s and %s begins in %s', (locale, timezone, expected) => {
  const settings = { language: 'en', currency: '€', currencyformat: 'eur', timezone } as const
  expect(firstCurrency(settings, locale)).toBe(expected)
})
