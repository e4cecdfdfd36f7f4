import { Editor } from '@tiptap/core'
import { EditorState } from '@tiptap/pm/state'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { onePaywall } from './gate-nodes.ts'
import { type DocumentNode, documentExtensions, type PublicationDocument } from './schema.ts'
import { parseDocument } from './validate.ts'
import { everyPlan, gatesOf, strangersAccess, viewOf, visibleTo } from './visible.ts'

const paragraph = (words: string): DocumentNode => ({ type: 'paragraph', content: [{ type: 'text', text: words }] })
const picture: DocumentNode = { type: 'image', attrs: { mediaId: 'm1', alt: 'A boat' } }
const paywall = (...plans: number[]): DocumentNode => ({ type: 'paywall', attrs: { plans } })
const onlyFor = (gate: unknown, ...content: DocumentNode[]): DocumentNode => ({
  type: 'onlyFor',
  attrs: { for: gate },
  content,
})
const doc = (...content: DocumentNode[]): PublicationDocument => ({ type: 'doc', content })
const having = (...plans: number[]) => ({ plans: new Set(plans) })

test('a paywall cuts for a stranger and is gone for who has a plan', () => {
  const written = doc(paragraph('before'), paywall(), paragraph('after'), picture, picture)
  expect(visibleTo(written, strangersAccess, 'web')).toEqual({
    document: doc(paragraph('before')),
    cut: { minutes: 0, pictures: 2, plans: [] },
  })
  const whole = { document: doc(paragraph('before'), paragraph('after'), picture, picture), cut: null }
  expect(visibleTo(written, having(7), 'web')).toEqual(whole)
})

test.each([
  ['paid', having(), false],
  ['paid', having(9), true],
  ['free', having(), true],
  ['free', having(9), false],
  [[1, 2], having(2), true],
  [[1, 2], having(3), false],
  [[1, 2], having(), false],
  // Not as any writer leaves it: it opens for nobody who has not paid.
  [[], having(), false],
  [undefined, having(), false],
  ['everybody', having(), false],
])('a block for %j', (gate, access, shown) => {
  const { document, cut } = visibleTo(doc(onlyFor(gate, paragraph('a'), paragraph('b'))), access, 'web')
  expect(document.content).toEqual(shown ? [paragraph('a'), paragraph('b')] : [])
  expect(cut).toBeNull()
})

test('a block for one place is read there by everybody, and is no gate', () => {
  const written = doc(paragraph('a'), onlyFor('web', paragraph('w'), picture), onlyFor('email', paragraph('m')))
  const inPlace = (surface: 'web' | 'email' | 'every') => visibleTo(written, strangersAccess, surface).document
  expect(inPlace('web')).toEqual(doc(paragraph('a'), paragraph('w'), picture))
  expect(inPlace('email')).toEqual(doc(paragraph('a'), paragraph('m')))
  expect(inPlace('every')).toEqual(doc(paragraph('a'), paragraph('w'), picture, paragraph('m')))
  expect(gatesOf(written)).toEqual([])
  expect(parseDocument(written)).toMatchObject({ ok: true })
})

test('what a paywall tells of the rest is of the place where it stands', () => {
  const written = doc(paragraph('a'), paywall(), onlyFor('email', picture), onlyFor('web', picture, picture))
  expect(visibleTo(written, strangersAccess, 'web').cut?.pictures).toBe(2)
  expect(visibleTo(written, strangersAccess, 'email').cut?.pictures).toBe(1)
  expect(visibleTo(written, strangersAccess, 'email').document).toEqual(doc(paragraph('a')))
})

test('a paywall for some plans stays shut for another one', () => {
  const written = doc(paragraph('before'), paywall(4, 2), paragraph('after'))
  expect(visibleTo(written, having(3), 'web').cut?.plans).toEqual([2, 4])
  expect(visibleTo(written, having(2), 'web').cut).toBeNull()
})

