import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import type { Editor } from '@tiptap/core'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { useLanguage } from '../../../language.ts'
import { useNewsletter } from '../../../shell/newsletter.tsx'
import { placementName } from '../../../sponsorship/words.ts'
import type { Choice, ChoiceGroup } from '../../../ui/choice-list.tsx'
import {
  IconAlertTriangle,
  IconAsterisk,
  IconBulb,
  IconClick,
  IconDots,
  IconLock,
  IconMail,
  IconMinus,
  IconNote,
  IconNotes,
  IconPhoto,
  IconSpacingVertical,
  IconSpeakerphone,
  IconTable,
  IconUser,
  IconUsers,
  IconVideo,
  IconWorld,
} from '../../../ui/icons.ts'
import type { ProblemPlace } from '../../problem-place.ts'
import { slotsQuery } from '../../queries.ts'
import type { OpenForm } from '../toolbar/forms.ts'
import {
  goBehindWords,
  insert,
  insertAbove,
  insertBelow,
  insertPaywall,
  insertSelected,
  insertSlot,
  selectedWords,
} from './insert-commands.ts'

export interface InsertChoice extends Choice {
  run: (editor: Editor) => void
}

export type InsertGroup = ChoiceGroup<InsertChoice>

const formIcons = { image: IconPhoto, video: IconVideo }
const tableSize = { rows: 3, cols: 3 }
const dividerIcons = { stars: IconAsterisk, dots: IconDots, space: IconSpacingVertical }
const gateIcons = { paid: IconUsers, free: IconUsers, web: IconWorld, email: IconMail }
const calloutIcons = { note: IconNote, tip: IconBulb, warning: IconAlertTriangle }

/**
 * Everything that can be inserted, in its groups. The Insert menu and the list of the slash both offer it. `askFor` leads into the field of what
 * is new and lacks something.
 */
export function useInsertChoices(openForm: OpenForm, askFor: (lacking: ProblemPlace) => void): InsertGroup[] {
  const { t } = useTranslation()
  const { urls } = useNewsletter()
  const slots = useSlotChoices()
  const forms = (['image', 'video'] as const).map((form) => ({
    key: form,
    label: t(`editor.tool.${form}`),
    icon: formIcons[form],
    run: () => openForm(form),
  }))
  const table = {
    key: 'table',
    label: t('editor.tool.table'),
    icon: IconTable,
    // Its settings change rows and columns.
    run: (editor: Editor) =>
      void insertBelow(editor, (chain) => chain.insertTable({ ...tableSize, withHeaderRow: true })),
  }
  const dividers = (['stars', 'dots', 'space'] as const).map((kind) => ({
    key: kind,
    label: t(`editor.tool.dividers.${kind}`),
    icon: dividerIcons[kind],
    run: (editor: Editor) => void insertAbove(editor, (chain) => chain.setDivider(kind)),
  }))
  const callouts = (['note', 'tip', 'warning'] as const).map((tone) => ({
    key: tone,
    label: t(`editor.tool.tones.${tone}`),
    icon: calloutIcons[tone],
    run: (editor: Editor) => void insert(editor, (chain) => chain.toggleCallout(tone)),
  }))
  const gates = (['paid', 'free', 'web', 'email'] as const).map((gate) => ({
    key: gate,
    label: t(`editor.tool.onlyFor.${gate}`),
    icon: gateIcons[gate],
    run: (editor: Editor) => {
      if (!insert(editor, (chain) => chain.insertOnlyFor(gate)))
        notifications.show({ message: t('editor.tool.onlyFor.notAround'), color: 'ocre', role: 'alert' })
    },
  }))
  return [
    {
      key: 'blocks',
      label: t('editor.tool.blocks'),
      choices: [
        ...forms,
        table,
        {
          key: 'button',
          label: t('editor.tool.button'),
          icon: IconClick,
          run: (editor) => {
            const label = selectedWords(editor) ?? t('editor.tool.buttonLabel')
            insertSelected(editor, (chain) => chain.setButton({ label, href: '' }))
            askFor({ at: 'button' })
          },
        },
        {
          key: 'subscribeButton',
          label: t('editor.tool.subscribeButton'),
          icon: IconMail,
          run: (editor) =>
            insertSelected(editor, (chain) =>
              chain.setButton({
                label: selectedWords(editor) ?? t('editor.tool.subscribeLabel'),
                href: urls.subscribe,
              }),
            ),
        },
        {
          key: 'mergeTag',
          label: t('editor.tool.mergeTag'),
          icon: IconUser,
          run: (editor) =>
            void insert(editor, (chain) => chain.command(goBehindWords).setMergeTag({ field: 'name', fallback: '' })),
        },
        {
          key: 'footnote',
          label: t('editor.node.footnote'),
          icon: IconNotes,
          run: (editor) => void insert(editor, (chain) => chain.setFootnote()),
        },
      ],
    },
    {
      key: 'dividers',
      label: t('editor.tool.divider'),
      choices: [
        ...dividers,
        {
          key: 'rule',
          label: t('editor.tool.dividers.rule'),
          icon: IconMinus,
          run: (editor) => void insertAbove(editor, (chain) => chain.setHorizontalRule()),
        },
      ],
    },
    { key: 'callouts', label: t('editor.tool.callout'), choices: callouts },
    {
      key: 'gates',
      label: t('editor.tool.gates'),
      choices: [{ key: 'paywall', label: t('editor.tool.paywall'), icon: IconLock, run: insertPaywall }, ...gates],
    },
    ...(slots.length > 0 ? [{ key: 'slots', label: t('publish.slot.insert'), choices: slots }] : []),
  ]
}

/** The slots that can be put into the text: one for each placement. */
function useSlotChoices(): InsertChoice[] {
  const language = useLanguage()
  const { publicationId = '' } = useParams()
  const newsletter = useNewsletter()
  const { data } = useQuery(slotsQuery(newsletter.id, publicationId))
  return (data?.slots ?? []).map((slot) => ({
    key: `slot-${slot.placementId}`,
    label: placementName(slot, language),
    icon: IconSpeakerphone,
    run: (editor) => insertSlot(editor, { placementId: slot.placementId, hideFromPaid: data?.hideFromPaid ?? true }),
  }))
}
