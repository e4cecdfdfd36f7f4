import { Button, SegmentedControl, TextInput } from '@mantine/core'
import type { Editor } from '@tiptap/core'
import type { Node as DocumentBlock } from '@tiptap/pm/model'
import { NodeSelection } from '@tiptap/pm/state'
import { useEditorState } from '@tiptap/react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  buttonAligns,
  calloutTones,
  dividerKinds,
  imageWidths,
} from '../../../../server/publications/document/schema.ts'
import { IconTrash } from '../../../ui/icons.ts'
import type { ProblemPlace } from '../../problem-place.ts'
import { corrected } from '../text/corrected-field.ts'
import { addressFromTyped } from '../toolbar/typed-address.ts'
import classes from './block-settings.module.css'
import { leaveSettings } from './enter-settings.ts'
import { OnlyForSettings, PaywallSettings } from './gate-settings.tsx'
import type { InsertGroup } from './insert-choices.ts'
import { leaveSelected } from './insert-commands.ts'
import { mergeFields, mergeFieldWord } from './merge-fields.ts'
import { QuickInserts } from './quick-inserts.tsx'
import type { SettingsProps, Unfinished } from './settings-props.ts'
import { SlotSettings } from './slot-settings.tsx'
import { TableSettings } from './table-settings.tsx'

/** Blocks that a click selects as a whole, and blocks whose settings show while the caret is inside them. */
const selectableBlocks = [
  'image',
  'video',
  'button',
  'mergeTag',
  'footnote',
  'divider',
  'paywall',
  'sponsorSlot',
] as const
const containerBlocks = ['table', 'callout', 'onlyFor'] as const

type BlockType = (typeof selectableBlocks)[number] | (typeof containerBlocks)[number]

/** The selected block that has settings, and its position in the document. */
interface SelectedBlock {
  type: BlockType
  attrs: Record<string, unknown>
  position: number
  removable: boolean
}

function selectedIn(editor: Editor): SelectedBlock | null {
  const { selection } = editor.state
  if (selection instanceof NodeSelection) {
    const { node, from } = selection
    const type = selectableBlocks.find((name) => name === node.type.name)
    if (type) return { type, attrs: node.attrs, position: from, removable: true }
  }
  for (let depth = selection.$from.depth; depth > 0; depth -= 1) {
    const node = selection.$from.node(depth)
    const type = containerBlocks.find((name) => name === node.type.name)
    if (type) return { type, attrs: node.attrs, position: selection.$from.before(depth), removable: false }
  }
  return null
}

/** What a problem of the pre-flight asks to be written, by the block that lacks it. */
const lackingSettings: { [at in ProblemPlace['at']]?: { of: BlockType; name: string } } = {
  mergeTag: { of: 'mergeTag', name: 'fallback' },
  image: { of: 'image', name: 'alt' },
  button: { of: 'button', name: 'href' },
}

/** Not one that opens a list, whose keys are its own. */
const TEXT_FIELD = 'input[name]:not([aria-haspopup], [type="radio"], [type="checkbox"])'

interface BlockSettingsProps {
  editor: Editor
  inserts: InsertGroup[]
  /** What its writer was led to and sees selected. */
  problem: ProblemPlace | null
}

/**
 * A second bar below the toolbar with the settings of the selected block: an image, a table, a button …
 * While none is selected it offers some to insert, so that it always has the same room and the text never moves.
 */
