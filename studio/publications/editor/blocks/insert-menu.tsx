import { Menu } from '@mantine/core'
import type { Editor } from '@tiptap/core'
import { useTranslation } from 'react-i18next'
import {
  IconAlertTriangle,
  IconBulb,
  IconChevronDown,
  IconClick,
  IconLineDashed,
  IconLock,
  IconMinus,
  IconNote,
  IconPlus,
  IconSpacingVertical,
  IconUser,
  IconUsers,
} from '../../../ui/icons.ts'
import { iconProps, ToolButton } from '../toolbar/tool-button.tsx'
import classes from '../toolbar/toolbar.module.css'
import { SlotItems } from './slot-items.tsx'

const dividers = { stars: IconLineDashed, dots: IconMinus, space: IconSpacingVertical }
const callouts = { note: IconNote, tip: IconBulb, warning: IconAlertTriangle }

/** Inserts blocks that newsletters need beyond text: a merge tag, a button, a divider, a callout, a paywall, a sponsor slot. */
export function InsertMenu({ editor }: { editor: Editor }) {
  const { t } = useTranslation()
  const chain = () => editor.chain().focus()
  return (
    <Menu width={260} position="bottom-start" returnFocus={false}>
      <Menu.Target>
        <ToolButton label={t('publish.tool.more')} wide>
          <IconPlus {...iconProps} />
          <span className={classes.wideOnly}>{t('publish.tool.insert')}</span>
          <IconChevronDown size={13} stroke={1.6} aria-hidden="true" className={classes.chevron} />
        </ToolButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<IconUser {...iconProps} />}
          onClick={() => chain().setMergeTag({ field: 'name', fallback: '' }).run()}
        >
          {t('publish.tool.mergeTag')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconClick {...iconProps} />}
          onClick={() => insertButton(editor, t('publish.tool.buttonLabel'))}
        >
          {t('publish.tool.button')}
        </Menu.Item>
        <Menu.Label>{t('publish.tool.divider')}</Menu.Label>
        {(['stars', 'dots', 'space'] as const).map((kind) => {
          const Icon = dividers[kind]
          return (
            <Menu.Item key={kind} leftSection={<Icon {...iconProps} />} onClick={() => chain().setDivider(kind).run()}>
              {t(`publish.tool.dividers.${kind}`)}
            </Menu.Item>
          )
        })}
        <Menu.Item leftSection={<IconMinus {...iconProps} />} onClick={() => chain().setHorizontalRule().run()}>
          {t('publish.tool.dividers.rule')}
        </Menu.Item>
        <Menu.Label>{t('publish.tool.callout')}</Menu.Label>
        {(['note', 'tip', 'warning'] as const).map((tone) => {
          const Icon = callouts[tone]
          return (
            <Menu.Item
              key={tone}
              leftSection={<Icon {...iconProps} />}
              onClick={() => chain().toggleCallout(tone).run()}
            >
              {t(`publish.tool.tones.${tone}`)}
            </Menu.Item>
          )
        })}
        <Menu.Label>{t('publish.tool.gates')}</Menu.Label>
        <Menu.Item leftSection={<IconLock {...iconProps} />} onClick={() => insertPaywall(editor)}>
          {t('publish.tool.paywall')}
        </Menu.Item>
        {(['paid', 'free'] as const).map((gate) => (
          <Menu.Item
            key={gate}
            leftSection={<IconUsers {...iconProps} />}
            onClick={() => chain().toggleOnlyFor(gate).run()}
          >
            {t(`publish.tool.onlyFor.${gate}`)}
          </Menu.Item>
        ))}
        <SlotItems editor={editor} />
      </Menu.Dropdown>
    </Menu>
  )
}

/** Inserts a paywall. Where there is one already, that one is selected. */
function insertPaywall(editor: Editor): void {
  if (editor.chain().focus().setPaywall().run()) return
  editor.state.doc.forEach((node, offset) => {
    if (node.type.name === 'paywall') editor.chain().focus().setNodeSelection(offset).scrollIntoView().run()
  })
}

/** Inserts a button and selects it, so that its settings ask for an address. */
function insertButton(editor: Editor, label: string): void {
  editor.chain().focus().setButton({ label, href: '' }).run()
  const before = editor.state.selection.$from.pos
  let found: number | null = null
  editor.state.doc.nodesBetween(0, Math.min(before + 1, editor.state.doc.content.size), (node, at) => {
    if (node.type.name === 'button') found = at
  })
  if (found !== null) editor.commands.setNodeSelection(found)
}
