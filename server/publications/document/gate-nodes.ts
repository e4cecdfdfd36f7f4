import { type Command, Node } from '@tiptap/core'
import { NodeRange, type NodeType, type Node as ProseMirrorNode } from '@tiptap/pm/model'
import { Plugin, PluginKey, TextSelection, type Transaction } from '@tiptap/pm/state'

/** Whom a gate lets through: everybody who has a plan, nobody who has one, or who has one of these plans. */
export type Gate = 'paid' | 'free' | readonly number[]

/** Where a publication is read: on the web, with its feeds and searches, or in mails. */
export const surfaces = ['web', 'email'] as const
export type Surface = (typeof surfaces)[number]

declare module '@tiptap/core' {
  interface Commands<ReturnType> {
    gateNodes: {
      /** Paid subscribers only from here. False where the document has one already. */
      setPaywall: () => ReturnType
      /**
       * Shows the selected blocks to some readers only, or in one place only. Inside such a block, a new one comes below it: what stands in a
       * block is shown to nobody else by that. False where a paywall, a slot or such a block is among others.
       */
      insertOnlyFor: (gate: 'paid' | 'free' | Surface) => ReturnType
      /** Shows the blocks around the caret to everybody everywhere again. False outside such a block. */
      liftOnlyFor: () => ReturnType
    }
  }
}

/** The document itself. Gates stand in no other node, so that what they hide is plain to see. */
export const GatedDocument = Node.create({ name: 'doc', topNode: true, content: '(block | gate)+' })

const idsIn = (text: string | undefined): number[] =>
  (text ?? '').split(' ').flatMap((id) => (/^[1-9]\d{0,8}$/.test(id) ? [Number(id)] : []))

/** From here on only those read who have one of its plans; without plans, those who have any. */
export const Paywall = Node.create({
  name: 'paywall',
  group: 'gate',
  atom: true,
  draggable: true,
  addAttributes: () => ({
    plans: { default: [], parseHTML: (element) => idsIn(element.dataset.paywall), rendered: false },
  }),
  parseHTML: () => [{ tag: 'div[data-paywall]' }],
  renderHTML: ({ node }) => ['div', { 'data-paywall': node.attrs.plans.join(' '), role: 'separator' }],
  addCommands() {
    return {
      setPaywall:
        () =>
        ({ state, commands }) => {
          let has = false
          state.doc.forEach((node) => {
            has ||= node.type === this.type
          })
          return (
            !has &&
            commands.insertContent({ type: this.name }) &&
            commands.command(goBelow((node) => node.type === this.type))
          )
        },
    }
  },
  addProseMirrorPlugins: () => [onePaywall()],
})

/** Puts the cursor below a block: whoever types on would write over it, since a node that was inserted is selected. */
export const goBelow =
  (isIt: (node: ProseMirrorNode) => boolean): Command =>
  ({ tr, state }) => {
    let below = 0
    tr.doc.forEach((node, offset) => {
      if (isIt(node)) below = offset + node.nodeSize
    })
    const paragraph = state.schema.nodes.paragraph?.create()
    if (!tr.doc.nodeAt(below)?.isTextblock && paragraph) tr.insert(below, paragraph)
    tr.setSelection(TextSelection.near(tr.doc.resolve(below + 1))).scrollIntoView()
    return true
  }

/** Removes all paywalls but the first: another comes by pasting, or by dragging a copy. */
export const onePaywall = () => keepFirst('onePaywall', (node) => (node.type.name === 'paywall' ? 'paywall' : null))

/** Of the blocks of a document that have the same name here, only the first stays. Null: it has none. */
export const keepFirst = (key: string, nameOf: (node: ProseMirrorNode) => string | null) =>
  new Plugin({
    key: new PluginKey(key),
    appendTransaction: (transactions, _before, { doc, tr }) => {
      if (!transactions.some(({ docChanged }) => docChanged)) return null
      const seen = new Set<string>()
      const again: number[] = []
      doc.forEach((node, offset) => {
        const name = nameOf(node)
        if (name !== null && seen.has(name)) again.push(offset)
        if (name !== null) seen.add(name)
      })
      for (const place of again.reverse()) tr.delete(place, place + 1)
      return tr.docChanged ? tr : null
    },
  })

const gateIn = (text: string | undefined): Gate | Surface =>
  text === 'paid' || text === 'free' || text === 'web' || text === 'email' ? text : idsIn(text)

/** The blocks of the document that are selected, and whether that is one of this type alone. */
function selectedBlocks({ doc, selection }: Transaction, type: NodeType) {
  const range = new NodeRange(selection.$from, selection.$to, 0)
  const among = doc.children.slice(range.startIndex, range.endIndex)
  return { range, among, isWithin: among.length === 1 && among[0]?.type === type }
}

/** Puts a block below others, and the caret into it. An empty line that was begun for it above goes. */
function appendBelow(tr: Transaction, range: NodeRange, block: ProseMirrorNode): void {
  const { $from, empty } = tr.selection
  tr.insert(range.end, block).setSelection(TextSelection.near(tr.doc.resolve(range.end + 1)))
  const isBegun = empty && $from.depth === 2 && $from.parent.content.size === 0 && $from.node(1).childCount > 1
  if (isBegun) tr.delete($from.before(), $from.after())
}

/** Blocks for some readers only, or for one place only. */
export const OnlyFor = Node.create({
  name: 'onlyFor',
  group: 'gate',
  content: 'block+',
  defining: true,
  addAttributes: () => ({
    for: { default: 'paid', parseHTML: (element) => gateIn(element.dataset.onlyFor), rendered: false },
  }),
  parseHTML: () => [{ tag: 'section[data-only-for]' }],
  renderHTML: ({ node }) => ['section', { 'data-only-for': [node.attrs.for].flat().join(' ') }, 0],
  addCommands() {
    return {
      insertOnlyFor:
        (gate) =>
        ({ tr, dispatch }) => {
          const { range, among, isWithin } = selectedBlocks(tr, this.type)
          if (isWithin) {
            if (dispatch)
              appendBelow(tr, range, this.type.create({ for: gate }, this.type.contentMatch.defaultType?.create()))
            return true
          }
          if (among.some(({ type }) => type.isInGroup('gate'))) return false
          if (dispatch) tr.wrap(range, [{ type: this.type, attrs: { for: gate } }])
          return true
        },
      liftOnlyFor:
        () =>
        ({ tr, dispatch }) => {
          const { range, isWithin } = selectedBlocks(tr, this.type)
          if (isWithin && dispatch)
            tr.lift(new NodeRange(tr.doc.resolve(range.start + 1), tr.doc.resolve(range.end - 1), 1), 0)
          return isWithin
        },
    }
  },
})
