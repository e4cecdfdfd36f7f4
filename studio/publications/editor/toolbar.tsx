import type { Editor } from '@tiptap/core'
import { useEditorState } from '@tiptap/react'
import { Fragment, useCallback, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ColorTool } from './color-tool.tsx'
import classes from './editor.module.css'
import { ImageTool, TableTool, VideoTool } from './insert-tools.tsx'
import { LinkTool } from './link-tool.tsx'
import { MoreMenu } from './more-menu.tsx'
import { useRoving } from './roving.ts'
import { AlignMenu, BlockMenu, DirectionMenu, FontMenu, SizeMenu } from './style-menus.tsx'
import { iconProps, ToolButton } from './tool-button.tsx'
import { blocks, characters, cleaning, history, lists, type Tool } from './tools.ts'
import type { Uploads } from './upload.ts'

interface Props {
  editor: Editor
  uploads: Uploads
  linking: boolean
  setLinking: (linking: boolean) => void
}

/** Every control of the editor, in one bar: one stop of the Tab key, the arrows inside. */
export function Toolbar({ editor, uploads, linking, setLinking }: Props) {
  const { t } = useTranslation()
  const bar = useRef<HTMLDivElement>(null)
  const leave = useCallback(() => void editor.commands.focus(), [editor])
  useRoving(bar, leave)
  return (
    <div ref={bar} id="formatting" className={classes.toolbar} role="toolbar" aria-label={t('publish.tool.formatting')}>
      <Tools editor={editor} tools={history} />
      <Gap />
      <BlockMenu editor={editor} />
      <FontMenu editor={editor} />
      <SizeMenu editor={editor} />
      <Gap />
      <Tools editor={editor} tools={characters} />
      <ColorTool editor={editor} kind="color" />
      <ColorTool editor={editor} kind="backgroundColor" />
      <Gap />
      <Tools editor={editor} tools={lists} />
      <AlignMenu editor={editor} />
      <DirectionMenu editor={editor} />
      <Gap />
      <Tools editor={editor} tools={blocks} />
      <LinkTool editor={editor} opened={linking} setOpened={setLinking} />
      <ImageTool editor={editor} uploads={uploads} />
      <VideoTool editor={editor} />
      <TableTool editor={editor} />
      <MoreMenu editor={editor} />
      <Gap />
      <Tools editor={editor} tools={[cleaning]} />
    </div>
  )
}

const Gap = () => <i className={classes.gap} aria-hidden="true" />

/** Which tools are on, and which would do nothing, for the whole bar in one look at the selection. */
const useToolStates = (editor: Editor, tools: Tool[]) =>
  useEditorState({
    editor,
    selector: ({ editor }) =>
      tools.map(({ active, run }) => ({
        on: active?.(editor),
        idle: !editor.isEditable || !run(editor.can().chain()).run(),
      })),
  })

function Tools({ editor, tools }: { editor: Editor; tools: Tool[] }) {
  const { t } = useTranslation()
  const states = useToolStates(editor, tools)
  return tools.map(({ name, icon: Icon, shortcut, run, active }, place) => (
    <Fragment key={name}>
      <ToolButton
        label={t(`publish.tool.${name}`)}
        shortcut={shortcut}
        pressed={active && (states[place]?.on ?? false)}
        idle={states[place]?.idle}
        onClick={() => run(editor.chain().focus()).run()}
      >
        <Icon {...iconProps} />
      </ToolButton>
    </Fragment>
  ))
}
