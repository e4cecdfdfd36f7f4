import { Extension } from '@tiptap/core'
import type { EditorState, Transaction } from '@tiptap/pm/state'

export const maximumIndent = 8
export const directions = ['ltr', 'rtl', 'auto'] as const
type Direction = (typeof directions)[number]
export const alignments = ['left', 'center', 'right', 'justify'] as const

const indentable = ['paragraph', 'heading', 'listItem']
const directed = ['paragraph', 'heading', 'blockquote', 'bulletList', 'orderedList', 'listItem', 'table', 'callout']

declare module '@tiptap/core' {
  interface Commands<ReturnType> {
    blockFormat: {
      /** One step further in: a list item becomes part of the one before where it can, any other block gets a margin. */
      indent: () => ReturnType
      outdent: () => ReturnType
      setDirection: (direction: Direction) => ReturnType
      unsetDirection: () => ReturnType
    }
  }
}

type Change = (attrs: Record<string, unknown>) => Record<string, unknown>

/** Changes the attributes of the selected blocks of the given types; false when there is none. */
function changeBlocks(
  state: EditorState,
  tr: Transaction,
  types: readonly string[],
  change: Change,
  dispatch: boolean,
) {
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
    indent:
      () =>
      ({ state, tr, dispatch, commands, can }) =>
        can().sinkListItem('listItem')
          ? commands.sinkListItem('listItem')
          : changeBlocks(state, tr, innermost(state), shift(1), dispatch !== undefined),
    outdent:
      () =>
      ({ state, tr, dispatch, commands }) =>
        changeBlocks(state, tr, innermost(state), shift(-1), dispatch !== undefined) ||
        commands.liftListItem('listItem'),
    setDirection:
      (direction) =>
      ({ state, tr, dispatch }) =>
        changeBlocks(state, tr, directed, direct(direction), dispatch !== undefined),
    unsetDirection:
      () =>
      ({ state, tr, dispatch }) =>
        changeBlocks(state, tr, directed, direct(null), dispatch !== undefined),
  }),
})

/** In a list the item moves, with its bullet; elsewhere the paragraph or heading does. */
function innermost(state: EditorState): readonly string[] {
  const { $from } = state.selection
  return $from.depth > 1 && $from.node(-1).type.name === 'listItem' ? ['listItem'] : ['paragraph', 'heading']
}
