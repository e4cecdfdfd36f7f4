import type { Editor } from '@tiptap/core'
import { TextSelection } from '@tiptap/pm/state'
import { useEditorState } from '@tiptap/react'
import { BubbleMenu } from '@tiptap/react/menus'
import { useTranslation } from 'react-i18next'
import { IconBold, IconItalic, IconLink, IconUnderline } from '../../../ui/icons.ts'
import { iconProps, ToolButton } from './tool-button.tsx'
import classes from './toolbar.module.css'

/** The most used controls, beside the selected text. The toolbar has all of them. */
export function SelectionMenu({ editor, openLinkForm }: { editor: Editor; openLinkForm: () => void }) {
  const { t } = useTranslation()
  const on = useEditorState({
    editor,
    selector: ({ editor }) => ({
      bold: editor.isActive('bold'),
      italic: editor.isActive('italic'),
      underline: editor.isActive('underline'),
      link: editor.isActive('link'),
    }),
  })
  return (
    <BubbleMenu
      editor={editor}
      className={classes.selectionMenu}
      options={{ placement: 'top', offset: 8 }}
      shouldShow={({ editor, element, state, view }) =>
        editor.isEditable &&
        (view.hasFocus() || element.contains(document.activeElement)) &&
        !state.selection.empty &&
        state.selection instanceof TextSelection &&
        !editor.isActive('codeBlock')
      }
    >
      <ToolButton
        label={t('editor.tool.bold')}
        pressed={on.bold}
        onClick={() => editor.chain().focus().toggleBold().run()}
      >
        <IconBold {...iconProps} />
      </ToolButton>
      <ToolButton
        label={t('editor.tool.italic')}
        pressed={on.italic}
        onClick={() => editor.chain().focus().toggleItalic().run()}
      >
        <IconItalic {...iconProps} />
      </ToolButton>
      <ToolButton
        label={t('editor.tool.underline')}
        pressed={on.underline}
        onClick={() => editor.chain().focus().toggleUnderline().run()}
      >
        <IconUnderline {...iconProps} />
      </ToolButton>
      <ToolButton label={t('editor.tool.link')} pressed={on.link} onClick={openLinkForm}>
        <IconLink {...iconProps} />
      </ToolButton>
    </BubbleMenu>
  )
}
