import type { Editor } from '@tiptap/core'
import { useEditorState } from '@tiptap/react'
import { Fragment, useCallback, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { ImageUploadOptions } from '../blocks/image-upload.ts'
import type { InsertGroup } from '../blocks/insert-choices.ts'
import { InsertMenu } from '../blocks/insert-menu.tsx'
import { ImageTool, TableTool, VideoTool } from '../blocks/insert-tools.tsx'
import { ColorTool } from './color-tool.tsx'
import type { OpenForm, ToolbarForm } from './forms.ts'
import { LinkTool } from './link-tool.tsx'
import { useRovingFocus } from './roving-focus.ts'
import { AlignMenu, BlockMenu, DirectionMenu, FontMenu, SizeMenu } from './style-menus.tsx'
import { iconProps, ToolButton } from './tool-button.tsx'
import classes from './toolbar.module.css'
import { blockTools, characterTools, clearFormatting, historyTools, listTools, type Tool } from './tools.ts'

interface Props {
  editor: Editor
  uploads: ImageUploadOptions
  inserts: InsertGroup[]
  form: ToolbarForm | null
  openForm: OpenForm
}

/** Every control of the editor in one bar. The Tab key stops once; the arrow keys move inside. */
export function Toolbar({ editor, uploads, inserts, form, openForm }: Props) {
  const { t } = useTranslation()
  const bar = useRef<HTMLDivElement>(null)
  const leave = useCallback(() => void editor.commands.focus(), [editor])
  useRovingFocus(bar, leave)
  // On a phone the bar scrolls sideways, and a form is shown at its control only.
  useEffect(() => {
    if (form)
      bar.current?.querySelector('[aria-expanded="true"]')?.scrollIntoView({ inline: 'nearest', block: 'nearest' })
  }, [form])
  const formProps = (of: ToolbarForm) => ({
    editor,
    opened: form === of,
    setOpened: (opened: boolean) => {
      openForm(opened ? of : null)
      if (!opened) editor.commands.focus()
    },
  })
  return (
    <div ref={bar} id="formatting" className={classes.toolbar} role="toolbar" aria-label={t('editor.tool.formatting')}>
      <Tools editor={editor} tools={historyTools} />
      <Separator />
      <BlockMenu editor={editor} />
      <FontMenu editor={editor} />
      <SizeMenu editor={editor} />
      <Separator />
      <Tools editor={editor} tools={characterTools} />
      <ColorTool editor={editor} kind="color" />
      <ColorTool editor={editor} kind="backgroundColor" />
      <Separator />
      <Tools editor={editor} tools={listTools} />
      <AlignMenu editor={editor} />
      <DirectionMenu editor={editor} />
      <Separator />
      <Tools editor={editor} tools={blockTools} />
      <LinkTool {...formProps('link')} />
      <ImageTool {...formProps('image')} uploads={uploads} />
      <VideoTool {...formProps('video')} />
      <TableTool {...formProps('table')} />
      <InsertMenu editor={editor} groups={inserts} />
      <Separator />
      <Tools editor={editor} tools={[clearFormatting]} />
    </div>
  )
}

const Separator = () => <i className={classes.separator} aria-hidden="true" />

/** For each tool, whether it is on, and whether it would change nothing now. */
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
        label={t(`editor.tool.${name}`)}
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
