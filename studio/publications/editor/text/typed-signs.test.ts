import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Language } from '../../../../server/languages.ts'
import { correctionOf } from './typed-signs.ts'

/** What stands there when these keys were pressed one after the other. */
const typed = (keys: string, language: Language): string =>
  Array.from(keys).reduce((before, key) => {
    const text = before + key
    const found = correctionOf(text, language)
    return found ? text.slice(0, found.from) + found.by + text.slice(found.to) : text
  }, '')

describe('in English', () => {
  test.each([
    [`It's "low water", she said.`, 'It’s “low water”, she said.'],
    [`"Who said 'never'?" ("Nobody")`, '“Who said ‘never’?” (“Nobody”)'],
    [`The sailors' '90s, 'tis said, rock 'n' roll`, 'The sailors’ ’90s, ’tis said, rock ‘n’ roll'],
    ['Wait... and see....', 'Wait… and see….'],
    ['The sea -- twice a day -- leaves', 'The sea – twice a day – leaves'],
    ['The sea --- twice a day', 'The sea — twice a day'],
    ['The sea--twice a day--leaves', 'The sea—twice a day—leaves'],
    ['-- Oscar Wilde', '— Oscar Wilde'],
    [`A board of 6'2" or 12"`, 'A board of 6’2" or 12"'],
    [`"In 1990"`, '“In 1990”'],
    [`A 12" board is "good"`, 'A 12" board is “good”'],
    [`"'Tis true" ('tis)`, '“’Tis true” (’tis)'],
    ['The sea---twice', 'The sea—twice'],
  ])('%s', (keys, shown) => expect(typed(keys, 'en')).toBe(shown))
})

describe('in French', () => {
  test.each([
    [`Il dit "bonjour" et s'en va`, 'Il dit «\u00a0bonjour\u00a0» et s’en va'],
    [`Il dit " bonjour " et " bonsoir "`, 'Il dit «\u00a0bonjour\u00a0» et «\u00a0bonsoir\u00a0»'],
    [
      `C'est l'"affaire" d'"un" jour ("deux")`,
      'C’est l’«\u00a0affaire\u00a0» d’«\u00a0un\u00a0» jour («\u00a0deux\u00a0»)',
    ],
    [`"Je vois l'"ami" de Léa"`, '«\u00a0Je vois l’“ami” de Léa\u00a0»'],
    ['-- Bonjour... -- dit-il -- voilà', '— Bonjour… – dit-il – voilà'],
    [`Les années '90, un écran de 12"`, 'Les années ’90, un écran de 12"'],
    ['« déjà » typé', '« déjà » typé'],
    [`Un écran de 12" et "bon"`, 'Un écran de 12" et «\u00a0bon\u00a0»'],
    [`« Il a dit "oui" »`, '« Il a dit “oui” »'],
  ])('%s', (keys, shown) => expect(typed(keys, 'fr')).toBe(shown))
})

test.each([
  '`print("it\'s")` and ---',
  '<a href="boots">',
  "https://sea.example/it's--here...",
  '{{name|"it\'s"}}',
  'npm run --silent',
  '---',
  '../boots...',
  '<!--tide-->',
])('%s is what a program reads, and stays', (keys) => {
  expect(typed(keys, 'en')).toBe(keys)
  expect(typed(keys, 'fr')).toBe(keys)
})

test('a mark that was put back straight is closed by a straight one', () => {
  expect(correctionOf('A "word"', 'en')).toBeNull()
  expect(correctionOf('Un "mot"', 'fr')).toBeNull()
  expect(correctionOf('In "1990"', 'en')).toBeNull()
  expect(correctionOf('In "1990" and "', 'en')).toMatchObject({ by: '“' })
})

test('only quotation marks, full stops, hyphens and spaces become others', () => {
  const plain = (text: string) => text.replaceAll(/[«»“”‘’"'\u00a0 .…–—-]/g, '')
  const keys = fc.string({ unit: fc.constantFrom(...`a1"' .-«»(\n`), maxLength: 30 })
  fc.assert(
    fc.property(keys, fc.constantFrom('en', 'fr'), (text, language) => {
      expect(plain(typed(text, language))).toBe(plain(text))
    }),
  )
})
