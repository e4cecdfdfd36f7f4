import { Kbd, Menu } from '@mantine/core'
import type { Editor } from '@tiptap/core'
import { useEditorState } from '@tiptap/react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { faceKeys, faces, textSizes } from '../../../../server/publications/document/schema.ts'
import {
  IconAlignCenter,
  IconAlignJustified,
  IconAlignLeft,
  IconAlignRight,
  IconChevronDown,
  IconTextDirectionLtr,
  IconTextDirectionRtl,
} from '../../../ui/icons.ts'
import { shortcutLabel } from '../../../ui/shortcut.ts'
import { iconProps, ToolButton } from './tool-button.tsx'
import classes from './toolbar.module.css'

interface Choice {
  key: string
  label: string
  shortcut?: string
  icon?: ReactNode
  style?: React.CSSProperties
  run: () => void
}

interface Props {
  /** The name of the control, such as `Block style`. */
  name: string
  chosen: string
  choices: Choice[]
  width?: number
  /** What the button shows. Absent: the chosen label. */
  children?: ReactNode
}

/** A control that opens a list of choices and shows the chosen one. */
function ChoiceMenu({ name, chosen, choices, width = 220, children }: Props) {
  const { t } = useTranslation()
  const current = choices.find(({ key }) => key === chosen)
  return (
    <Menu width={width} position="bottom-start" returnFocus={false}>
      <Menu.Target>
        <ToolButton label={t('ui.within', { whole: name, part: current?.label ?? '—' })} wide>
          {children ?? <span className={classes.chosen}>{current?.label ?? '—'}</span>}
          <IconChevronDown size={13} stroke={1.6} aria-hidden="true" className={classes.chevron} />
        </ToolButton>
      </Menu.Target>
      <Menu.Dropdown>
        {choices.map((choice) => (
          <Menu.Item
            key={choice.key}
            aria-current={choice.key === chosen || undefined}
            data-chosen={choice.key === chosen || undefined}
            className={classes.choice}
            leftSection={choice.icon}
            rightSection={choice.shortcut && <Kbd>{shortcutLabel(choice.shortcut)}</Kbd>}
            onClick={choice.run}
          >
            <span style={choice.style}>{choice.label}</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

const serif = 'var(--tirage-serif)'
const headingStyles: Record<number, React.CSSProperties> = {
  1: { font: `450 26px/1.15 ${serif}` },
  2: { font: `500 21px/1.2 ${serif}` },
  3: { font: `500 18px/1.25 ${serif}` },
  4: { fontWeight: 600, fontSize: 15 },
  5: { fontWeight: 600, fontSize: 13 },
  6: { fontWeight: 600, fontSize: 12 },
}

/** Paragraph or one of six headings. */
export function BlockMenu({ editor }: { editor: Editor }) {
  const { t } = useTranslation()
  const chosen = useEditorState({
    editor,
    selector: ({ editor }) =>
      editor.isActive('heading')
        ? `h${editor.getAttributes('heading').level}`
        : editor.isActive('paragraph')
          ? 'p'
          : '',
  })
  const headings = ([1, 2, 3, 4, 5, 6] as const).map((level) => ({
    key: `h${level}`,
    label: t('editor.tool.heading', { level }),
    shortcut: `Mod-Alt-${level}`,
    style: headingStyles[level] ?? {},
    run: () => void editor.chain().focus().setHeading({ level }).run(),
  }))
  const paragraph = {
    key: 'p',
    label: t('editor.tool.paragraph'),
    shortcut: 'Mod-Alt-0',
    style: { font: `400 16px/1.3 ${serif}` },
    run: () => void editor.chain().focus().setParagraph().run(),
  }
  return <ChoiceMenu name={t('editor.tool.block')} chosen={chosen} choices={[paragraph, ...headings]} width={250} />
}

/** Faces without a name of their own: they use the fonts that the reader's system has. */
const genericFaces = ['serif', 'sans', 'mono'] as const

export function FontMenu({ editor }: { editor: Editor }) {
  const { t } = useTranslation()
  const chosen = useEditorState({
    editor,
    selector: ({ editor }) => String(editor.getAttributes('textStyle').font ?? ''),
  })
  const own = {
    key: '',
    label: t('editor.tool.fontDefault'),
    run: () => void editor.chain().focus().unsetFont().run(),
  }
  const genericName = (key: (typeof faceKeys)[number]) => {
    const generic = genericFaces.find((face) => face === key)
    return generic ? t(`editor.tool.face.${generic}`) : key
  }
  const offered = faceKeys.map((key) => ({
    key,
    label: faces[key].label ?? genericName(key),
    style: { fontFamily: faces[key].web, fontSize: 15 },
    run: () => void editor.chain().focus().setFont(key).run(),
  }))
  return <ChoiceMenu name={t('editor.tool.font')} chosen={chosen} choices={[own, ...offered]} />
}

export function SizeMenu({ editor }: { editor: Editor }) {
  const { t } = useTranslation()
  const chosen = useEditorState({
    editor,
    selector: ({ editor }) => String(editor.getAttributes('textStyle').size ?? 'normal'),
  })
  const fontSize = { small: 12, normal: 14, large: 18, huge: 24 }
  const choices = textSizes.map((size) => ({
    key: size,
    label: t(`editor.tool.sizes.${size}`),
    style: { fontSize: fontSize[size] },
    run: () =>
      void (size === 'normal' ? editor.chain().focus().unsetSize() : editor.chain().focus().setSize(size)).run(),
  }))
  return <ChoiceMenu name={t('editor.tool.size')} chosen={chosen} choices={choices} width={170} />
}

const alignIcons = {
  left: IconAlignLeft,
  center: IconAlignCenter,
  right: IconAlignRight,
  justify: IconAlignJustified,
}
const alignKeys = { left: 'l', center: 'e', right: 'r', justify: 'j' }

export function AlignMenu({ editor }: { editor: Editor }) {
  const { t } = useTranslation()
  const chosen = useEditorState({
    editor,
    selector: ({ editor }) =>
      (['center', 'right', 'justify'] as const).find((textAlign) => editor.isActive({ textAlign })) ?? 'left',
  })
  const choices = (['left', 'center', 'right', 'justify'] as const).map((align) => {
    const Icon = alignIcons[align]
    return {
      key: align,
      label: t(`editor.tool.aligns.${align}`),
      shortcut: `Mod-Shift-${alignKeys[align]}`,
      icon: <Icon {...iconProps} />,
      run: () => void editor.chain().focus().setTextAlign(align).run(),
    }
  })
  const Icon = alignIcons[chosen]
  return (
    <ChoiceMenu name={t('editor.tool.align')} chosen={chosen} choices={choices}>
      <Icon {...iconProps} />
    </ChoiceMenu>
  )
}

export function DirectionMenu({ editor }: { editor: Editor }) {
  const { t } = useTranslation()
  const chosen = useEditorState({
    editor,
    selector: ({ editor }) => (['ltr', 'rtl', 'auto'] as const).find((dir) => editor.isActive({ dir })) ?? '',
  })
  const icons = { ltr: <IconTextDirectionLtr {...iconProps} />, rtl: <IconTextDirectionRtl {...iconProps} /> }
  const choices = [
    {
      key: '',
      label: t('editor.tool.directions.inherit'),
      run: () => void editor.chain().focus().unsetDirection().run(),
    },
    ...(['ltr', 'rtl', 'auto'] as const).map((dir) => ({
      key: dir,
      label: t(`editor.tool.directions.${dir}`),
      icon: dir === 'auto' ? undefined : icons[dir],
      run: () => void editor.chain().focus().setDirection(dir).run(),
    })),
  ]
  return (
    <ChoiceMenu name={t('editor.tool.direction')} chosen={chosen} choices={choices} width={240}>
      {icons[chosen === 'rtl' ? 'rtl' : 'ltr']}
    </ChoiceMenu>
  )
}
