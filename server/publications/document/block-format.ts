import { type CommandProps, Extension } from '@tiptap/core'
import type { EditorState } from '@tiptap/pm/state'

export const maximumIndent = 8
export const directions = ['ltr', 'rtl', 'auto'] as const
type Direction = (typeof directions)[number]
export const alignments = ['left', 'center', 'right', 'justify'] as const

const indentable = ['paragraph', 'heading', 'listItem']
const directed = ['paragraph', 'heading', 'blockquote', 'bulletList', 'orderedList', 'listItem', 'table', 'callout']

declare module '@tiptap/core' {
  interface Commands<ReturnType> {
    blockFormat: {
      /** One step further in: a list item becomes part of the one before it where possible; other blocks get a margin. */
      indent: () => ReturnType
      outdent: () => ReturnType
      setDirection: (direction: Direction) => ReturnType
      unsetDirection: () => ReturnType
    }
  }
}

type Change = (attrs: Record<string, unknown>) => Record<string, unknown>

/** Changes the selected blocks of these types; false when none changes. Without `dispatch` it is a trial. */
function changeBlocks({ state, tr, dispatch }: CommandProps, types: readonly string[], change: Change): boolean {
  let changed = false
  const { from, to } = state.selection
  state.doc.nodesBetween(from, to, (node, position) => {
    if (!types.includes(node.type.name)) return
    const attrs = change(node.attrs)
    if (attrs === node.attrs) return
    changed = true
    if (dispatch) tr.setNodeMarkup(position, undefined, attrs)
  })
  return changed
}

const shift =
  (step: 1 | -1): Change =>
  (attrs) => {
    const indent = Math.max(0, Math.min(maximumIndent, Number(attrs.indent ?? 0) + step))
    return indent === attrs.indent ? attrs : { ...attrs, indent }
  }

const direct =
  (dir: Direction | null): Change =>
  (attrs) =>
    attrs.dir === dir ? attrs : { ...attrs, dir }

/** Indentation (0 to 8 steps) and writing direction of blocks, with the commands the toolbar calls. */
export const BlockFormat = Extension.create({
  name: 'blockFormat',
  addGlobalAttributes: () => [
    {
      types: indentable,
      attributes: {
        indent: {
          default: 0,
          parseHTML: (element) =>
            Math.min(maximumIndent, Math.max(0, Number.parseInt(element.dataset.indent ?? '0', 10) || 0)),
          renderHTML: ({ indent }) =>
            indent ? { 'data-indent': indent, style: `margin-inline-start: ${indent * 2}em` } : {},
        },
      },
    },
    {
      types: directed,
      attributes: {
        dir: {
          default: null,
          parseHTML: (element) => directions.find((known) => known === element.getAttribute('dir')) ?? null,
          renderHTML: ({ dir }) => (dir ? { dir } : {}),
        },
      },
    },
  ],
  addCommands: () => ({
    indent: () => (props) =>
      props.can().sinkListItem('listItem')
        ? props.commands.sinkListItem('listItem')
        : changeBlocks(props, innermost(props.state), shift(1)),
    outdent: () => (props) =>
      changeBlocks(props, innermost(props.state), shift(-1)) || props.commands.liftListItem('listItem'),
    setDirection: (direction) => (props) => changeBlocks(props, directed, direct(direction)),
    unsetDirection: () => (props) => changeBlocks(props, directed, direct(null)),
  }),
})

/** The types to indent: in a list the item with its bullet, elsewhere the paragraph or heading. */
function innermost(state: EditorState): readonly string[] {
  const { $from } = state.selection
  return $from.depth > 1 && $from.node(-1).type.name === 'listItem' ? ['listItem'] : ['paragraph', 'heading']
}
