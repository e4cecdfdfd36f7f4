import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { markAttributeRules, nodeAttributeRules } from './attribute-rules.ts'
import { documentSchema, emptyDocument } from './schema.ts'
import { documentLimits, parseDocument } from './validate.ts'

const text = (words: string, ...marks: object[]) => ({ type: 'text', text: words, marks })
const paragraph = (...content: object[]) => ({ type: 'paragraph', content })
const doc = (...content: object[]) => ({ type: 'doc', content })

const problems = (json: unknown) => {
  const parsed = parseDocument(json)
  return parsed.ok ? [] : parsed.problems.map(({ path, code }) => `${path} ${code}`)
}

test('the empty document and a full one are accepted', () => {
  expect(parseDocument(emptyDocument).ok).toBe(true)
  expect(problems(doc(paragraph(text('Bonjour', { type: 'bold' }))))).toEqual([])
})

test('what was accepted is accepted again, unchanged', () => {
  const first = parseDocument(doc(paragraph(text('a', { type: 'italic' }, { type: 'bold' })), { type: 'divider' }))
  if (!first.ok) throw new Error('refused')
  expect(parseDocument(first.document)).toEqual(first)
})

test('every attribute of the schema has a rule, and every rule has an attribute', () => {
  const attributes = (types: typeof documentSchema.nodes | typeof documentSchema.marks) =>
    Object.entries(types).flatMap(([name, type]) => Object.keys(type.spec.attrs ?? {}).map((each) => `${name}.${each}`))
  const rules = (table: typeof nodeAttributeRules) =>
    Object.entries(table).flatMap(([name, each]) => Object.keys(each).map((attribute) => `${name}.${attribute}`))
  expect(rules(nodeAttributeRules).sort()).toEqual(attributes(documentSchema.nodes).sort())
  expect(rules(markAttributeRules).sort()).toEqual(attributes(documentSchema.marks).sort())
})

const link = (href: unknown) => doc(paragraph(text('a', { type: 'link', attrs: { href } })))
const styled = (attrs: object) => doc(paragraph(text('a', { type: 'textStyle', attrs })))
const place = 'content[0].content[0].marks[0]'

describe('what does not fit the schema is refused with its path', () => {
  test.each([
    ['not a document', 'text', ' not_a_document'],
    ['a list at the top', { type: 'bulletList' }, ' not_a_document'],
    ['nothing in it', doc(), ' missing_content'],
    ['a stranger', doc(paragraph(), { type: 'script' }), 'content[1] unknown_node'],
    ['a prototype', doc({ type: '__proto__' }), 'content[0] unknown_node'],
    ['a constructor', doc({ type: 'constructor' }), 'content[0] unknown_node'],
    ['words at the top', doc(text('a')), 'content[0] not_allowed_here'],
    ['an item without its list', doc({ type: 'listItem', content: [paragraph()] }), 'content[0] not_allowed_here'],
    ['an empty list', doc({ type: 'bulletList', content: [] }), 'content[0] missing_content'],
    ['a block in a paragraph', doc(paragraph(paragraph())), 'content[0].content[0] not_allowed_here'],
    ['empty words', doc(paragraph(text(''))), 'content[0].content[0] empty_text'],
    ['half a character', doc(paragraph(text('\uD800'))), 'content[0].content[0] bad_text'],
    ['content that is no list', doc({ type: 'paragraph', content: 'a' }), 'content[0] not_a_node'],
    ['a hole', { type: 'doc', content: [null] }, 'content[0] not_a_node'],
    ['a key of nobody', doc({ type: 'paragraph', html: '<b>' }), 'content[0] unknown_key'],
    ['an attribute of nobody', doc({ type: 'paragraph', attrs: { onclick: '1' } }), 'content[0] unknown_attribute'],
    ['an inherited attribute', doc({ type: 'paragraph', attrs: { toString: '1' } }), 'content[0] unknown_attribute'],
    ['a heading of level 7', doc({ type: 'heading', attrs: { level: 7 } }), 'content[0] bad_number'],
    ['a heading of no number', doc({ type: 'heading', attrs: { level: Number.NaN } }), 'content[0] bad_number'],
    ['nine indents', doc({ type: 'paragraph', attrs: { indent: 9 } }), 'content[0] bad_number'],
    ['a sideways direction', doc({ type: 'paragraph', attrs: { dir: 'up' } }), 'content[0] bad_choice'],
    ['javascript', link('javascript:alert(1)'), `${place} bad_link`],
    ['javascript behind a line break', link('java\nscript:alert(1)'), `${place} bad_link`],
    ['data', link('data:text/html,<script>'), `${place} bad_link`],
    ['a relative link', link('/about'), `${place} bad_link`],
    ['no link', link(null), `${place} bad_link`],
    ['a named colour', styled({ color: 'red' }), `${place} bad_color`],
    ['a colour with more in it', styled({ color: '#ffffff;position:fixed' }), `${place} bad_color`],
    ['a background of an address', styled({ backgroundColor: 'url(//x)' }), `${place} bad_color`],
    ['a size of its own', styled({ size: '72px' }), `${place} bad_size`],
    ['a font of its own', styled({ font: 'Comic Sans' }), `${place} bad_font`],
    ['an unknown mark', doc(paragraph(text('a', { type: 'blink' }))), `${place} unknown_mark`],
    [
      'bold twice',
      doc(paragraph(text('a', { type: 'bold' }, { type: 'bold' }))),
      'content[0].content[0].marks[1] mark_conflict',
    ],
    ['bold code', doc({ type: 'codeBlock', content: [text('a', { type: 'bold' })] }), `${place} mark_not_allowed`],
    ['a picture of nothing', doc({ type: 'image', attrs: { alt: 'a' } }), 'content[0] missing_picture'],
    [
      'a picture in the text',
      doc({ type: 'image', attrs: { src: 'data:image/png;base64,AA' } }),
      'content[0] bad_picture',
    ],
    [
      'a picture of another scheme',
      doc({ type: 'image', attrs: { src: '//evil.example/a.png' } }),
      'content[0] bad_picture',
    ],
    ['a film of a stranger', doc({ type: 'video', attrs: { url: 'https://evil.example/' } }), 'content[0] bad_video'],
    [
      'a merge tag with code',
      doc(paragraph({ type: 'mergeTag', attrs: { field: '{{x}}' } })),
      'content[0].content[0] bad_field',
    ],
  ])('%s', (_, json, expected) => {
    expect(problems(json)).toContain(expected)
  })
})

