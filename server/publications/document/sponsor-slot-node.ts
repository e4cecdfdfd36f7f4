import { Node } from '@tiptap/core'
import { NodeSelection, Plugin, PluginKey } from '@tiptap/pm/state'
import { goBelow, keepFirst } from './gate-nodes.ts'

declare module '@tiptap/core' {
  interface Commands<ReturnType> {
    sponsorSlot: {
      /** Puts the slot of a placement where the cursor is. False where the document has it already. */
      setSponsorSlot: (slot: { placementId: number; hideFromPaid: boolean }) => ReturnType
    }
  }
}

/**
 * Where the sponsors of a placement stand. Nobody writes into it: the server fills it when the publication goes out, and what the
 * editor says of `filled` is not kept.
 */
export const SponsorSlotBlock = Node.create({
  name: 'sponsorSlot',
  group: 'gate',
  atom: true,
  draggable: true,
  addAttributes: () => ({
    placementId: {
      default: null,
      parseHTML: (element) => Number(element.dataset.sponsorSlot) || null,
      rendered: false,
    },
    hideFromPaid: {
      default: true,
      parseHTML: (element) => element.dataset.hideFromPaid !== 'false',
      rendered: false,
    },
    filled: { default: null, parseHTML: () => null, rendered: false },
  }),
  parseHTML: () => [{ tag: 'div[data-sponsor-slot]' }],
  renderHTML: ({ node }) => [
    'div',
    { 'data-sponsor-slot': node.attrs.placementId, 'data-hide-from-paid': String(node.attrs.hideFromPaid) },
  ],
  addCommands() {
    return {
      setSponsorSlot:
        (attrs) =>
        ({ state, commands }) => {
          let has = false
          state.doc.forEach((node) => {
            has ||= node.type === this.type && node.attrs.placementId === attrs.placementId
          })
          return (
            !has &&
            commands.insertContent({ type: this.name, attrs }) &&
            commands.command(
              goBelow(({ type, attrs: { placementId } }) => type === this.type && placementId === attrs.placementId),
            )
          )
        },
    }
  },
  addProseMirrorPlugins: () => [
    notTypedOver(),
    keepFirst('oneSlot', (node) => (node.type.name === 'sponsorSlot' ? String(node.attrs.placementId) : null)),
  ],
})

/** Letters that are typed while a slot is selected do not replace it: it is moved and removed on purpose only. */
const notTypedOver = () =>
  new Plugin({
    key: new PluginKey('slotNotTypedOver'),
    props: {
      handleTextInput: ({ state: { selection } }) =>
        selection instanceof NodeSelection && selection.node.type.name === 'sponsorSlot',
    },
  })