const open = fc.integer({ min: 0, max: 99 }).map((number) => paragraph(`open ${number}`))
const secret = fc.integer({ min: 0, max: 99 }).map((number) => paragraph(`secret ${number}`))
const plans = fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { maxLength: 3 })
const block = fc.oneof(
  { weight: 3, arbitrary: open },
  fc
    .tuple(
      fc.oneof(
        fc.constant('paid'),
        plans.filter(({ length }) => length > 0),
      ),
      fc.array(secret, { minLength: 1 }),
    )
    .map(([gate, content]) => onlyFor(gate, ...content)),
)
const written = fc
  .record({ before: fc.array(block), after: fc.array(fc.oneof(secret, block)), wall: plans })
  .map(({ before, after, wall }) => ({
    document: doc(...before, paywall(...wall), ...after),
    openBefore: before.filter(({ type }) => type === 'paragraph'),
  }))

test('a stranger sees nothing secret, and all that is open above the paywall, as it was', () => {
  fc.assert(
    fc.property(written, ({ document, openBefore }) => {
      const seen = visibleTo(document, strangersAccess, 'web')
      expect(JSON.stringify(seen)).not.toContain('secret')
      expect(seen.document).toEqual(doc(...openBefore))
    }),
  )
})

test('who has every plan sees all of it in its order, and nothing of the gates', () => {
  fc.assert(
    fc.property(written, ({ document }) => {
      const blocks = (document.content ?? []).flatMap((node) =>
        node.type === 'paragraph' ? [node] : (node.content ?? []),
      )
      expect(visibleTo(document, everyPlan(gatesOf(document)), 'web')).toEqual({ document: doc(...blocks), cut: null })
    }),
  )
})

const placed = fc.array(
  fc.oneof(
    fc.constant(paragraph('both')),
    fc.constantFrom('web', 'email').map((surface) => onlyFor(surface, paragraph(`only ${surface}`))),
    fc.constantFrom('paid', 'free').map((gate) => onlyFor(gate, paragraph('some'))),
    fc.constant(paywall()),
  ),
)

test('nothing that is only for the other place is seen in one, whoever reads', () => {
  fc.assert(
    fc.property(placed, plans, (blocks, ids) => {
      for (const [here, there] of [
        ['web', 'email'],
        ['email', 'web'],
      ] as const) {
        const seen = JSON.stringify(visibleTo(doc(...blocks), having(...ids), here))
        expect(seen).not.toContain(`only ${there}`)
        expect(seen).not.toContain('onlyFor')
      }
    }),
  )
})

test('readers of one view see the same', () => {
  fc.assert(
    fc.property(written, plans, plans, ({ document }, one, other) => {
      const gates = gatesOf(document)
      if (viewOf(gates, having(...one)) !== viewOf(gates, having(...other))) return
      expect(visibleTo(document, having(...one), 'web')).toEqual(visibleTo(document, having(...other), 'web'))
    }),
  )
})

test('a document without gates is the same for everybody, in one view', () => {
  const plain = doc(paragraph('a'), picture)
  expect(visibleTo(plain, strangersAccess, 'web')).toEqual({ document: plain, cut: null })
  expect(viewOf(gatesOf(plain), having(3))).toBe('')
})

describe('what is checked', () => {
  const problems = (json: unknown) => {
    const parsed = parseDocument(json)
    return parsed.ok ? [] : parsed.problems.map(({ path, code }) => `${path} ${code}`)
  }
  test.each([
    ['both of them', doc(paragraph('a'), paywall(), onlyFor('free', paragraph('b'))), []],
    ['a paywall at the very top', doc(paywall(1, 2)), []],
    ['two paywalls', doc(paywall(), paragraph('a'), paywall()), ['content[2] second_paywall']],
    [
      'a paywall in a callout',
      doc({ type: 'callout', content: [paywall()] }),
      ['content[0].content[0] not_allowed_here'],
    ],
    [
      'a paywall in a block for some',
      doc(onlyFor('paid', paragraph('a'), paywall())),
      ['content[0].content[1] not_allowed_here'],
    ],
    [
      'a block for some in another',
      doc(onlyFor('paid', onlyFor('free', paragraph('a')))),
      ['content[0].content[0] not_allowed_here'],
    ],
    ['an empty block for some', doc(onlyFor('paid')), ['content[0] missing_content']],
    ['plans that are no ids', doc({ type: 'paywall', attrs: { plans: ['1'] } }), ['content[0] bad_plans']],
    ['a plan twice', doc(paywall(1, 1)), ['content[0] bad_plans']],
    ['21 plans', doc(paywall(...Array.from({ length: 21 }, (_, index) => index + 1))), ['content[0] bad_plans']],
    ['a block for nobody', doc(onlyFor([], paragraph('a'))), ['content[0] bad_plans']],
    ['a block for somebody unknown', doc(onlyFor('friends', paragraph('a'))), ['content[0] bad_choice']],
    [
      'seven different gates',
      doc(...Array.from({ length: 7 }, (_, index) => onlyFor([index + 1], paragraph('a')))),
      [' too_many_gates'],
    ],
    ['one gate seven times', doc(...Array.from({ length: 7 }, () => onlyFor([1], paragraph('a')))), []],
  ])('%s', (_, json, expected) => {
    const found = problems(json)
    expect(found).toEqual(expected)
  })
})

