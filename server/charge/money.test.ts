import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Language, languages } from '../languages.ts'
import {
  type Currency,
  currencies,
  currenciesFrom,
  readSum,
  smallestOf,
  typedSum,
  unitsOf,
  writtenSum,
} from './money.ts'

test.each<[amount: number, currency: Currency, language: Language, written: string]>([
  [600, 'eur', 'en', '€6'],
  [1250, 'eur', 'fr', '12,50 €'],
  [123_450, 'usd', 'en', '$1,234.50'],
  [-5400, 'eur', 'fr', '−54 €'],
  [9000, 'jpy', 'en', '¥9,000'],
  [9000, 'xaf', 'fr', '9 000 FCFA'],
])('%i of %s is written in %s as %s', (...[amount, currency, language, written]) => {
  expect(writtenSum(amount, currency, language).replace(/\s/gu, ' ')).toBe(written)
})

test.each<[text: string, currency: Currency, language: Language, amount: number | null]>([
  ['6', 'eur', 'en', 600],
  ['6.5', 'eur', 'en', 650],
  ['6,50', 'eur', 'en', 650],
  ['6,50', 'eur', 'fr', 650],
  ['6.50', 'eur', 'fr', 650],
  ['1,234.50', 'eur', 'en', 123_450],
  ['1 234,50 €', 'eur', 'fr', 123_450],
  ['€ 7', 'eur', 'en', 700],
  ['7 EUR', 'eur', 'fr', 700],
  ['9,000', 'jpy', 'en', 9000],
  ['9 000', 'jpy', 'fr', 9000],
  ['0.29', 'usd', 'en', 29],
  // What could mean two sums, or is none, is refused.
  ['1.234', 'eur', 'fr', null],
  ['1.234', 'eur', 'en', null],
  ['1,234', 'eur', 'fr', null],
  ['9,5', 'jpy', 'en', null],
  ['12,34,567', 'eur', 'en', null],
  ['1,23.4', 'eur', 'en', null],
  ['-5', 'eur', 'en', null],
  ['1e3', 'eur', 'en', null],
  ['', 'eur', 'en', null],
  ['€', 'eur', 'en', null],
  ['7 $', 'eur', 'en', null],
  ['9'.repeat(40), 'eur', 'en', null],
])('%s in %s, typed in %s, is %s', (...[text, currency, language, amount]) => {
  expect(readSum(text, currency, language)).toBe(amount)
})

test.each<[what: string, own: string, used: string[], first: string[]]>([
  ['its own, when nothing is used yet', 'usd', [], ['usd', 'aud', 'brl']],
  ['what is used before its own', 'eur', ['gbp'], ['gbp', 'eur', 'aud']],
  ['its own before others that are used', 'usd', ['gbp', 'usd', 'chf'], ['usd', 'chf', 'gbp', 'aud']],
])('a form begins with %s', (...[, own, used, first]) => {
  const all = currenciesFrom(own, used)
  expect(all.slice(0, first.length)).toEqual(first)
  expect(all.toSorted()).toEqual(currencies.toSorted())
})

const sums = fc.record({
  amount: fc.integer({ min: 0, max: 99_999_999 }),
  currency: fc.constantFrom(...currencies),
  language: fc.constantFrom(...languages),
})

test('every sum is read as it was written, with and without its currency', () => {
  fc.assert(
    fc.property(sums, ({ amount, currency, language }) => {
      expect(readSum(writtenSum(amount, currency, language), currency, language)).toBe(amount)
      expect(readSum(typedSum(amount, currency, language), currency, language)).toBe(amount)
      expect(smallestOf(unitsOf(amount, currency), currency)).toBe(amount)
    }),
  )
})

test('whatever is typed is refused or read as its digits say', () => {
  const typed = fc.string({ unit: fc.constantFrom(...'0123456789., €-'), maxLength: 12 })
  fc.assert(
    fc.property(typed, fc.constantFrom(...currencies), fc.constantFrom(...languages), (text, currency, language) => {
      const amount = readSum(text, currency, language)
      if (amount === null) return
      const typedDigits = text.replace(/\D/g, '').replace(/^0+/, '')
      expect(String(amount).startsWith(typedDigits)).toBe(true)
      expect(Number.isSafeInteger(amount) && amount >= 0).toBe(true)
    }),
    { numRuns: 2000 },
  )
})

test('a sum with more digits than its currency has no smallest units', () => {
  expect([smallestOf(12.345, 'eur'), smallestOf(9.5, 'jpy')]).toEqual([null, null])
})
