import { expect, test } from 'vitest'
import { documentText, excerpt, readingMinutes, wordCount } from './document-text.ts'
import type { PublicationDocument } from './schema.ts'
import { wordsIn } from './words-in.ts'

const document: PublicationDocument = {
  type: 'doc',
  content: [
    { type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: 'Aujourd’hui' }] },
    {
      type: 'paragraph',
      content: [
        { type: 'text', text: 'L’encre, c’est ' },
        { type: 'text', text: 'peut-être', marks: [{ type: 'bold' }] },
        { type: 'text', text: ' 12 mots ' },
        { type: 'mergeTag', attrs: { field: 'name', fallback: 'lecteur' } },
      ],
    },
    { type: 'image', attrs: { src: '/a.png', alt: 'Quatre bateaux' } },
  ],
}

test('text, one line a block', () => {
  expect(documentText(document)).toBe('Aujourd’hui\nL’encre, c’est peut-être 12 mots lecteur\nQuatre bateaux')
})

test('number of words, and minutes of reading', () => {
  expect(wordCount(document)).toBe(9)
  expect(readingMinutes(document)).toBe(1)
  const long = {
    type: 'doc',
    content: [{ type: 'paragraph', content: [{ type: 'text', text: 'mot '.repeat(2300) }] }],
  } as const
  expect(readingMinutes(structuredClone(long) as unknown as PublicationDocument)).toBe(10)
})

test('an excerpt ends at a word', () => {
  expect(excerpt(document, 30)).toBe('Aujourd’hui L’encre, c’est…')
  expect(excerpt(document)).toBe('Aujourd’hui L’encre, c’est peut-être 12 mots lecteur Quatre bateaux')
})

test('a button counts only where it leads somewhere, because readers get no other', () => {
  const button = (href: string) => ({ type: 'button', attrs: { label: 'Read on', href } })
  const text = (href: string) => ({ ...document, content: [...(document.content ?? []), button(href)] })
  for (const of of [documentText, excerpt]) {
    expect(of(text('https://example.org/'))).toMatch(/Read on$/)
    expect(of(text(''))).toBe(of(document))
  }
})

const paragraph = (...content: PublicationDocument['content'] & object) =>
  ({ type: 'doc', content: [{ type: 'paragraph', content }] }) as PublicationDocument
const said = (text: string) => ({ type: 'text', text })
const tag = (fallback: string) => ({ type: 'mergeTag', attrs: { field: 'name', fallback } })

test.each([
  [[said('Dear '), tag(''), said(', hello')], 'Dear, hello'],
  [[said('Hello, '), tag(' '), said('!')], 'Hello!'],
  [[tag(''), said(', hello')], 'hello'],
  [[said('Hello'), tag(' dear reader'), said(', welcome')], 'Hello dear reader, welcome'],
])('a tag leaves no gap, and its fallback stays as it was written: %j', (content, text) => {
  expect(documentText(paragraph(...content))).toBe(text)
})

test.each([' ', ',', '\n', ', '])('a run of %j is read once, however long it is', (one) => {
  expect(documentText(paragraph(said(`’${one.repeat(300_000)}’`)))).toContain('’')
})

test.each([
  ['Read this: https://example.com/buoys?x=1&y=2, twice', 4],
  ['Voyez www.maree-basse.example/l-heure ou écrivez à ines.kerbrat@maree-basse.example.', 6],
  ['it’s well-known: 1,024.5 at 10:30', 5],
  ['@home, a@b and https://', 4],
])('an address is one word: %j', (text, count) => {
  expect(wordsIn(text)).toBe(count)
})

test.each(['@', 'a', 'a.', '’', 'www.'])('a run of %j is counted at once, however long it is', (one) => {
  expect(wordsIn(one.repeat(100_000))).toBeGreaterThanOrEqual(0)
})
