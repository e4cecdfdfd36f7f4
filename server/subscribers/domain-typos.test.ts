import { expect, test } from 'vitest'
import { isOneEditAway, probablyMeant } from './domain-typos.ts'

test.each([
  ['gmial.com', 'gmail.com'],
  ['gmai.com', 'gmail.com'],
  ['gmaill.com', 'gmail.com'],
  ['gnail.com', 'gmail.com'],
  ['gmail.con', 'gmail.com'],
  ['gmail.co', 'gmail.com'],
  ['hotmial.fr', 'hotmail.fr'],
  ['hotmai.co.uk', 'hotmail.co.uk'],
  ['yaho.com', 'yahoo.com'],
  ['outlok.fr', 'outlook.fr'],
  ['ornage.fr', 'orange.fr'],
  ['wanado.fr', 'wanadoo.fr'],
  ['laposte.met', null],
  ['icoud.com', 'icloud.com'],
])('%s was probably %s', (typed, meant) => {
  expect(probablyMeant(`ada+x@${typed}`)).toBe(meant && `ada+x@${meant}`)
})

test.each([
  'gmail.com',
  'ymail.com',
  'mail.com',
  'email.com',
  'cloud.com',
  'yahoo.ca',
  'yahoo.de',
  'hotmail.it',
  'hotmail.be',
  'outlook.kr',
  'orange.com',
  'free.fr',
  'sfr.fr',
  'example.com',
  'gmx.net',
  'proton.ch',
  'xn--gml-hoa.com',
])('%s is taken as it is', (domain) => {
  expect(probablyMeant(`ada@${domain}`)).toBeNull()
})

/** By the table that the distance is usually defined with (optimal string alignment). */
function distance(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => i || j))
  const at = (i: number, j: number) => table[i]?.[j] ?? Number.POSITIVE_INFINITY
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const row = table[i] as number[]
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      row[j] = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + same, swapped ? at(i - 2, j - 2) + 1 : 9)
    }
  return at(a.length, b.length)
}

test('one edit is what the usual definition says, for all words of up to four letters out of two', () => {
  const words = ['']
  for (const word of words) if (word.length < 4) words.push(`${word}a`, `${word}b`)
  for (const a of words)
    for (const b of words) expect([a, b, isOneEditAway(a, b)]).toEqual([a, b, distance(a, b) === 1])
})
