import fc from 'fast-check'
import { expect, test } from 'vitest'
import { freeSlug, slugFrom, slugOf } from './slug.ts'

test.each([
  ['The harbour that waits', 'the-harbour-that-waits'],
  ['L’Œuvre d’été : où ça ?', 'l-oeuvre-d-ete-ou-ca'],
  ['Straße æ', 'strasse-ae'],
  ["The reader’s pencil didn't, we’ll see", 'the-readers-pencil-didnt-well-see'],
  ['Aujourd’hui, s’il n’est tard', 'aujourd-hui-s-il-n-est-tard'],
  ['日本', 'untitled'],
])('%s: %s', (title, slug) => expect(slugOf(title)).toBe(slug))

test.each([
  ['L’heure d’été', 'l-heure-d-ete'],
  ['  Cœur -- à cœur! ', 'coeur-a-coeur'],
  ['Straße', 'strasse'],
  ['already-fine-2', 'already-fine-2'],
  ['مرفأ', ''],
  ['-', ''],
  [`${'a'.repeat(79)} b`, 'a'.repeat(79)],
])('%s, typed as an address, becomes %s', (typed, slug) => expect(slugFrom(typed)).toBe(slug))

test('what is typed becomes what a title would', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 70 }), (text) => {
      const typed = slugFrom(text)
      if (typed.length <= 76) expect(slugOf(text)).toBe(typed || 'untitled')
    }),
  )
})

test('every title gives an address that the API would take, and never a taken one', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc.array(fc.string(), { maxLength: 5 }),
      (title, more) => {
        const base = slugOf(title)
        const slug = freeSlug(title, new Set([...more, base, `${base}-2`]))
        expect(slug).toMatch(/^[a-z0-9](-?[a-z0-9])*$/)
        expect(slug.length).toBeLessThanOrEqual(80)
        expect([base, `${base}-2`]).not.toContain(slug)
      },
    ),
  )
})
