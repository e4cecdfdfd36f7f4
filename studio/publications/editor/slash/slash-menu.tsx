import { VisuallyHidden } from '@mantine/core'
import type { Editor } from '@tiptap/core'
import { useEditorState } from '@tiptap/react'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '../../../language.ts'
import { ChoiceList, optionId } from '../../../ui/choice-list.tsx'
import type { InsertChoice, InsertGroup } from '../blocks/insert-choices.ts'
import { matching } from './matching.ts'
import { closeSlash, removeSlash, type Slash, slashIn } from './slash.ts'
import classes from './slash-menu.module.css'
import { useStyleChoices } from './style-choices.ts'

interface Props {
  editor: Editor
  groups: InsertGroup[]
}

/** The list below a typed slash. The focus stays in the text; the arrow keys move in the list (ARIA, listbox). */
export function SlashMenu({ editor, groups }: Props) {
  const slash = useEditorState({ editor, selector: ({ editor }) => slashIn(editor.state) })
  const styles = useStyleChoices()
  return (
    slash && <Choices editor={editor} slash={slash} groups={matching(groups.toSpliced(1, 0, styles), slash.query)} />
  )
}

function Choices({ editor, groups, slash }: Props & { slash: Slash }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const choices = groups.flatMap((group) => group.choices)
  const [chosen, setChosen] = useState<string | null>(null)
  const active = choices.find(({ key }) => key === chosen) ?? choices[0]
  const choose = (choice: InsertChoice) => {
    removeSlash(editor.view, { andSpace: choice.key === 'footnote' })
    choice.run(editor)
  }
  useAriaOf(editor, id, active ? optionId(id, active) : null)
  useBelowSlash(editor, box, slash)
  useKeys(editor, {
    move: (by) => active && setChosen(choices.at((choices.indexOf(active) + by) % choices.length)?.key ?? null),
    choose: active && (() => choose(active)),
  })
  return (
    <div ref={box} className={classes.menu} lang={language}>
      <ChoiceList
        id={id}
        label={t('editor.tool.insert')}
        groups={groups}
        active={active}
        point={({ key }) => setChosen(key)}
        choose={choose}
        className={classes.list}
      />
      {choices.length === 0 && (
        <p className={classes.nothing} aria-hidden="true">
          {t('editor.tool.nothingLike')}
        </p>
      )}
      <VisuallyHidden role="status">
        {choices.length === 0 ? t('editor.tool.nothingLike') : t('ui.found', { count: choices.length })}
      </VisuallyHidden>
    </div>
  )
}

/** Tells the text, which has the focus, which list it controls and which of its options is the active one. */
function useAriaOf(editor: Editor, list: string, option: string | null): void {
  useEffect(() => {
    const { dom } = editor.view
    const given = { 'aria-haspopup': 'listbox', 'aria-controls': list, 'aria-activedescendant': option }
    for (const [name, value] of Object.entries(given)) if (value !== null) dom.setAttribute(name, value)
    return () => {
      for (const name of Object.keys(given)) dom.removeAttribute(name)
    }
  }, [editor, list, option])
}

/** Puts the list below its slash and scrolls so that all of it is seen. */
function useBelowSlash(editor: Editor, box: React.RefObject<HTMLDivElement | null>, { from }: Slash): void {
  useLayoutEffect(() => {
    const list = box.current
    const page = list?.offsetParent?.getBoundingClientRect()
    if (!list || !page) return
    const caret = editor.view.coordsAtPos(from)
    list.style.top = `${caret.bottom - page.top + 6}px`
    list.style.left = `${Math.max(0, Math.min(caret.left - page.left, page.width - list.offsetWidth))}px`
    list.scrollIntoView({ block: 'nearest' })
  }, [editor, box, from])
}

/** The keys of the list, before the editor has them for the text. */
function useKeys(
  editor: Editor,
  { move, choose }: { move: (by: number) => unknown; choose: (() => void) | undefined },
) {
  useEffect(() => {
    const { dom } = editor.view
    const actOf = (key: string): (() => unknown) | undefined => {
      if (key === 'ArrowDown') return () => move(1)
      if (key === 'ArrowUp') return () => move(-1)
      if (key === 'Escape') return () => closeSlash(editor.view)
      return key === 'Enter' || key === 'Tab' ? choose : undefined
    }
    const pressed = (event: KeyboardEvent) => {
      const act = event.isComposing || event.shiftKey ? undefined : actOf(event.key)
      if (!act) return
      event.preventDefault()
      event.stopPropagation()
      act()
    }
    dom.addEventListener('keydown', pressed, { capture: true })
    return () => dom.removeEventListener('keydown', pressed, { capture: true })
  })
}