export function BlockSettings({ editor, inserts, problem }: BlockSettingsProps) {
  const { t } = useTranslation()
  const selected = useEditorState({ editor, selector: ({ editor }) => selectedIn(editor) })
  const bar = useRef<HTMLElement>(null)
  const typedOf = useRef(new WeakMap<DocumentBlock, Record<string, string | undefined>>())
  const lacking = problem && lackingSettings[problem.at]
  const led = useRef<ProblemPlace>(null)
  useEffect(() => {
    if (!lacking || led.current === problem || selected?.type !== lacking.of) return
    // Once: whoever comes back to the block may only pass it.
    led.current = problem
    bar.current?.querySelector<HTMLElement>(`[name="${lacking.name}"]`)?.focus()
  }, [lacking, problem, selected?.type])
  if (!editor.isEditable) return null
  if (!selected) return <QuickInserts editor={editor} groups={inserts} />
  const Fields = settingsOf[selected.type]
  const blockNow = () => editor.state.doc.nodeAt(selected.position)
  const unfinished: Unfinished = {
    read: (name) => typedOf.current.get(blockNow() ?? editor.state.doc)?.[name],
    keep: (name, text) => {
      const block = blockNow()
      if (block) typedOf.current.set(block, { ...typedOf.current.get(block), [name]: text ?? undefined })
    },
  }
  const set = (name: string, value: unknown) =>
    editor.view.dispatch(editor.state.tr.setNodeAttribute(selected.position, name, value))
  return (
    <section
      ref={bar}
      id="block-settings"
      className={classes.settings}
      data-block={selected.type}
      aria-label={t(`editor.node.${selected.type}`)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing || !(event.target instanceof HTMLElement)) return
        const { key, target } = event
        const leave = key === 'Escape' ? leaveSettings : key === 'Enter' && target.matches(TEXT_FIELD) && leaveSelected
        // Escape is of an open list first.
        if (!leave || target.ariaExpanded === 'true') return
        event.preventDefault()
        leave(editor)
      }}
    >
      <span className={classes.blockName}>{t(`editor.node.${selected.type}`)}</span>
      <Fields
        key={`${selected.type}${selected.position}`}
        editor={editor}
        attrs={selected.attrs}
        set={set}
        unfinished={unfinished}
      />
      {selected.removable && (
        <Button
          size="xs"
          variant="subtle"
          color="rouge"
          leftSection={<IconTrash size={14} stroke={1.6} aria-hidden="true" />}
          onClick={() => editor.chain().focus().deleteSelection().run()}
        >
          {t('editor.node.remove')}
        </Button>
      )}
    </section>
  )
}

interface FieldProps extends Pick<SettingsProps, 'editor' | 'attrs' | 'set'> {
  name: string
  label: string
  placeholder?: string
  width?: number
  maxLength?: number
  warn?: boolean
}

/** A text setting, in the language of the publication. Every key press changes the document at once. */
function Field({ editor, attrs, set, name, label, placeholder, width = 220, maxLength = 300, warn }: FieldProps) {
  return (
    <TextInput
      name={name}
      size="xs"
      w={width}
      label={label}
      classNames={{ root: classes.field ?? '', label: classes.label ?? '' }}
      data-warn={warn || undefined}
      maxLength={maxLength}
      {...(placeholder && { placeholder })}
      lang={editor.view.dom.lang}
      value={String(attrs[name] ?? '')}
      onInput={corrected}
      onChange={(event) => set(name, event.currentTarget.value)}
    />
  )
}

/** An address. Only a complete one gets into the document; until then the typed text stays in the field. */
function AddressField({
  attrs,
  set,
  name,
  label,
  empty,
  warn,
  unfinished,
}: Omit<FieldProps, 'editor'> & Pick<SettingsProps, 'unfinished'> & { empty: null | '' }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(unfinished.read(name) ?? String(attrs[name] ?? ''))
  const [left, setLeft] = useState(typed !== '')
  const isWrong = typed !== '' && !addressFromTyped(typed)
  const isSaid = isWrong && left
  // After each change of the block, which is another one then.
  useEffect(() => unfinished.keep(name, isWrong ? typed : null))
  return (
    <>
      <TextInput
        name={name}
        size="xs"
        w={240}
        label={label}
        placeholder="https://"
        inputMode="url"
        autoCapitalize="off"
        classNames={{ root: classes.field ?? '', label: classes.label ?? '' }}
        data-warn={warn || undefined}
        value={typed}
        // It is seen at the end of the bar, where it moves no control.
        error={isSaid ? t('editor.tool.notAnAddress') : isWrong}
        errorProps={{ style: { display: 'none' } }}
        onBlur={() => setLeft(true)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !isWrong) return
          event.stopPropagation()
          setLeft(true)
        }}
        onChange={(event) => {
          const next = event.currentTarget.value
          setTyped(next)
          if (next === '' || addressFromTyped(next)) setLeft(false)
          set(name, addressFromTyped(next) ?? empty)
        }}
      />
      {isSaid && (
        <p className={classes.fault} role="alert">
          {t('editor.tool.notAnAddress')}
        </p>
      )}
    </>
  )
}

