import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { studioPaths } from '../../../server/http/studio-paths.ts'
import { useWaiting } from '../../campaigns/use-waiting.ts'
import { overviewQuery } from '../../charge/queries.ts'
import { useFormat } from '../../format.ts'
import { publicationsQuery } from '../../publications/queries.ts'
import { useStopReason } from '../../sending/reason-sentences.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { bookingPath } from '../../sponsorship/booking-path.ts'
import { dueQuery } from '../../sponsorship/queries.ts'
import { useDueWords } from '../../sponsorship/use-due-words.ts'
import { Section } from '../../ui/section.tsx'
import { shownTitle } from '../../ui/shown-title.ts'
import { welcomesQuery } from '../../welcomes/queries.ts'
import classes from './activity.module.css'

const SHOWN = 5

interface Due {
  key: string
  to: string
  text: string
  aside: string
  /** What went wrong, after the text. */
  why?: string
}

/** What waits for somebody: publications that go out next or could not, and what Advertise and Charge call due. */
export function DueNext() {
  const { t } = useTranslation()
  const waiting: Due[] = useWaiting().map((one) => ({ ...one, aside: '' }))
  const due = [
    ...useStoppedWelcomes(),
    ...useDuePublications(),
    ...useDueBookings(),
    ...waiting,
    ...useDueSubscriptions(),
  ]
  if (due.length === 0) return null
  return (
    <Section title={t('dashboard.due.title')}>
      <ul className={classes.list}>
        {due.map(({ key, to, text, aside, why }) => (
          <li key={key} className={classes.due ?? ''} data-wrong={why !== undefined || undefined}>
            <Link to={to}>{why === undefined ? text : `${text} ${why}`}</Link>
            {aside && <span>{aside}</span>}
          </li>
        ))}
      </ul>
    </Section>
  )
}

function useDuePublications(): Due[] {
  const { t } = useTranslation()
  const format = useFormat()
  const reason = useStopReason()
  const { id, may } = useNewsletter()
  const enabled = may('publications.read')
  const scheduled = useInfiniteQuery({ ...publicationsQuery(id, { status: 'scheduled' }), enabled })
  const missed = useInfiniteQuery({ ...publicationsQuery(id, { missed: true }), enabled })
  const rows = (query: typeof scheduled) => query.data?.pages.flatMap((page) => page.rows) ?? []
  const name = (title: string) => shownTitle(title, t)
  return [
    ...rows(missed)
      .slice(0, SHOWN)
      .map(({ id: key, title, stoppedBy }) => ({
        ...{ key, to: `/publish/create/${key}`, aside: '', why: reason(stoppedBy ?? 'internal') },
        text: t('dashboard.due.notSent', { title: name(title) }),
      })),
    ...rows(scheduled)
      .toSorted((a, b) => (a.scheduledAt ?? '').localeCompare(b.scheduledAt ?? ''))
      .slice(0, SHOWN)
      .map(({ id: key, title, scheduledAt, stoppedBy }) => ({
        ...{ key, to: `/publish/${key}` },
        text: t(stoppedBy ? 'dashboard.due.late' : 'dashboard.due.goesOut', { title: name(title) }),
        aside: format.moment(scheduledAt),
      })),
  ]
}

/** A welcome that the server has stopped: somebody may wait for it. */
function useStoppedWelcomes(): Due[] {
  const { t } = useTranslation()
  const reason = useStopReason()
  const { id, may } = useNewsletter()
  const { data = [] } = useQuery({ ...welcomesQuery(id), enabled: may('publications.read') })
  return data.flatMap(({ id: key, segment, publication, earlier, ...welcome }) => {
    const stoppedBy = welcome.stoppedBy ?? earlier.stoppedBy
    if (stoppedBy === null) return []
    const to = segment ? `/subscribers/segments/${segment.id}` : studioPaths.subscribingSettings
    const text = t('dashboard.due.welcome', { title: shownTitle(publication.title, t) })
    return [{ key: `welcome ${key}`, to, text, aside: '', why: reason(stoppedBy) }]
  })
}

function useDueBookings(): Due[] {
  const { id, may } = useNewsletter()
  const { data } = useQuery({ ...dueQuery(id), enabled: may('sponsorship.read') })
  const said = useDueWords()
  const { t } = useTranslation()
  const rows = data?.rows ?? []
  const isMore = rows.length > SHOWN
  return [
    ...rows.slice(0, SHOWN).map((booking) => ({
      ...{ key: booking.id, to: bookingPath(booking.id), text: said(booking), aside: '' },
    })),
    ...(isMore
      ? [{ key: 'more bookings', to: studioPaths.advertise, text: t('dashboard.due.moreBookings'), aside: '' }]
      : []),
  ]
}

function useDueSubscriptions(): Due[] {
  const { t } = useTranslation()
  const format = useFormat()
  const { id, may } = useNewsletter()
  const { data } = useQuery({ ...overviewQuery(id), enabled: may('charge.read') })
  return (['failed', 'ending'] as const).flatMap((what) => {
    const total = data?.[what].total ?? 0
    if (total === 0) return []
    const to = `${studioPaths.chargeSubscriptions}?due=${what}`
    return [{ key: what, to, text: t(`dashboard.due.${what}`, { count: total, n: format.number(total) }), aside: '' }]
  })
}
