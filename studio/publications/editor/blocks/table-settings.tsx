import type { ChainedCommands } from '@tiptap/core'
import { useEditorState } from '@tiptap/react'
import { useTranslation } from 'react-i18next'
import {
  IconArrowMerge,
  IconArrowsSplit,
  IconColumnInsertLeft,
  IconColumnInsertRight,
  IconColumnRemove,
  IconRowInsertBottom,
  IconRowInsertTop,
  IconRowRemove,
  IconTableColumn,
  IconTableMinus,
  IconTableRow,
} from '../../../ui/icons.ts'
import { iconProps, ToolButton } from '../toolbar/tool-button.tsx'
import type { SettingsProps } from './settings-props.ts'

const actions = [
  ['rowAbove', IconRowInsertTop, (chain: ChainedCommands) => chain.addRowBefore()],
  ['rowBelow', IconRowInsertBottom, (chain: ChainedCommands) => chain.addRowAfter()],
  ['removeRow', IconRowRemove, (chain: ChainedCommands) => chain.deleteRow()],
  ['columnBefore', IconColumnInsertLeft, (chain: ChainedCommands) => chain.addColumnBefore()],
  ['columnAfter', IconColumnInsertRight, (chain: ChainedCommands) => chain.addColumnAfter()],
  ['removeColumn', IconColumnRemove, (chain: ChainedCommands) => chain.deleteColumn()],
  ['headerRow', IconTableRow, (chain: ChainedCommands) => chain.toggleHeaderRow()],
  ['headerColumn', IconTableColumn, (chain: ChainedCommands) => chain.toggleHeaderColumn()],
  ['merge', IconArrowMerge, (chain: ChainedCommands) => chain.mergeCells()],
  ['split', IconArrowsSplit, (chain: ChainedCommands) => chain.splitCell()],
  ['removeTable', IconTableMinus, (chain: ChainedCommands) => chain.deleteTable()],
] as const

/** Buttons that change the table around the caret. */
export function TableSettings({ editor }: SettingsProps) {
  const { t } = useTranslation()
  const possible = useEditorState({
    editor,
    selector: ({ editor }) => actions.map(([, , run]) => run(editor.can().chain()).run()),
  })
  return actions.map(([name, Icon, run], place) => (
    <ToolButton
      key={name}
      label={t(`editor.node.${name}`)}
      idle={!possible[place]}
      onClick={() => run(editor.chain().focus()).run()}
    >
      <Icon {...iconProps} />
    </ToolButton>
  ))
}
