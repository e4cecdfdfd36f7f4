import type { Editor } from '@tiptap/core'
import { useCallback, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useRovingFocus } from '../toolbar/roving-focus.ts'
import toolbar from '../toolbar/toolbar.module.css'
import classes from './block-settings.module.css'
import type { InsertGroup } from './insert-choices.ts'

/** What writers insert most and the toolbar has no button for. */
const offered = ['button', 'mergeTag', 'footnote', 'stars', 'rule', 'note', 'tip', 'paywall']

/** What stands in the second bar while no block is selected. The Tab key stops once; the arrow keys move inside. */
export function QuickInserts({ editor, groups }: { editor: Editor; groups: InsertGroup[] }) {
  const { t } = useTranslation()
  const bar = useRef<HTMLDivElement>(null)
  const leave = useCallback(() => void editor.commands.focus(), [editor])
  useRovingFocus(bar, leave)
  const choices = groups.flatMap(({ choices }) => choices.filter(({ key }) => offered.includes(key)))
  return (
    <div ref={bar} className={classes.settings} role="toolbar" aria-label={t('editor.tool.insert')}>
      <span className={classes.blockName}>{t('editor.tool.insert')}</span>
      <div className={classes.quick}>
        {choices.map(({ key, label, icon: Icon, run }) => (
          <button
            key={key}
            type="button"
            data-tool=""
            className={toolbar.tool}
            // Otherwise a click would move the focus out of the text and drop the caret.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => run(editor)}
          >
            <Icon size={15} stroke={1.6} aria-hidden="true" />
            {label}
          </button>
        ))}
      </div>
    </div>
  )
}
