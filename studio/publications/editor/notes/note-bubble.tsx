import { Button, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type Editor, isTextSelection } from '@tiptap/core'
import { NodeSelection } from '@tiptap/pm/state'
import { EditorContent, useEditor, useEditorState } from '@tiptap/react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '../../../../server/languages.ts'
import { type NotePart, noteLimits, noteOf } from '../../../../server/publications/document/note-text.ts'
import { useFormat } from '../../../format.ts'
import { useLanguage } from '../../../language.ts'
import { IconBold, IconItalic, IconLink } from '../../../ui/icons.ts'
import { iconProps, ToolButton } from '../toolbar/tool-button.tsx'
import { addressFromTyped } from '../toolbar/typed-address.ts'
import classes from './note-bubble.module.css'
import { editorOfNote, noteExtensions, noteOfEditor } from './note-editor.ts'

/** The note that is selected, and where its mark stands. */
interface SelectedNote {
  position: number
  note: NotePart[]
}

function selectedIn({ state: { selection } }: Editor): SelectedNote | null {
  if (!(selection instanceof NodeSelection) || selection.node.type.name !== 'footnote') return null
  return { position: selection.from, note: noteOf(selection.node.toJSON()) }
}

/**
 * The words of the selected note, beside its mark.
 *
 * @param props.written the language of the publication
 */
export function NoteBubble({ editor, written }: { editor: Editor; written: Language }) {
  const selected = useEditorState({ editor, selector: ({ editor }) => selectedIn(editor) })
  return selected && <Bubble key={selected.position} editor={editor} written={written} {...selected} />
}

function Bubble({ editor, written, position, note }: SelectedNote & { editor: Editor; written: Language }) {
  const { t } = useTranslation()
  const format = useFormat()
  const language = useLanguage()
  const box = useRef<HTMLDialogElement>(null)
  const [linking, setLinking] = useState(false)
  const [extensions] = useState(() =>
    noteExtensions(written, () => {
      const { characters, parts } = noteLimits
      const message = t('editor.note.tooLong', { n: format.number(characters), parts: format.number(parts) })
      notifications.show({ id: 'note', message, color: 'ocre', role: 'alert' })
    }),
  )
  const close = () =>
    void editor
      .chain()
      .focus()
      .setTextSelection(position + 1)
      .run()
  const field = useEditor({
    injectCSS: false,
    extensions,
    content: editorOfNote(note),
    editorProps: {
      attributes: { role: 'textbox', 'aria-label': t('editor.note.words'), spellcheck: 'true' },
      handleKeyDown: (_, event) => {
        if (event.isComposing || (event.key !== 'Enter' && event.key.toLowerCase() !== 'z')) return false
        if (event.key === 'Enter') close()
        else if (event.ctrlKey || event.metaKey) takeBack(editor, event.shiftKey)
        else return false
        return true
      },
    },
    onUpdate: ({ editor: field }) => setNote(editor, position, noteOfEditor(field.getJSON())),
  })
  useShownAgain(field, note)
  useBelow(editor, box, position)
  useEntered(editor, field)
  const [isNew] = useState(note.length === 0)
  useEffect(() => {
    if (isNew) field.commands.focus()
  }, [field, isNew])
  return (
    <dialog
      ref={box}
      open
      className={classes.bubble}
      aria-label={t('editor.node.footnote')}
      lang={language}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        if (!linking) return close()
        setLinking(false)
        field.commands.focus()
      }}
    >
      <EditorContent editor={field} className={classes.field} lang={editor.view.dom.lang} />
      {linking ? (
        <LinkForm
          field={field}
          close={() => {
            setLinking(false)
            field.commands.focus()
          }}
        />
      ) : (
        <NoteTools field={field} link={() => setLinking(true)} close={close} />
      )}
    </dialog>
  )
}

