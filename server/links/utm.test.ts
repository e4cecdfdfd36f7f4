import fc from 'fast-check'
import { expect, test } from 'vitest'
import { noUtm, utmFields, utmOf, withUtm } from './utm.ts'

const poster = { ...noUtm, source: 'poster', campaign: 'été & mer' }

test('UTM values are put on a target, of which everything else stays as it is written', () => {
  expect(withUtm('https://example.org', poster)).toBe(
    'https://example.org?utm_source=poster&utm_campaign=%C3%A9t%C3%A9+%26+mer',
  )
  expect(withUtm('https://example.org/a?q=a%20b&flag&=&x=%C3%A9#utm_source=x', poster)).toBe(
    'https://example.org/a?q=a%20b&flag&=&x=%C3%A9&utm_source=poster&utm_campaign=%C3%A9t%C3%A9+%26+mer#utm_source=x',
  )
})

test('those that a target has are replaced where they stand, whatever their spelling, and empty ones are taken away', () => {
  const target = 'https://example.org/?utm_source=old&x=1&utm%5Fmedium=print&utm_source=older&utm_id=7'
  expect(withUtm(target, { ...noUtm, source: 'new' })).toBe('https://example.org/?utm_source=new&x=1&utm_id=7')
  expect(withUtm('https://example.org/?utm_source=old', noUtm)).toBe('https://example.org/')
})

test('what was put on a target is read from it, is put on it once, and is taken away without a trace', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 12 })
  const values = fc.record({ source: text, medium: text, campaign: text, term: text, content: text })
  const target = fc.constantFrom(
    'https://a.example',
    'https://a.example/b?c=%20&d',
    'https://a.example/?#e',
    'https://a.example/#?f',
  )
  fc.assert(
    fc.property(target, values, (address, utm) => {
      const made = withUtm(address, utm)
      expect(utmOf(made)).toEqual(utm)
      expect(withUtm(made, utm)).toBe(made)
      expect(withUtm(made, noUtm)).toBe(withUtm(address, noUtm))
      expect(new URL(made).hash).toBe(new URL(address).hash)
    }),
  )
  expect(Object.keys(noUtm)).toEqual([...utmFields])
})