function Choice(
  props: Pick<SettingsProps, 'attrs' | 'set'> & {
    name: string
    label: string
    options: { value: string; label: string }[]
  },
) {
  return (
    <SegmentedControl
      size="xs"
      aria-label={props.label}
      data={props.options}
      value={String(props.attrs[props.name] ?? '')}
      onChange={(value) => props.set(props.name, value)}
    />
  )
}

function ImageSettings({ editor, attrs, set, unfinished }: SettingsProps) {
  const { t } = useTranslation()
  const widths = imageWidths.map((value) => ({ value, label: t(`editor.node.widths.${value}`) }))
  return (
    <>
      <Field
        editor={editor}
        attrs={attrs}
        set={set}
        name="alt"
        label={t('editor.tool.alt')}
        placeholder={t('editor.tool.altPlace')}
        width={280}
        maxLength={1000}
        warn={!attrs.alt}
      />
      <Field editor={editor} attrs={attrs} set={set} name="caption" label={t('editor.node.caption')} maxLength={1000} />
      <Choice attrs={attrs} set={set} name="width" label={t('editor.node.width')} options={widths} />
      <AddressField
        attrs={attrs}
        set={set}
        unfinished={unfinished}
        name="href"
        label={t('editor.tool.link')}
        empty={null}
      />
    </>
  )
}

function VideoSettings({ editor, attrs, set }: SettingsProps) {
  const { t } = useTranslation()
  return <Field editor={editor} attrs={attrs} set={set} name="title" label={t('editor.tool.videoTitle')} width={280} />
}

function ButtonSettings({ editor, attrs, set, unfinished }: SettingsProps) {
  const { t } = useTranslation()
  const aligns = buttonAligns.map((value) => ({ value, label: t(`editor.tool.aligns.${value}`) }))
  return (
    <>
      <Field
        editor={editor}
        attrs={attrs}
        set={set}
        name="label"
        label={t('editor.node.label')}
        width={240}
        maxLength={200}
      />
      <AddressField
        attrs={attrs}
        set={set}
        unfinished={unfinished}
        name="href"
        label={t('editor.tool.address')}
        empty=""
        warn={!attrs.href}
      />
      <Choice attrs={attrs} set={set} name="align" label={t('editor.tool.align')} options={aligns} />
    </>
  )
}

function MergeTagSettings({ editor, attrs, set }: SettingsProps) {
  const { t } = useTranslation()
  const fields = mergeFields.map((value) => ({ value, label: mergeFieldWord(t, value) }))
  return (
    <>
      <Choice attrs={attrs} set={set} name="field" label={t('editor.node.field')} options={fields} />
      <Field
        editor={editor}
        attrs={attrs}
        set={set}
        name="fallback"
        label={t('editor.node.fallback')}
        placeholder={t('editor.node.fallbackHint')}
        maxLength={200}
      />
    </>
  )
}

function DividerSettings({ attrs, set }: SettingsProps) {
  const { t } = useTranslation()
  const kinds = dividerKinds.map((value) => ({ value, label: t(`editor.tool.dividers.${value}`) }))
  return <Choice attrs={attrs} set={set} name="kind" label={t('editor.tool.divider')} options={kinds} />
}

function CalloutSettings({ attrs, set }: SettingsProps) {
  const { t } = useTranslation()
  const tones = calloutTones.map((value) => ({ value, label: t(`editor.tool.tones.${value}`) }))
  return <Choice attrs={attrs} set={set} name="tone" label={t('editor.tool.callout')} options={tones} />
}

const settingsOf: Record<BlockType, (props: SettingsProps) => ReactNode> = {
  image: ImageSettings,
  video: VideoSettings,
  button: ButtonSettings,
  mergeTag: MergeTagSettings,
  // Its words are written beside it.
  footnote: () => null,
  divider: DividerSettings,
  callout: CalloutSettings,
  table: TableSettings,
  paywall: PaywallSettings,
  onlyFor: OnlyForSettings,
  sponsorSlot: SlotSettings,
}