describe('hostile input costs no more than a large honest document: reading stops', () => {
  let reads = 0
  beforeEach(() => {
    reads = 0
  })
  /** An object that counts how often its keys are looked at. */
  const watched = (values: object) =>
    new Proxy(values, {
      get: (target, key) => {
        reads += 1
        return Reflect.get(target, key)
      },
      getOwnPropertyDescriptor: (target, key) => {
        reads += 1
        return Reflect.getOwnPropertyDescriptor(target, key)
      },
    })

  test('nested 100,000 times', () => {
    let node: object = watched({ type: 'paragraph' })
    for (let depth = 0; depth < 100_000; depth += 1) node = watched({ type: 'blockquote', content: [node] })
    expect(problems(doc(node))[0]).toMatch(/too_deep$/)
    expect(reads).toBeLessThan(documentLimits.depth * 100)
  })

  test('10 MB of text', () => {
    expect(problems(doc(paragraph(text('a'.repeat(10_000_000)))))[0]).toMatch(/too_large$/)
  })

  test('a million paragraphs', () => {
    const one = watched({ type: 'paragraph' })
    const crowd = Array.from({ length: 1_000_000 }, () => one)
    expect(problems({ type: 'doc', content: crowd })[0]).toMatch(/too_large$/)
    expect(reads).toBeLessThan(documentLimits.nodes * 40)
  })

  test('a million unknown nodes', () => {
    const one = watched({ type: 'x' })
    expect(problems({ type: 'doc', content: Array.from({ length: 1_000_000 }, () => one) })).toHaveLength(20)
    expect(reads).toBeLessThan(documentLimits.problems * 40)
  })

  test.each([
    ['attributes', (many: object) => ({ type: 'paragraph', attrs: watched(many) })],
    ['keys', (many: object) => watched({ type: 'paragraph', ...many })],
  ])('ten thousand %s', (_, made) => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`a${index}`, 1]))
    expect(problems(doc(made(many)))).toHaveLength(documentLimits.problems)
    expect(reads).toBeLessThan(documentLimits.problems * 40)
  })

  test('hundreds of thousands of marks', () => {
    const one = watched({ type: 'bold' })
    const marks = Array.from({ length: 300_000 }, () => one)
    expect(problems(doc(paragraph({ type: 'text', text: 'a', marks })))).toEqual([expect.stringMatching(/not_a_mark$/)])
    expect(reads).toBe(0)
  })
})

test('parsing never throws, and ProseMirror accepts what it accepts', () => {
  const names = fc.constantFrom('doc', 'text', ...Object.keys(documentSchema.nodes), '__proto__')
  const node = fc.letrec((tie) => ({
    node: fc.record(
      {
        type: names,
        text: fc.oneof(fc.string(), fc.anything()),
        attrs: fc.oneof(
          fc.dictionary(fc.constantFrom('level', 'href', 'src', 'dir', 'indent', 'url', 'note', 'for'), fc.anything()),
          fc.anything(),
        ),
        marks: fc.oneof(
          fc.array(fc.record({ type: fc.constantFrom(...Object.keys(documentSchema.marks)) })),
          fc.anything(),
        ),
        content: fc.oneof({ maxDepth: 4 }, fc.array(tie('node'), { maxLength: 4 }), fc.anything()),
      },
      { requiredKeys: ['type'] },
    ),
  })).node
  fc.assert(
    fc.property(
      fc.oneof(
        fc.anything(),
        node,
        fc.array(node).map((content) => ({ type: 'doc', content })),
      ),
      (json) => {
        const parsed = parseDocument(json)
        if (parsed.ok) documentSchema.nodeFromJSON(parsed.document).check()
        else expect(parsed.problems.length).toBeGreaterThan(0)
      },
    ),
    { numRuns: 500 },
  )
})