function NoteTools({ field, link, close }: { field: Editor; link: () => void; close: () => void }) {
  const { t } = useTranslation()
  const on = useEditorState({
    editor: field,
    selector: ({ editor }) => ({
      bold: editor.isActive('bold'),
      italic: editor.isActive('italic'),
      link: editor.isActive('link'),
    }),
  })
  return (
    <div className={classes.tools}>
      <ToolButton
        label={t('editor.tool.bold')}
        pressed={on.bold}
        onClick={() => field.chain().focus().toggleBold().run()}
      >
        <IconBold {...iconProps} />
      </ToolButton>
      <ToolButton
        label={t('editor.tool.italic')}
        pressed={on.italic}
        onClick={() => field.chain().focus().toggleItalic().run()}
      >
        <IconItalic {...iconProps} />
      </ToolButton>
      <ToolButton
        label={t('editor.tool.link')}
        pressed={on.link}
        onClick={() => (on.link ? field.chain().focus().extendMarkRange('link').unsetLink().run() : link())}
      >
        <IconLink {...iconProps} />
      </ToolButton>
      <span className={classes.hint}>
        {t('editor.note.hint')} <span className={classes.keys}>{t('editor.note.escape')}</span>
      </span>
      <Button size="compact-xs" variant="default" onClick={close}>
        {t('editor.note.done')}
      </Button>
    </div>
  )
}

/** Makes the selected words a link; where none are selected, the address itself. */
function LinkForm({ field, close }: { field: Editor; close: () => void }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const href = addressFromTyped(typed)
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    if (!href) return
    const { selection } = field.state
    if (isTextSelection(selection) && !selection.empty) field.chain().setLink({ href }).run()
    else field.commands.insertContent({ type: 'text', text: typed.trim(), marks: [{ type: 'link', attrs: { href } }] })
    close()
  }
  return (
    <form onSubmit={submit} className={classes.tools}>
      <TextInput
        size="xs"
        flex={1}
        aria-label={t('editor.tool.address')}
        placeholder="example.org"
        inputMode="url"
        autoCapitalize="off"
        autoFocus
        value={typed}
        error={typed !== '' && !href}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button size="compact-xs" type="submit" disabled={!href}>
        {t('editor.tool.apply')}
      </Button>
    </form>
  )
}

/** As typing in the text is: what is written without a rest is taken back at once. */
function setNote(editor: Editor, position: number, note: NotePart[]): void {
  const { tr } = editor.state
  const before = tr.doc.nodeAt(position)
  if (!before) return
  tr.replaceWith(position, position + 1, before.type.create({ note }, null, before.marks))
  editor.view.dispatch(tr.setSelection(NodeSelection.create(tr.doc, position)))
}

/** Takes back a change of the publication, or makes it again. Where the note is gone by that, the text is written on. */
function takeBack(editor: Editor, again: boolean): void {
  if (again) editor.commands.redo()
  else editor.commands.undo()
  if (!selectedIn(editor)) editor.view.focus()
}

/** Shows what the publication has of a note when that changed elsewhere. */
function useShownAgain(field: Editor, note: NotePart[]): void {
  useEffect(() => {
    if (JSON.stringify(noteOfEditor(field.getJSON())) !== JSON.stringify(note))
      field.commands.setContent(editorOfNote(note), { emitUpdate: false })
  }, [field, note])
}

/** Puts the bubble below its mark. */
function useBelow(editor: Editor, box: React.RefObject<HTMLElement | null>, position: number): void {
  useLayoutEffect(() => {
    const bubble = box.current
    const page = bubble?.offsetParent?.getBoundingClientRect()
    if (!bubble || !page) return
    const mark = editor.view.coordsAtPos(position)
    bubble.style.top = `${mark.bottom - page.top + 8}px`
    bubble.style.left = `${Math.max(0, Math.min(mark.left - page.left - 20, page.width - bubble.offsetWidth))}px`
    bubble.scrollIntoView({ block: 'nearest' })
  }, [editor, box, position])
}

/** From the text, the key Enter on a selected mark and a click on it lead into the words of its note. */
function useEntered(editor: Editor, field: Editor): void {
  useEffect(() => {
    const { dom } = editor.view
    const enter = () => void field.commands.focus('end')
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || event.isComposing) return
      event.preventDefault()
      event.stopPropagation()
      enter()
    }
    const clicked = ({ target }: MouseEvent) => {
      if (target instanceof Element && target.closest('[data-footnote]')) enter()
    }
    dom.addEventListener('keydown', pressed, { capture: true })
    dom.addEventListener('click', clicked)
    return () => {
      dom.removeEventListener('keydown', pressed, { capture: true })
      dom.removeEventListener('click', clicked)
    }
  }, [editor, field])
}
