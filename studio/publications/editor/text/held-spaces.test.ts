import { expect, test } from 'vitest'
import { documentSchema } from '../../../../server/publications/document/schema.ts'
import { heldOf } from './held-spaces.ts'

const text = (words: string, ...marks: string[]) => ({
  type: 'text',
  text: words,
  ...(marks.length > 0 && { marks: marks.map((type) => ({ type })) }),
})
const of = (...content: object[]) =>
  documentSchema.nodeFromJSON({ type: 'doc', content: [{ type: 'paragraph', content: [text('Un.')] }, ...content] })

const held = (language: 'en' | 'fr', ...content: object[]) => {
  const doc = of(...content)
  return heldOf(doc, language).map(({ from, to }) => doc.textBetween(from, to))
}
const p = (...content: object[]) => ({ type: 'paragraph', content })

test('no line breaks after an opening guillemet, nor before its closing one, in any mark and any block', () => {
  expect(held('fr', p(text('Oui\u00a0! « Voilà » : 22 min')))).toEqual(['2 ', 'à ', '» ', '« '])
  const quoted = p(text('Un titre, « '), text('Le Quart', 'italic'), text('  », deux'))
  expect(held('fr', { type: 'bulletList', content: [{ type: 'listItem', content: [quoted] }] })).toEqual(['t  ', '« '])
  const tag = { type: 'mergeTag', attrs: { field: 'name', fallback: 'vous' } }
  expect(held('fr', p(text('« '), tag, text(' » !')))).toEqual(['» ', ' ', '« '])
  expect(held('fr', p(text('En 2024 300 lectrices, '), text('12', 'bold'), text(' 000 signes')))).toEqual(['2 '])
})

test('code breaks anywhere, a new line is one, and English holds numbers and their units', () => {
  const code = { type: 'codeBlock', content: [text('a ? b : c')] }
  expect(held('fr', p(text('a ? b', 'code')), code, p(text('Un'), { type: 'hardBreak' }, text(' ? deux')))).toEqual([])
  expect(held('en', p(text('Tides : 22 min late ; so what ?')))).toEqual(['2 '])
})
