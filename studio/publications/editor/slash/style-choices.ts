import type { Editor } from '@tiptap/core'
import { useTranslation } from 'react-i18next'
import { IconHeading } from '../../../ui/icons.ts'
import type { InsertGroup } from '../blocks/insert-choices.ts'
import { blockTools, listTools } from '../toolbar/tools.ts'

/** What the toolbar makes of a paragraph: headings, lists, quote and code, for the list of the slash. */
export function useStyleChoices(): InsertGroup {
  const { t } = useTranslation()
  const headings = ([1, 2, 3, 4, 5, 6] as const).map((level) => ({
    key: `h${level}`,
    label: t('editor.tool.heading', { level }),
    icon: IconHeading,
    run: (editor: Editor) => void editor.chain().focus().setHeading({ level }).run(),
  }))
  const tools = [...listTools, ...blockTools]
    .filter(({ active }) => active)
    .map(({ name, icon, run }) => ({
      key: name,
      label: t(`editor.tool.${name}`),
      icon,
      run: (editor: Editor) => void run(editor.chain().focus()).run(),
    }))
  return { key: 'styles', label: t('editor.tool.block'), choices: [...headings, ...tools] }
}
