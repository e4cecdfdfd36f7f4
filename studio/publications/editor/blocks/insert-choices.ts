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
    label: t(`publish.tool.${form}`),
    icon: formIcons[form],
    run: () => openForm(form),
  }))
  const table = {
    key: 'table',
    label: t('publish.tool.table'),
    icon: IconTable,
    // Its settings change rows and columns.
    run: (editor: Editor) =>
      void insertBelow(editor, (chain) => chain.insertTable({ ...tableSize, withHeaderRow: true })),
  }
  const dividers = (['stars', 'dots', 'space'] as const).map((kind) => ({
    key: kind,
    label: t(`publish.tool.dividers.${kind}`),
    icon: dividerIcons[kind],
    run: (editor: Editor) => void insertAbove(editor, (chain) => chain.setDivider(kind)),
  }))
  const callouts = (['note', 'tip', 'warning'] as const).map((tone) => ({
    key: tone,
    label: t(`publish.tool.tones.${tone}`),
    icon: calloutIcons[tone],
    run: (editor: Editor) => void insert(editor, (chain) => chain.toggleCallout(tone)),
  }))
  const gates = (['paid', 'free', 'web', 'email'] as const).map((gate) => ({
    key: gate,
    label: t(`publish.tool.onlyFor.${gate}`),
    icon: gateIcons[gate],
    run: (editor: Editor) => {
      if (!insert(editor, (chain) => chain.insertOnlyFor(gate)))
        notifications.show({ message: t('publish.tool.onlyFor.notAround'), color: 'ocre', role: 'alert' })
    },
  }))
  return [
    {
      key: 'blocks',
      label: t('publish.tool.blocks'),
      choices: [
        ...forms,
        table,
        {
          key: 'button',
          label: t('publish.tool.button'),
          icon: IconClick,
          run: (editor) => {
            const label = selectedWords(editor) ?? t('publish.tool.buttonLabel')
            insertSelected(editor, (chain) => chain.setButton({ label, href: '' }))
            askFor({ at: 'button' })
          },
        },
        {
          key: 'subscribeButton',
          label: t('publish.tool.subscribeButton'),
          icon: IconMail,
          run: (editor) =>
            insertSelected(editor, (chain) =>
              chain.setButton({
                label: selectedWords(editor) ?? t('publish.tool.subscribeLabel'),
                href: urls.subscribe,
              }),
            ),
        },
        {
          key: 'mergeTag',
          label: t('publish.tool.mergeTag'),
          icon: IconUser,
          run: (editor) =>
            void insert(editor, (chain) => chain.command(goBehindWords).setMergeTag({ field: 'name', fallback: '' })),
        },
        {
          key: 'footnote',
          label: t('publish.node.footnote'),
          icon: IconNotes,
          run: (editor) => void insert(editor, (chain) => chain.setFootnote()),
        },
      ],
    },
    {
      key: 'dividers',
      label: t('publish.tool.divider'),
      choices: [
        ...dividers,
        {
          key: 'rule',
          label: t('publish.tool.dividers.rule'),
          icon: IconMinus,
          run: (editor) => void insertAbove(editor, (chain) => chain.setHorizontalRule()),
        },
      ],
    },
    { key: 'callouts', label: t('publish.tool.callout'), choices: callouts },
    {
      key: 'gates',
      label: t('publish.tool.gates'),
      choices: [{ key: 'paywall', label: t('publish.tool.paywall'), icon: IconLock, run: insertPaywall }, ...gates],
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
