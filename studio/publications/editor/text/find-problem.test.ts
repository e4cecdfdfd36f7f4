import { NodeSelection } from '@tiptap/pm/state'
import { expect, test } from 'vitest'
import { documentSchema } from '../../../../server/publications/document/schema.ts'
import { findProblem } from './find-problem.ts'

const text = (words: string, marks: object[] = []) => ({ type: 'text', text: words, marks })
const heading = (level: number, words: string) => ({ type: 'heading', attrs: { level }, content: [text(words)] })
const image = (alt: string, src: string) => ({ type: 'image', attrs: { src, alt } })
const tag = (fallback: string) => ({ type: 'mergeTag', attrs: { field: 'name', fallback } })

const note = (href: string) => ({
  type: 'footnote',
  attrs: { note: [{ type: 'text', text: 'here', marks: [{ type: 'link', attrs: { href } }] }] },
})

const doc = documentSchema.nodeFromJSON({
  type: 'doc',
  content: [
    heading(2, 'High water'),
    heading(3, 'Morning'),
    heading(2, 'Low water'),
    heading(4, 'Evening'),
    { type: 'paragraph', content: [text('Dear '), tag('reader'), text(', dear '), tag('')] },
    {
      type: 'paragraph',
      content: [
        text('Times are '),
        text('here', [{ type: 'link', attrs: { href: 'https://tides.example/' } }]),
        text(' pale words', [{ type: 'textStyle', attrs: { color: '#bbbbbb' } }]),
      ],
    },
    image('The harbour', 'https://tides.example/a.png'),
    image(' ', 'https://tides.example/b.png'),
    { type: 'paragraph', content: [text('Boots'), note('https://tides.example/boots')] },
    { type: 'paragraph', content: [{ type: 'footnote', attrs: { note: [] } }] },
    { type: 'button', attrs: { label: 'More', href: 'https://tides.example/more' } },
    { type: 'button', attrs: { label: 'Nowhere yet', href: '' } },
  ],
})

function found(place: Parameters<typeof findProblem>[1]) {
  const selection = findProblem(doc, place)
  return selection instanceof NodeSelection
    ? selection.node.attrs
    : selection && doc.textBetween(selection.from, selection.to)
}

test('the first place with the problem is selected, and nothing where it is gone', () => {
  expect(found({ at: 'words', words: 'pale words' })).toBe(' pale words')
  expect(found({ at: 'address', address: 'https://tides.example/' })).toBe('here')
  expect(found({ at: 'address', address: 'https://tides.example/more' })).toMatchObject({ label: 'More' })
  expect(found({ at: 'address', address: 'https://tides.example/a.png' })).toMatchObject({ alt: 'The harbour' })
  expect(found({ at: 'address', address: 'https://tides.example/boots' })).toHaveProperty('note')
  expect(found({ at: 'heading' })).toBe('Evening')
  expect(found({ at: 'image' })).toMatchObject({ src: 'https://tides.example/b.png' })
  expect(found({ at: 'button' })).toMatchObject({ label: 'Nowhere yet' })
  expect(found({ at: 'note' })).toEqual({ note: [] })
  expect(found({ at: 'mergeTag', field: 'name' })).toMatchObject({ fallback: '' })
  expect(found({ at: 'paywall' })).toBeNull()
  expect(found({ at: 'address', address: 'https://gone.example/' })).toBeNull()
})
