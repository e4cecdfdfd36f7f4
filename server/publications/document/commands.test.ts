import { Editor } from '@tiptap/core'
import { expect, test } from 'vitest'
import { type DocumentNode, documentExtensions } from './schema.ts'
import { parseDocument } from './validate.ts'

/** The editor without a page around it: commands work on its state alone. */
function editing(...content: DocumentNode[]) {
  const editor = new Editor({ element: null, extensions: documentExtensions, content: { type: 'doc', content } })
  editor.commands.selectAll()
  return editor
}

const paragraph = (words: string): DocumentNode => ({ type: 'paragraph', content: [{ type: 'text', text: words }] })
const list = (...items: DocumentNode[]): DocumentNode => ({
  type: 'bulletList',
  content: items.map((item) => ({ type: 'listItem', content: [item] })),
})
const first = (editor: Editor) => editor.getJSON().content?.[0]

function expectValid(editor: Editor): void {
  expect(parseDocument(editor.getJSON())).toMatchObject({ ok: true })
}

test('indent and outdent move a paragraph between 0 and 8 steps', () => {
  const editor = editing(paragraph('a'))
  for (let step = 0; step < 12; step += 1) editor.commands.indent()
  expect(first(editor)?.attrs?.indent).toBe(8)
  expect(editor.can().indent()).toBe(false)
  editor.commands.outdent()
  expect(first(editor)?.attrs?.indent).toBe(7)
  expectValid(editor)
})

test('indent makes a list item part of the one before it, and outdent undoes that', () => {
  const editor = editing(list(paragraph('a'), paragraph('b')))
  editor.commands.setTextSelection(8)
  editor.commands.indent()
  expect(first(editor)?.content).toHaveLength(1)
  editor.commands.outdent()
  expect(first(editor)?.content).toHaveLength(2)
  expectValid(editor)
})

test('the direction of every selected block changes', () => {
  const editor = editing(paragraph('a'), paragraph('b'))
  editor.commands.setDirection('rtl')
  expect(editor.getJSON().content?.map((node) => node.attrs?.dir)).toEqual(['rtl', 'rtl'])
  editor.commands.unsetDirection()
  expect(first(editor)?.attrs?.dir).toBeNull()
  expectValid(editor)
})

test('size, colour, background and font share one mark, which is removed when it is empty', () => {
  const editor = editing(paragraph('a'))
  editor.chain().setSize('huge').setColor('#9a3412').setBackgroundColor('#fff3bf').setFont('fraunces').run()
  expect(first(editor)?.content?.[0]?.marks).toEqual([
    { type: 'textStyle', attrs: { size: 'huge', color: '#9a3412', backgroundColor: '#fff3bf', font: 'fraunces' } },
  ])
  expectValid(editor)
  editor.chain().unsetSize().unsetColor().unsetBackgroundColor().unsetFont().run()
  expect(first(editor)?.content?.[0]?.marks).toBeUndefined()
})

test('a video is recognised by its address; other addresses are refused', () => {
  const editor = editing(paragraph('a'))
  expect(editor.commands.setVideo({ url: 'https://evil.example/' })).toBe(false)
  expect(editor.commands.setVideo({ url: 'https://vimeo.com/123456', title: 'Tide' })).toBe(true)
  expect(first(editor)?.attrs).toMatchObject({ provider: 'vimeo', title: 'Tide' })
  expectValid(editor)
})

test('picture, button, divider, callout, merge tag and table', () => {
  const editor = editing(paragraph('a'))
  editor.commands.setImage({ mediaId: 'm1', src: '/media/m1', alt: 'Boats' })
  expectValid(editor)
  editor.commands.setButton({ label: 'Book', href: 'https://example.org/' })
  editor.commands.setContent({ type: 'doc', content: [paragraph('a')] })
  editor.commands.toggleCallout('tip')
  expect(first(editor)).toMatchObject({ type: 'callout', attrs: { tone: 'tip' } })
  editor.commands.setMergeTag({ field: 'name', fallback: 'reader' })
  editor.commands.setDivider('dots')
  editor.commands.insertTable({ rows: 2, cols: 2, withHeaderRow: true })
  expectValid(editor)
})

test('blocks for one place are wrapped whole, changed to another place, and lifted again', () => {
  const editor = editing(list(paragraph('a')), { type: 'callout', content: [paragraph('b')] })
  expect(editor.commands.toggleOnlyFor('web')).toBe(true)
  expect(editor.getJSON().content?.map(({ type }) => type)).toEqual(['onlyFor'])
  expect(first(editor)?.content?.map(({ type }) => type)).toEqual(['bulletList', 'callout'])
  editor.commands.toggleOnlyFor('email')
  expect(first(editor)).toMatchObject({ type: 'onlyFor', attrs: { for: 'email' } })
  expectValid(editor)
  editor.commands.setTextSelection(5)
  editor.commands.toggleOnlyFor('email')
  expect(editor.getJSON().content?.map(({ type }) => type)).toEqual(['bulletList', 'callout'])
})

test('what is for some readers does not come to be for one place, nor the reverse', () => {
  for (const [gate, other] of [
    ['paid', 'email'],
    ['free', 'web'],
    [[3], 'email'],
    ['web', 'paid'],
  ] as const) {
    const block = { type: 'onlyFor', attrs: { for: gate }, content: [paragraph('p')] }
    const editor = editing(block)
    editor.commands.setTextSelection(3)
    expect(editor.commands.toggleOnlyFor(other)).toBe(false)
    expect(first(editor)).toMatchObject({ attrs: { for: gate } })
  }
  const editor = editing({ type: 'onlyFor', attrs: { for: [3] }, content: [paragraph('p')] })
  editor.commands.setTextSelection(3)
  expect(editor.commands.toggleOnlyFor('free')).toBe(true)
  expect(first(editor)).toMatchObject({ attrs: { for: 'free' } })
})

test('no paywall, slot or other such block comes into one', () => {
  for (const gate of [
    { type: 'paywall' },
    { type: 'sponsorSlot', attrs: { placementId: 1 } },
    { type: 'onlyFor', attrs: { for: 'paid' }, content: [paragraph('p')] },
  ]) {
    const editor = editing(paragraph('a'), gate, paragraph('b'))
    expect(editor.commands.toggleOnlyFor('web')).toBe(false)
    expect(editor.getJSON().content).toHaveLength(3)
  }
})

test('a link of another protocol is not set', () => {
  const editor = editing(paragraph('a'))
  editor.commands.setLink({ href: 'javascript:alert(1)' })
  expect(first(editor)?.content?.[0]?.marks).toBeUndefined()
  editor.commands.setLink({ href: 'tel:+33298700000' })
  expect(first(editor)?.content?.[0]?.marks?.[0]).toMatchObject({ type: 'link', attrs: { href: 'tel:+33298700000' } })
  expectValid(editor)
})
