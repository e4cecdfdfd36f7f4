import { useQuery } from '@tanstack/react-query'
import { type NodeViewProps, NodeViewWrapper } from '@tiptap/react'
import { useContext } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { useFormat } from '../../../format.ts'
import { useLanguage } from '../../../language.ts'
import { useNewsletter } from '../../../shell/newsletter.tsx'
import { placementName } from '../../../sponsorship/words.ts'
import { ComingDays } from '../../coming-days.tsx'
import { type PublicationSlots, slotsQuery } from '../../queries.ts'
import { Planning } from './planning.ts'
import classes from './sponsor-slot.module.css'

type Slot = PublicationSlots['slots'][number]
type Sponsor = Slot['sponsors'][number]

/** A sponsor slot while the publication is written: locked, with what will stand there on its day, or why nothing will. */
export function SponsorSlotView({ node }: NodeViewProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const format = useFormat()
  const { publicationId = '' } = useParams()
  const { plan } = useContext(Planning)
  const newsletter = useNewsletter()
  const { data } = useQuery(slotsQuery(newsletter.id, publicationId))
  const slot = data?.slots.find(({ placementId }) => placementId === node.attrs.placementId)
  const placement = slot ? placementName(slot, language) : '—'
  // What is sold on coming days says more than that nothing is sold today.
  const waitsForDay = Boolean(
    data?.isDayOpen && slot && slot.sponsors.length + slot.waiting.length === 0 && slot.coming.length > 0,
  )
  const day = data ? format.calendarDay(data.day) : ''
  const hidden = node.attrs.hideFromPaid === true
  return (
    <NodeViewWrapper
      className={classes.slot}
      data-drag-handle=""
      contentEditable={false}
      role="group"
      aria-label={t('publish.slot.label', { placement })}
    >
      <p className={classes.head} lang={language}>
        <b>{t('publish.slot.label', { placement })}</b>
        {data && (
          <span>
            {waitsForDay
              ? t('publish.slot.dayNone')
              : t(data.isDayOpen ? 'publish.slot.dayOpen' : 'publish.slot.day', { day })}
          </span>
        )}
        {hidden && <span>{t('publish.slot.hidden')}</span>}
      </p>
      {slot?.sponsors.map((sponsor) => (
        <Carried key={sponsor.id} sponsor={sponsor} />
      ))}
      {slot && slot.sponsors.length === 0 && !waitsForDay && <Nothing slot={slot} />}
      {slot && (data?.isDayOpen || slot.sponsors.length === 0) && (
        <div className={classes.nothing} lang={language}>
          {waitsForDay && <p>{t('publish.slot.untilPlanned', { day })}</p>}
          <ComingDays coming={slot.coming} plan={plan} />
        </div>
      )}
    </NodeViewWrapper>
  )
}

function Carried({ sponsor: { disclosure, name, text, label, target, image } }: { sponsor: Sponsor }) {
  return (
    <div className={classes.sponsor}>
      <p className={classes.disclosure}>{disclosure}</p>
      {image && <img src={image.url} alt={image.alt} draggable={false} />}
      <p>
        <b>{name}</b>
      </p>
      <p className={classes.text}>{text}</p>
      <p>
        <u title={target}>{label}</u>
      </p>
    </div>
  )
}

/** Why nothing stands there. */
function Nothing({ slot: { waiting } }: { slot: Slot }) {
  const { t } = useTranslation()
  const language = useLanguage()
  return (
    <div className={classes.nothing} lang={language}>
      {waiting.length === 0 && <p>{t('publish.slot.nothing')}</p>}
      {waiting.map(({ bookingId, sponsor, state }) => (
        <p key={bookingId}>{t('publish.slot.waits', { sponsor, reason: t(`publish.slot.reason.${state}`) })}</p>
      ))}
      <p>{t('publish.slot.leftOut')}</p>
    </div>
  )
}
