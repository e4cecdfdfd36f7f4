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

test('blocks for one place are wrapped whole, and lifted again', () => {
  const editor = editing(list(paragraph('a')), { type: 'callout', content: [paragraph('b')] })
  expect(editor.commands.insertOnlyFor('web')).toBe(true)
  expect(editor.getJSON().content?.map(({ type }) => type)).toEqual(['onlyFor'])
  expect(first(editor)?.content?.map(({ type }) => type)).toEqual(['bulletList', 'callout'])
  expectValid(editor)
  editor.commands.setTextSelection(5)
  editor.commands.liftOnlyFor()
  expect(editor.getJSON().content?.map(({ type }) => type)).toEqual(['bulletList', 'callout'])
})

test('inside what is for some readers, or in one place, another such block comes below it, and the first stays as it is', () => {
  for (const [gate, other] of [
    ['paid', 'email'],
    ['paid', 'free'],
    ['free', 'paid'],
    ['paid', 'paid'],
    [[3], 'free'],
    ['web', 'paid'],
  ] as const) {
    const block = { type: 'onlyFor', attrs: { for: gate }, content: [paragraph('p'), { type: 'paragraph' }] }
    const editor = editing(block, paragraph('below'))
    editor.commands.setTextSelection(3)
    expect(editor.commands.insertOnlyFor(other)).toBe(true)
    editor.commands.insertContent({ type: 'text', text: 'new' })
    const [before, after, last] = editor.getJSON().content ?? []
    expect(before).toMatchObject({ attrs: { for: gate }, content: [paragraph('p'), { type: 'paragraph' }] })
    expect(after).toMatchObject({ type: 'onlyFor', attrs: { for: other }, content: [paragraph('new')] })
    expect(last).toMatchObject(paragraph('below'))
    expectValid(editor)
  }
})

test('the empty line that was begun at the end of a block for some readers goes when another such block comes below', () => {
  const editor = editing({ type: 'onlyFor', attrs: { for: 'paid' }, content: [paragraph('p'), { type: 'paragraph' }] })
  editor.commands.setTextSelection(5)
  editor.commands.insertOnlyFor('free')
  editor.commands.insertContent({ type: 'text', text: 'new' })
  expect(first(editor)?.content).toHaveLength(1)
  expect(editor.getJSON().content?.[1]).toMatchObject({ attrs: { for: 'free' }, content: [paragraph('new')] })
})

test('no paywall, slot or other such block comes into one', () => {
  for (const gate of [
    { type: 'paywall' },
    { type: 'sponsorSlot', attrs: { placementId: 1 } },
    { type: 'onlyFor', attrs: { for: 'paid' }, content: [paragraph('p')] },
  ]) {
    const editor = editing(paragraph('a'), gate, paragraph('b'))
    expect(editor.commands.insertOnlyFor('web')).toBe(false)
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
