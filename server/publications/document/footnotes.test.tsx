import fc from 'fast-check'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { brandStyle } from '../../newsletters/branding.ts'
import { translator } from '../../translator.ts'
import { documentText, excerpt } from './document-text.ts'
import { renderEmailBody } from './email.tsx'
import { numbered } from './footnotes.ts'
import { collectLinks } from './links.ts'
import { noteLimits } from './note-text.ts'
import { renderText } from './plain-text.ts'
import type { DocumentNode } from './schema.ts'
import { vagueLinks } from './vague-links.ts'
import { documentLimits, parseDocument } from './validate.ts'
import { strangersAccess, visibleTo } from './visible.ts'
import { renderWeb } from './web.tsx'

const options = {
  t: translator('en'),
  link: (href: string) => `${href}?short`,
  image: () => ({ src: '', width: 1, height: 1 }),
  mergeTag: (_: string, fallback: string) => fallback,
  player: null,
  style: brandStyle('#0C5C5A', 'gazette'),
}

const text = (words: string, ...marks: object[]) => ({ type: 'text', text: words, ...(marks.length > 0 && { marks }) })
const note = (...parts: object[]): DocumentNode => ({ type: 'footnote', attrs: { note: parts } })
const paragraph = (...content: object[]) => ({ type: 'paragraph', content })
const link = (href: string) => ({ type: 'link', attrs: { href } })

function checked(...content: object[]) {
  const parsed = parseDocument({ type: 'doc', content })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems))
  return parsed.document
}
const problems = (...content: object[]) => {
  const parsed = parseDocument({ type: 'doc', content })
  return parsed.ok ? [] : parsed.problems.map(({ path, code }) => `${path} ${code}`)
}

const two = checked(
  paragraph(text('The tide'), note(text('Twice a day, '), text('mostly', { type: 'italic' })), text(' turns.')),
  {
    type: 'callout',
    content: [paragraph(text('Boots'), note(text('Of '), text('this shop', link('https://boots.example/'))))],
  },
  paragraph(text('Read on', link('https://read.example/'))),
)

test('on the web a number leads to the note at the end, and back', () => {
  const web = renderToStaticMarkup(renderWeb(two, options))
  expect(web).toContain(
    'The tide<sup><a id="note-place-1" href="#note-1" role="doc-noteref" aria-label="Note 1">1</a></sup> turns.',
  )
  expect(web).toMatch(
    /<section class="notes" role="doc-endnotes" aria-label="Notes"><ol><li id="note-1"><span>Twice a day, <em>mostly<\/em><\/span> <a href="#note-place-1" role="doc-backlink" aria-label="Back to the text, note 1">↩/,
  )
  expect(web).toContain('<a href="https://boots.example/?short" rel="noopener">this shop</a>')
  expect(web.endsWith('</ol></section>')).toBe(true)
})

test('a mail has the same, with the numbers written out', () => {
  const mail = renderToStaticMarkup(renderEmailBody(two, options))
  expect(mail).toMatch(
    /<a name="note-place-2"><\/a><a href="#note-2" role="doc-noteref" aria-label="Note 2"[^>]*>2<\/a>/,
  )
  expect(mail).toMatch(/<p[^>]*><a name="note-2"><\/a>2\. Of <a href="https:\/\/boots\.example\/\?short"/)
})

test('in plain text notes and links have marks of their own, each kind numbered as it is read', () => {
  expect(renderText(two, options)).toBe(
    [
      'The tide[note\u00a01] turns.\n',
      '| [Note]\n| Boots[note\u00a02]\n',
      'Read on [1]\n',
      'Notes\n[note\u00a01] Twice a day, _mostly_\n[note\u00a02] Of this shop [2]\n',
      'Links\n[1] https://read.example/?short\n[2] https://boots.example/?short\n',
    ].join('\n'),
  )
})

test('in plain text a link before a note is the first one, and so is the note', () => {
  const sentence = checked(
    paragraph(text('Read our story', link('https://a.example/')), text(' and the rest'), note(text('Or not.'))),
  )
  expect(renderText(sentence, { ...options, t: translator('fr') })).toBe(
    'Read our story [1] and the rest[note\u00a01]\n\nNotes\n[note\u00a01] Or not.\n\nLiens\n[1] https://a.example/?short\n',
  )
})

