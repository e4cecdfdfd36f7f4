import { Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Editor } from '@tiptap/core'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { useLanguage } from '../../../language.ts'
import { useNewsletter } from '../../../shell/newsletter.tsx'
import { placementName } from '../../../sponsorship/words.ts'
import { IconSpeakerphone } from '../../../ui/icons.ts'
import { slotsQuery } from '../../queries.ts'
import { iconProps } from '../toolbar/tool-button.tsx'

/** The slots that can be put into the text: one for each placement. Nothing where there is none. */
export function SlotItems({ editor }: { editor: Editor }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { publicationId = '' } = useParams()
  const newsletter = useNewsletter()
  const { data } = useQuery(slotsQuery(newsletter.id, publicationId))
  if (!data || data.slots.length === 0) return null
  return (
    <>
      <Menu.Label>{t('publish.slot.insert')}</Menu.Label>
      {data.slots.map((slot) => (
        <Menu.Item
          key={slot.placementId}
          leftSection={<IconSpeakerphone {...iconProps} />}
          onClick={() => insertSlot(editor, slot.placementId, data.hideFromPaid)}
        >
          {placementName(slot, language)}
        </Menu.Item>
      ))}
    </>
  )
}

/** Inserts the slot of a placement. Where there is one already, that one is selected. */
function insertSlot(editor: Editor, placementId: number, hideFromPaid: boolean): void {
  if (editor.chain().focus().setSponsorSlot({ placementId, hideFromPaid }).run()) return
  editor.state.doc.forEach((node, offset) => {
    if (node.type.name === 'sponsorSlot' && node.attrs.placementId === placementId)
      editor.chain().focus().setNodeSelection(offset).scrollIntoView().run()
  })
}
