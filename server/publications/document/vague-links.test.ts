import { describe, expect, test } from 'vitest'
import type { PublicationDocument } from './schema.ts'
import { vagueLinks } from './vague-links.ts'
import { writtenInAnother } from './written-language.ts'

const doc = (...content: unknown[]) => ({ type: 'doc', content }) as PublicationDocument
const paragraph = (...content: unknown[]) => ({ type: 'paragraph', content })
const text = (words: string, href?: string, ...marks: unknown[]) => ({
  ...{ type: 'text', text: words },
  marks: [...(href ? [{ type: 'link', attrs: { href } }] : []), ...marks],
})
const tides = 'https://example.org/tides'
const harbour = 'https://example.org/harbour'

describe('the words of a link', () => {
  test.each([
    'here',
    'Here.',
    ' click here ',
    'READ MORE',
    'Ici',
    '« ici »',
    'cliquez ici !',
    'En savoir plus…',
    '→',
    '  ',
  ])('say nothing: “%s”', (words) => {
    expect(vagueLinks(doc(paragraph(text('It is '), text(words, tides))))).toEqual([
      { words: words.trim(), address: tides },
    ])
  })

  test.each(['the harbour', 'here is the harbour', 'ici, le port', 'https://example.org', '12', 'Plus de marées'])(
    'say where it leads: “%s”',
    (words) => {
      expect(vagueLinks(doc(paragraph(text(words, tides))))).toEqual([])
    },
  )

  test('are those of the whole link, however they look', () => {
    const bold = { type: 'bold' }
    const content = paragraph(text('here', tides, bold), text(' are the tides', tides))
    expect(vagueLinks(doc(content))).toEqual([])
    const two = paragraph(text('the tides ', tides), text('here', harbour))
    expect(vagueLinks(doc(two))).toEqual([{ words: 'here', address: harbour }])
    const apart = paragraph(text('the tides', tides), text(' and '), text('here', tides))
    expect(vagueLinks(doc(apart))).toEqual([{ words: 'here', address: tides }])
  })

  test('may be a field of its reader', () => {
    const field = { type: 'mergeTag', attrs: { field: 'town', fallback: '' }, marks: text('', tides).marks }
    expect(vagueLinks(doc(paragraph(field)))).toEqual([])
  })

  test('of a button are its label, of an image what it shows', () => {
    const button = (label: string) => ({ type: 'button', attrs: { label, href: tides } })
    const image = (alt: string, href: string | null) => ({ type: 'image', attrs: { alt, href } })
    expect(
      vagueLinks(
        doc(button('Here'), button('Book a boat'), image('', harbour), image('Boats', harbour), image('', null)),
      ),
    ).toEqual([
      { words: 'Here', address: tides },
      { words: '', address: harbour },
    ])
  })

  test('are found in lists and tables too', () => {
    const item = { type: 'listItem', content: [paragraph(text('link', tides))] }
    expect(vagueLinks(doc({ type: 'bulletList', content: [item] }))).toHaveLength(1)
  })
})

describe('the language of a text', () => {
  const english =
    'The tide comes twice a day, and the water that it brings is cold. You have to look at the clock, and not at the sea.'
  const french =
    'La marée vient deux fois par jour, et l’eau est froide. Il faut regarder la pendule, et pas la mer : elle est dans le port.'

  test('is another one than it says', () => {
    expect(writtenInAnother(doc(paragraph(text(english))), 'fr')).toBe('en')
    expect(writtenInAnother(doc(paragraph(text(french))), 'en')).toBe('fr')
  })

  test('is the one that it says, with some words of another', () => {
    expect(writtenInAnother(doc(paragraph(text(english))), 'en')).toBe(null)
    expect(writtenInAnother(doc(paragraph(text(french))), 'fr')).toBe(null)
    expect(writtenInAnother(doc(paragraph(text(`${english} They call it ${french}`))), 'en')).toBe(null)
  })

  test('is not guessed from a few words', () => {
    expect(writtenInAnother(doc(paragraph(text('Le port et la mer'))), 'en')).toBe(null)
    expect(writtenInAnother(doc(paragraph(text('30 × 40 cm, Rotterdam, 2026. '.repeat(20)))), 'en')).toBe(null)
  })
})