describe('in the editor', () => {
  const editing = (...content: DocumentNode[]) =>
    new Editor({ element: null, extensions: documentExtensions, content: doc(...content) })
  const types = (editor: Editor) => (editor.getJSON().content ?? []).map(({ type }) => type)

  test('a second paywall cannot be inserted, and one that is pasted goes', () => {
    const editor = editing(paragraph('a'), paragraph('b'))
    expect(editor.commands.setPaywall()).toBe(true)
    expect(types(editor).filter((type) => type === 'paywall')).toHaveLength(1)
    expect(editor.can().setPaywall()).toBe(false)
    const state = EditorState.create({ doc: editor.state.doc, plugins: [onePaywall()] })
    const copied = editor.schema.nodeFromJSON(doc(paragraph('c'), paywall(3), paragraph('d')))
    const pasted = state.apply(state.tr.insert(0, copied.content)).doc.toJSON()
    expect(
      pasted.content.map(({ type }: DocumentNode) => type).filter((type: string) => type === 'paywall'),
    ).toHaveLength(1)
    expect(pasted.content[1]).toMatchObject({ type: 'paywall', attrs: { plans: [3] } })
  })

  test('blocks are for some readers, and for everybody again', () => {
    const editor = editing(paragraph('a'))
    editor.commands.setTextSelection(1)
    editor.commands.insertOnlyFor('free')
    expect(editor.getJSON().content?.[0]).toMatchObject({ type: 'onlyFor', attrs: { for: 'free' } })
    expect(parseDocument(editor.getJSON())).toMatchObject({ ok: true })
    expect(editor.commands.liftOnlyFor()).toBe(true)
    expect(types(editor)[0]).toBe('paragraph')
    expect(editor.commands.liftOnlyFor()).toBe(false)
  })
})

const filled = (name: string) => ({
  ...{ kind: 'booking' as const, id: name, linkId: null, disclosure: 'Paid for', name, text: name, label: name },
  ...{ target: 'https://example.org/', image: null },
})
const slot = (hideFromPaid: boolean, ...names: string[]): DocumentNode => ({
  type: 'sponsorSlot',
  attrs: { placementId: 1, hideFromPaid, filled: names.map(filled) },
})

test('a slot becomes its sponsors for whoever may see them, and nothing for who pays where it is hidden', () => {
  const namesFor = (document: PublicationDocument, access: ReturnType<typeof having>) =>
    (visibleTo(document, access, 'web').document.content ?? []).map(({ type, attrs }) => [type, attrs?.name])
  const both = [
    ['sponsor', 'Brindle'],
    ['sponsor', 'Kelp'],
  ]
  expect(namesFor(doc(slot(true, 'Brindle', 'Kelp')), having())).toEqual(both)
  expect(namesFor(doc(slot(true, 'Brindle', 'Kelp')), having(7))).toEqual([])
  expect(namesFor(doc(slot(false, 'Brindle', 'Kelp')), having(7))).toEqual(both)
  expect(namesFor(doc(slot(true)), having())).toEqual([])
})

test('a slot is a gate only where it hides something', () => {
  expect(gatesOf(doc(slot(true, 'Brindle')))).toEqual(['free'])
  expect(gatesOf(doc(slot(true)))).toEqual([])
  expect(gatesOf(doc(slot(false, 'Brindle')))).toEqual([])
  // Nobody knows yet what it will hide.
  expect(gatesOf(doc({ type: 'sponsorSlot', attrs: { placementId: 1, hideFromPaid: true, filled: null } }))).toEqual([
    'free',
  ])
})
