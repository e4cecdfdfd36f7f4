import { Button, Popover, TextInput } from '@mantine/core'
import type { Editor } from '@tiptap/core'
import { useEditorState } from '@tiptap/react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hexColor } from '../../../../server/publications/document/schema.ts'
import { useNewsletter } from '../../../shell/newsletter.tsx'
import { IconHighlight, IconLetterA } from '../../../ui/icons.ts'
import formClasses from '../form.module.css'
import { iconProps, ToolButton } from './tool-button.tsx'
import classes from './toolbar.module.css'

const textColors = ['#15191c', '#626a70', '#2148b5', '#b3231d', '#17694a', '#7f5200', '#943a61', '#2f6b66']
const backgroundColors = ['#f5de8a', '#fcf3da', '#e8f4ee', '#eaf0fd', '#fdeeec', '#eceeed', '#f1d597', '#cfdfff']

/** Sets the text or background colour: the newsletter's accent, one of a palette, or any other. */
export function ColorTool({ editor, kind }: { editor: Editor; kind: 'color' | 'backgroundColor' }) {
  const { t } = useTranslation()
  const [opened, open] = useState(false)
  const chosen = useEditorState({
    editor,
    selector: ({ editor }) => hexColor(String(editor.getAttributes('textStyle')[kind] ?? '')),
  })
  const name = t(`editor.tool.${kind}`)
  const setOpened = (opened: boolean) => {
    open(opened)
    if (!opened) editor.commands.focus()
  }
  const choose = (color: string | null) => {
    setOpened(false)
    applyColor(editor, kind, color)
  }
  const Icon = kind === 'color' ? IconLetterA : IconHighlight
  return (
    <Popover opened={opened} onChange={setOpened} trapFocus position="bottom-start" returnFocus={false}>
      <Popover.Target>
        <ToolButton
          label={chosen ? t('ui.within', { whole: name, part: chosen }) : name}
          onClick={() => setOpened(!opened)}
          aria-haspopup="dialog"
        >
          <Icon {...iconProps} />
          <i
            className={classes.chosenColor}
            style={{ background: chosen ?? (kind === 'color' ? 'var(--tirage-ink)' : 'transparent') }}
          />
        </ToolButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={name}>
        <Palette kind={kind} chosen={chosen} choose={choose} />
      </Popover.Dropdown>
    </Popover>
  )
}

interface PaletteProps {
  kind: 'color' | 'backgroundColor'
  chosen: string | null
  choose: (color: string | null) => void
}

function Palette({ kind, chosen, choose }: PaletteProps) {
  const { t } = useTranslation()
  const { accent } = useNewsletter()
  const [typed, setTyped] = useState(chosen ?? '')
  const typedColor = hexColor(typed.startsWith('#') ? typed : `#${typed}`)
  const newsletterAccent = accent.toLowerCase()
  const colors = [
    newsletterAccent,
    ...(kind === 'color' ? textColors : backgroundColors).filter((color) => color !== newsletterAccent),
  ]
  return (
    <form
      className={formClasses.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (typedColor) choose(typedColor)
      }}
    >
      <div className={classes.swatches}>
        {colors.map((color) => (
          <button
            key={color}
            type="button"
            className={classes.swatch}
            style={{ background: color }}
            aria-label={color === newsletterAccent ? t('editor.tool.accent', { color }) : color}
            title={color === newsletterAccent ? t('editor.tool.accent', { color }) : color}
            aria-pressed={color === chosen}
            onClick={() => choose(color)}
          />
        ))}
      </div>
      <div className={formClasses.fieldRow}>
        <TextInput
          size="xs"
          label={t('editor.tool.hex')}
          placeholder="#2148b5"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          error={typed !== '' && !typedColor ? t('errors.fields.not_a_colour') : null}
        />
        <input
          type="color"
          aria-label={t('editor.tool.pick')}
          className={classes.colorPicker}
          value={typedColor ?? accent}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button size="xs" type="submit" disabled={!typedColor}>
          {t('editor.tool.apply')}
        </Button>
      </div>
      <Button size="xs" variant="subtle" onClick={() => choose(null)}>
        {t(kind === 'color' ? 'editor.tool.noColor' : 'editor.tool.noBackground')}
      </Button>
    </form>
  )
}

function applyColor(editor: Editor, kind: 'color' | 'backgroundColor', color: string | null): void {
  const chain = editor.chain().focus()
  if (kind === 'color') (color ? chain.setColor(color) : chain.unsetColor()).run()
  else (color ? chain.setBackgroundColor(color) : chain.unsetBackgroundColor()).run()
}
