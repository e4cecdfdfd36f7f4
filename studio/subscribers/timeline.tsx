import { useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { atOnceMeans } from '../../server/subscribers/contract.ts'
import { listTimeline, type TimelineRow } from '../../server/subscribers/detail/contract.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { fieldsQuery } from '../segments/queries.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import {
  type Icon,
  IconAlertTriangle,
  IconArrowBackUp,
  IconBan,
  IconCalendar,
  IconCheck,
  IconClick,
  IconEye,
  IconInbox,
  IconMail,
  IconPencil,
  IconSwitchHorizontal,
  IconUpload,
  IconUserPlus,
} from '../ui/icons.ts'
import { Loading } from '../ui/loading.tsx'
import { MoreRows } from '../ui/more-rows.tsx'
import { Section } from '../ui/section.tsx'
import { shownTitle } from '../ui/shown-title.ts'
import { usePagedRows } from '../ui/use-pages.ts'
import classes from './subscriber-page.module.css'
import { meansText } from './subscriber-parts.tsx'

const icons: Record<TimelineRow['kind'], Icon> = {
  asked: IconUserPlus,
  confirmed: IconCheck,
  unsubscribed: IconBan,
  returned: IconArrowBackUp,
  restored: IconArrowBackUp,
  bounced: IconAlertTriangle,
  complained: IconAlertTriangle,
  accepted: IconMail,
  caught: IconInbox,
  opened: IconEye,
  clicked: IconClick,
  edited: IconPencil,
  chose_every: IconCalendar,
  chose_weekly: IconCalendar,
  chose_monthly: IconCalendar,
  paused: IconCalendar,
  resumed: IconCalendar,
  moved: IconSwitchHorizontal,
  imported: IconUpload,
  campaign_yes: IconCheck,
  campaign_no: IconBan,
}

/** What happened to a subscriber, newest first, page by page. */
export function Timeline({ subscriberId }: { subscriberId: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id } = useNewsletter()
  const { data: customFields = [] } = useQuery(fieldsQuery(id))
  // A field that was deleted since has no other name left.
  const labelOf = (key: string) => customFields.find((field) => field.key === key)?.label ?? key
  const { query, rows, first } = usePagedRows([id, 'subscribers', 'timeline', subscriberId], (cursor, signal) =>
    call(listTimeline, { params: { newsletterId: id, subscriberId }, query: { cursor, limit: 20 }, signal }),
  )
  return (
    <Section title={t('subscribers.detail.timeline')}>
      {query.isError && <ErrorNotice error={query.error} retry={query.refetch} />}
      {query.isPending && <Loading lines={6} row={44} />}
      {first && rows.length === 0 && <p className={classes.hint}>{t('subscribers.detail.nothing')}</p>}
      <ol className={classes.timeline}>
        {rows.map((row, place) => {
          const RowIcon = icons[row.kind]
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are only added at the end, and have no id of their own
            <li key={place}>
              <span className={classes.mark}>
                <RowIcon size={14} stroke={1.6} />
              </span>
              <div>
                <b>{whatHappened(t, row)}</b>
                <small>{detailOf(t, row, labelOf)}</small>
              </div>
              <time dateTime={row.at} title={format.momentOfYear(row.at)}>
                {format.dayOfYear(row.at)}
              </time>
            </li>
          )
        })}
      </ol>
      <MoreRows query={query} />
    </Section>
  )
}

function whatHappened(t: TFunction, { kind, publication, means }: TimelineRow): string {
  const title = shownTitle(publication?.title, t)
  if (kind === 'clicked' && !publication) return t('subscribers.detail.event.clickedAlone')
  if (kind === 'confirmed' && means === 'import') return t('subscribers.detail.event.imported')
  if (kind === 'confirmed' && atOnceMeans.some((one) => one === means)) return t('subscribers.detail.event.subscribed')
  return t(`subscribers.detail.event.${kind}`, { title })
}

function detailOf(t: TFunction, row: TimelineRow, labelOf: (key: string) => string): string {
  const { kind, means, target, by, file, given, taken, fields, reason } = row
  if (kind === 'imported') return [file, by && t('subscribers.detail.by', { name: by })].filter(Boolean).join(' · ')
  if (kind === 'edited') {
    const parts = [
      given.length > 0 && t('subscribers.detail.given', { tags: given.join(', ') }),
      taken.length > 0 && t('subscribers.detail.taken', { tags: taken.join(', ') }),
      fields.length > 0 && t('subscribers.detail.fields', { fields: fields.map(labelOf).join(', ') }),
      by && t('subscribers.detail.by', { name: by }),
    ]
    return parts.filter(Boolean).join(' · ')
  }
  if (kind === 'opened') return t('subscribers.detail.estimate')
  if (target) return target.replace(/^https?:\/\//, '')
  return [means && meansText(t, means), reason && t(`subscribers.leftReason.${reason}`)].filter(Boolean).join(' · ')
}
