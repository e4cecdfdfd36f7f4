import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DocumentNode } from './schema.ts'
import { typeset, typesetDocument } from './typography.ts'

const usual = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ').replaceAll(/ +/g, ' ')

describe('a French text', () => {
  test.each([
    ['La Vilaine en novembre : ce que disent les crues', 'La Vilaine en novembre\u00a0: ce que disent les crues'],
    ['Quoi ? Non ! Si ; enfin  ?!', 'Quoi\u202f? Non\u202f! Si\u202f; enfin\u202f?!'],
    ['Il dit « bonjour » et s’en va', 'Il dit «\u00a0bonjour\u00a0» et s’en va'],
    ['Douze mètres\u00a0: déjà bien', 'Douze mètres\u00a0: déjà bien'],
    ['Sans espace: rien ne change, C\'est "dit"', 'Sans espace: rien ne change, C\'est "dit"'],
    ['12 % de + 22 min, soit 3 km', '12\u00a0% de +\u00a022\u00a0min, soit 3\u00a0km'],
    ['12 000 signes, 1 234,5 ou 1 234 567 €', '12\u202f000 signes, 1\u202f234,5 ou 1\u202f234\u202f567\u00a0€'],
    ['en 2024 300 personnes, 2 3, 12 0000 ou 1234 567', 'en 2024 300 personnes, 2 3, 12 0000 ou 1234 567'],
    ['un format A4 200 fois, au 06 12 34', 'un format A4 200 fois, au 06 12 34'],
    [
      '14 h 30, 90 km/h, 12 m², 3 °C, 2 £ et 5 M€',
      '14\u00a0h\u00a030, 90\u00a0km/h, 12\u00a0m², 3\u00a0°C, 2\u00a0£ et 5\u00a0M€',
    ],
    ['3 L, 5 To, 40 MWh, 2 kmh, 3 mètres', '3\u00a0L, 5\u00a0To, 40\u00a0MWh, 2 kmh, 3 mètres'],
    [' : au début', ' : au début'],
    ['', ''],
  ])('%s', (typed, shown) => expect(typeset(typed, 'fr')).toBe(shown))
})

test('an English text keeps its spaces before signs, and its numbers their units', () => {
  expect(typeset('Tides : 22 min late ; so what ? 3 miles, week 12 300', 'en')).toBe(
    'Tides : 22\u00a0min late ; so what ? 3 miles, week 12 300',
  )
})

const typed = fc.string({
  unit: fc.constantFrom(...'a1 «»‹›:;!?%€+-\n\u00a0\u202f', 'min', '😀', ' ', '234'),
  maxLength: 40,
})

test('only spaces change, twice is as once, and no line of French begins with a sign or a part of a number', () => {
  fc.assert(
    fc.property(typed, (text) => {
      const shown = typeset(text, 'fr')
      expect(usual(shown)).toBe(usual(text))
      expect(typeset(shown, 'fr')).toBe(shown)
      expect(shown).not.toMatch(/\S [:;!?»›]|[«‹] \S|(?<![\p{L}\d])\d{1,3} \d{3}(?!\d)/u)
    }),
  )
})

const text = (words: string, ...marks: string[]): DocumentNode => ({
  type: 'text',
  text: words,
  ...(marks.length > 0 && { marks: marks.map((type) => ({ type })) }),
})
const doc = (...content: DocumentNode[]) => ({ type: 'doc' as const, content })
const p = (...content: DocumentNode[]): DocumentNode => ({ type: 'paragraph', content })

test('a paragraph that is cut into words of several marks is set as one that is not', () => {
  fc.assert(
    fc.property(fc.array(typed.filter(Boolean), { maxLength: 6 }), (parts) => {
      const { content = [] } = typesetDocument(doc(p(...parts.map((part) => text(part, 'bold')))), 'fr')
      const runs = content[0]?.content ?? []
      expect(runs.map((run) => run.text).join('')).toBe(typeset(parts.join(''), 'fr'))
      expect(runs).toHaveLength(parts.length)
    }),
  )
})

test('what is beside a merge tag, a note or code is set, and none of these; a new line is one', () => {
  const tag: DocumentNode = { type: 'mergeTag', attrs: { field: 'name', fallback: 'vous !' } }
  const link = { type: 'link', attrs: { href: 'https://a.test/?q=a :' } }
  const written = doc(
    p(text('Bonjour '), tag, text(' ! Voyez '), text('a ? b : c', 'code'), text(' :')),
    p(text('Un'), { type: 'hardBreak' }, text(' ? deux')),
    p({ type: 'text', text: 'Ici :', marks: [link] }),
    { type: 'codeBlock', content: [text('a ? b : c')] },
  )
  expect(typesetDocument(written, 'fr')).toEqual(
    doc(
      p(text('Bonjour '), tag, text('\u202f! Voyez '), text('a ? b : c', 'code'), text('\u00a0:')),
      p(text('Un'), { type: 'hardBreak' }, text(' ? deux')),
      p({ type: 'text', text: 'Ici\u00a0:', marks: [link] }),
      { type: 'codeBlock', content: [text('a ? b : c')] },
    ),
  )
})

test('notes, captions, buttons and sponsors are set too, and the document that was given is not changed', () => {
  const note = (words: string): DocumentNode => ({ type: 'footnote', attrs: { note: [text(words)] } })
  const of = (sign: string) =>
    doc(
      p(text('Lu'), note(`Vrai${sign}?`)),
      { type: 'image', attrs: { mediaId: 'm', alt: `Quoi${sign}?`, caption: `Ah${sign}!`, href: 'https://a.test/ ?' } },
      { type: 'button', attrs: { label: `Venez${sign}!`, href: 'https://a.test/' } },
      { type: 'sponsor', attrs: { name: 'A ! B', text: `Vite${sign}!`, label: `Voir${sign}!`, linkId: 'l' } },
    )
  const written = of(' ')
  expect(typesetDocument(written, 'fr')).toEqual(of('\u202f'))
  expect(written).toEqual(of(' '))
})