test('links of notes are tracked and checked as others are', () => {
  expect(collectLinks(two)).toEqual(['https://boots.example/', 'https://read.example/'])
  const vague = checked(paragraph(text('a'), note(text('here', link('https://vague.example/')))))
  expect(vagueLinks(vague)).toEqual([{ words: 'here', address: 'https://vague.example/' }])
})

test('a search finds the words of notes, and the beginning of a text has none of them', () => {
  expect(documentText(two)).toBe('The tide turns.\nBoots\nRead on\nTwice a day, mostly\nOf this shop')
  expect(excerpt(two)).toBe('The tide turns. Boots Read on')
})

test('a note without words is not shown, and does not count', () => {
  const web = renderToStaticMarkup(
    renderWeb(checked(paragraph(text('a'), note(), text('b'), note(text('n')))), options),
  )
  expect(web).toContain('<p>ab<sup>')
  expect(web.match(/doc-noteref/g)).toHaveLength(1)
  expect(renderToStaticMarkup(renderWeb(checked(paragraph(note())), options))).toBe('<p><br/></p>')
})

test('a note within a link ends it there: no link stands in another', () => {
  const web = renderToStaticMarkup(
    renderWeb(
      checked(
        paragraph(text('a', link('https://a.example/')), { ...note(text('n')), marks: [link('https://a.example/')] }),
      ),
      options,
    ),
  )
  expect(web).toContain('rel="noopener">a</a><sup><a id=')
})

test('notes below a paywall are cut with their text, and the others are numbered without them', () => {
  const { document } = visibleTo(
    checked(
      { type: 'onlyFor', attrs: { for: 'paid' }, content: [paragraph(text('a'), note(text('secret one')))] },
      paragraph(text('b'), note(text('open'))),
      { type: 'paywall' },
      paragraph(text('c'), note(text('secret two'))),
    ),
    strangersAccess,
    'web',
  )
  const shown = [renderWeb, renderEmailBody].map((render) => renderToStaticMarkup(render(document, options)))
  for (const all of [...shown, renderText(document, options), documentText(document)]) {
    expect(all).not.toContain('secret')
    expect(all).toContain('open')
  }
  expect(shown[0]).toContain('href="#note-1"')
})

test.each([
  ['a text that is no list', 'words'],
  ['a block', [paragraph(text('a'))]],
  ['empty words', [{ type: 'text', text: '' }]],
  ['half a character', [text('\uD800')]],
  ['underlined', [text('a', { type: 'underline' })]],
  ['bold twice', [text('a', { type: 'bold' }, { type: 'bold' })]],
  ['a script', [text('a', link('javascript:alert(1)'))]],
  ['a link with more', [text('a', { type: 'link', attrs: { href: 'https://a.example/', onclick: '1' } })]],
  ['a part with more', [{ ...text('a'), html: '<b>' }]],
  ['too long', [text('a'.repeat(noteLimits.characters + 1))]],
  ['too many parts', Array(noteLimits.parts + 1).fill(text('a'))],
  ['null', null],
])('a note is refused that is %s', (_, parts) => {
  expect(problems(paragraph({ type: 'footnote', attrs: { note: parts } }))).toEqual(['content[0].content[0] bad_note'])
})

test('a document has so many notes and no more', () => {
  const notes = (count: number) => paragraph(...Array(count).fill(note(text('n'))))
  expect(problems(notes(documentLimits.notes))).toEqual([])
  expect(problems(notes(documentLimits.notes + 2))).toEqual([
    `content[0].content[${documentLimits.notes}] too_many_notes`,
  ])
})

const someNote = fc.array(
  fc.string({ minLength: 1, maxLength: 8, unit: 'grapheme-ascii' }).map((words) => text(words)),
  { maxLength: 3 },
)
const someBlock = fc
  .array(
    fc.oneof(
      fc.constant(text('w')),
      someNote.map((parts) => note(...parts)),
    ),
  )
  .map((content) => paragraph(...content))

test('whatever the text, its notes are numbered from 1 in its order, each once', () => {
  fc.assert(
    fc.property(fc.array(someBlock, { minLength: 1 }), (blocks) => {
      const { document, notes } = numbered(checked(...blocks))
      const shown = [...JSON.stringify(document).matchAll(/"footnote","attrs":\{"number":(\d+)\}/g)].map(([, each]) =>
        Number(each),
      )
      expect(shown).toEqual(notes.map((_, index) => index + 1))
      expect(notes.every((each) => each.length > 0)).toBe(true)
    }),
  )
})
