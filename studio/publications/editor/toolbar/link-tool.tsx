import { Button, Popover, TextInput } from '@mantine/core'
import type { Editor } from '@tiptap/core'
import { useEditorState } from '@tiptap/react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconLink } from '../../../ui/icons.ts'
import { goBehindWords } from '../blocks/insert-commands.ts'
import formClasses from '../form.module.css'
import { iconProps, ToolButton } from './tool-button.tsx'
import { addressFromTyped } from './typed-address.ts'

interface Props {
  editor: Editor
  opened: boolean
  setOpened: (opened: boolean) => void
}

/** Makes the selected text a link, or changes or removes the link around the caret. */
export function LinkTool({ editor, opened, setOpened }: Props) {
  const { t } = useTranslation()
  const active = useEditorState({ editor, selector: ({ editor }) => editor.isActive('link') })
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus position="bottom-start" width={320} returnFocus={false}>
      <Popover.Target>
        <ToolButton
          label={t('editor.tool.link')}
          shortcut="Mod-k"
          pressed={active}
          onClick={() => setOpened(!opened)}
          aria-haspopup="dialog"
        >
          <IconLink {...iconProps} />
        </ToolButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('editor.tool.link')}>
        <LinkForm editor={editor} close={() => setOpened(false)} />
      </Popover.Dropdown>
    </Popover>
  )
}

function LinkForm({ editor, close }: { editor: Editor; close: () => void }) {
  const { t } = useTranslation()
  const before = String(editor.getAttributes('link').href ?? '')
  const selected = editor.state.doc.textBetween(editor.state.selection.from, editor.state.selection.to, ' ')
  const needsText = before === '' && selected === ''
  const [address, setAddress] = useState(before || (addressFromTyped(selected) ?? ''))
  const [text, setText] = useState('')
  const [wrong, setWrong] = useState(false)
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    const href = addressFromTyped(address)
    if (!href) return setWrong(true)
    close()
    setLink(editor, href, needsText ? text.trim() || address.trim() : null)
  }
  return (
    <form onSubmit={submit} className={formClasses.form}>
      <TextInput
        label={t('editor.tool.address')}
        placeholder="example.org"
        value={address}
        error={wrong && !addressFromTyped(address) ? t('editor.tool.notAnAddress') : null}
        onChange={(event) => setAddress(event.currentTarget.value)}
        data-autofocus
        inputMode="url"
        autoCapitalize="off"
      />
      {needsText && (
        <TextInput
          label={t('editor.tool.linkText')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      <div className={formClasses.buttonsEnd}>
        {before && (
          <Button
            size="xs"
            variant="subtle"
            color="rouge"
            onClick={() => {
              close()
              editor.chain().focus().extendMarkRange('link').unsetLink().run()
            }}
          >
            {t('editor.tool.unlink')}
          </Button>
        )}
        <Button size="xs" type="submit">
          {t('editor.tool.apply')}
        </Button>
      </div>
    </form>
  )
}

function setLink(editor: Editor, href: string, text: string | null): void {
  const chain = editor.chain().focus()
  const linked =
    text === null
      ? chain.extendMarkRange('link').setLink({ href }).command(goBehindWords)
      : chain.insertContent({ type: 'text', text, marks: [{ type: 'link', attrs: { href } }] })
  // What is typed next is no part of it, and writes over nothing.
  linked.unsetMark('link').run()
}
