import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { studioPaths } from '../../server/http/studio-paths.ts'
import type { CalendarDay } from '../../server/sponsorship/calendar/contract.ts'
import { useFormat } from '../format.ts'
import { useLanguage } from '../language.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { Section } from '../ui/section.tsx'
import { StatusMark } from '../ui/status-mark.tsx'
import { type Calendar, Cell } from './calendar-grid.tsx'
import { type FreeSlot, NewBookingDialog } from './new-booking-dialog.tsx'
import { calendarQuery } from './queries.ts'
import { alsoToApprove, daysWithSlots, slotsState } from './slots-state.ts'
import classes from './sponsorship.module.css'
import { placementName } from './words.ts'

const MOST = 5

/** The next days with what is sold, asked for and free on each: a row for each day, as the eye reads a week. */
export function NextSlots() {
  const { t } = useTranslation()
  const { id, may } = useNewsletter()
  const query = useQuery(calendarQuery(id))
  const [booking, book] = useState<FreeSlot | null>(null)
  return (
    <Section
      title={t('sponsorship.nextSlots')}
      aside={<Link to={studioPaths.calendar}>{t('sponsorship.openCalendar')}</Link>}
    >
      <QueryContent query={query}>
        {(calendar) => <Slots calendar={calendar} book={may('sponsorship.write') ? book : null} />}
      </QueryContent>
      {booking && <NewBookingDialog slot={booking} onClose={() => book(null)} />}
    </Section>
  )
}

interface Props {
  calendar: Calendar
  /** Null for who may only look. */
  book: ((slot: FreeSlot) => void) | null
}

function Slots({ calendar, book }: Props) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { placements } = calendar
  const next = daysWithSlots(calendar).slice(0, MOST)
  if (placements.length === 0)
    return (
      <p className={classes.quiet}>
        {t('sponsorship.noneText')} <Link to={studioPaths.placements}>{t('shell.titles.placements')}</Link>
      </p>
    )
  if (next.length === 0) return <p className={classes.quiet}>{t('sponsorship.noDays')}</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is moved sideways must be reachable by keyboard (axe scrollable-region-focusable).
    <section className={classes.sideways} aria-label={t('sponsorship.nextSlotsByDay')} tabIndex={0}>
      <table className={`${classes.grid} ${classes.next}`}>
        <thead>
          <tr>
            <th scope="col">{t('sponsorship.publication')}</th>
            {placements.map((placement) => (
              <th key={placement.id} scope="col">
                {placementName(placement, language)}
              </th>
            ))}
            <th scope="col">{t('sponsorship.slotsState')}</th>
          </tr>
        </thead>
        <tbody>
          {next.map((day) => (
            <tr key={day.day}>
              <DayName day={day} />
              {placements.map((placement) => (
                <Cell
                  key={placement.id}
                  {...{ day, placement, calendar, book }}
                  column={placementName(placement, language)}
                />
              ))}
              <State calendar={calendar} day={day} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function DayName({ day: { day, publications } }: { day: CalendarDay }) {
  const { t } = useTranslation()
  const format = useFormat()
  const written = format.calendarDay(day)
  if (publications.length === 0)
    return (
      <th scope="row">
        <b>{written}</b>
      </th>
    )
  return (
    <th scope="row">
      {publications.map(({ id, number, title, published }) => (
        <b key={id}>
          <Link to={published ? `/publish/${id}` : `/publish/create/${id}`}>
            {number === null ? title : t('publications.number', { number })}
          </Link>
        </b>
      ))}
      <small>{written}</small>
    </th>
  )
}

function State({ calendar, day }: { calendar: Calendar; day: CalendarDay }) {
  const { t } = useTranslation()
  const { shape, says, count } = slotsState(calendar, day)
  const also = alsoToApprove(calendar, day)
  return (
    <td data-state>
      <StatusMark shape={shape}>{t(`sponsorship.slots.${says}`, { count })}</StatusMark>
      {also > 0 && (
        <div>
          <StatusMark shape={shape}>{t('sponsorship.slots.approve', { count: also })}</StatusMark>
        </div>
      )}
    </td>
  )
}
