import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { studioPaths } from '../../server/http/studio-paths.ts'
import type { Booking } from '../../server/sponsorship/bookings/contract.ts'
import { dayOf } from '../day.ts'
import { useFormat } from '../format.ts'
import { useLanguage } from '../language.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { Section } from '../ui/section.tsx'
import { StatusMark } from '../ui/status-mark.tsx'
import { bookingPath } from './booking-path.ts'
import { bookingsQuery, placementsQuery } from './queries.ts'
import classes from './sponsorship.module.css'
import { bookingShape, momentOf, placementName, sumText } from './words.ts'

/** What sponsors wait for, and the bookings that come next. */
export function SponsorshipSection() {
  const { t } = useTranslation()
  const { id, timezone } = useNewsletter()
  const due = useQuery(bookingsQuery(id, 'due'))
  const coming = useQuery(bookingsQuery(id, 'coming'))
  const nameOf = usePlacementNames()
  const format = useFormat()
  const language = useLanguage()
  const today = dayOf(new Date(), timezone)
  const said = (booking: Booking) =>
    t(`sponsorship.${dueOf(booking, today)}`, {
      sponsor: booking.sponsor,
      placement: nameOf(booking.placementId),
      day: format.day(momentOf(booking.day)),
    })
  return (
    <>
      <QueryContent query={due}>
        {({ rows }) =>
          rows.length > 0 && (
            <Section title={t('sponsorship.due')}>
              <ul className={classes.list}>
                {rows.map((booking) => (
                  <li key={booking.id}>
                    <Link to={bookingPath(booking.id)}>{said(booking)}</Link>
                    {booking.heldUntil && (
                      <small>
                        {t('sponsorship.heldUntil')} {format.moment(booking.heldUntil)}
                      </small>
                    )}
                  </li>
                ))}
              </ul>
            </Section>
          )
        }
      </QueryContent>
      <Section
        title={t('sponsorship.nextBookings')}
        aside={<Link to={studioPaths.calendar}>{t('sponsorship.openCalendar')}</Link>}
      >
        <QueryContent query={coming}>
          {({ rows }) =>
            rows.length === 0 ? (
              <p className={classes.quiet}>{t('sponsorship.noBookings')}</p>
            ) : (
              <ul className={classes.list}>
                {rows.map((booking) => (
                  <li key={booking.id}>
                    <span>
                      <Link to={bookingPath(booking.id)}>{booking.sponsor}</Link>{' '}
                      <small>
                        {nameOf(booking.placementId)}, {format.day(momentOf(booking.day))}, {sumText(booking, language)}
                      </small>
                    </span>
                    <StatusMark shape={bookingShape[booking.state]}>
                      {t(`sponsorship.state.${booking.state}`)}
                    </StatusMark>
                  </li>
                ))}
              </ul>
            )
          }
        </QueryContent>
      </Section>
    </>
  )
}

/** What of a booking is due: an answer, its words, or what is owed when its day went by without it. */
function dueOf({ state, day, owed, disputed }: Booking, today: string) {
  if (owed) return 'dueOwed'
  if (state === 'cancelled') return 'dueCancelled'
  if (state === 'requested') return 'dueRequest'
  if (day < today || state === 'ran') return 'dueMissed'
  if (disputed) return 'dueDisputed'
  return state === 'creative_in' ? 'dueCreative' : 'dueLate'
}

function usePlacementNames(): (placementId: number) => string {
  const { id } = useNewsletter()
  const language = useLanguage()
  const { data } = useQuery(placementsQuery(id))
  return (placementId) => {
    const found = data?.placements.find((one) => one.id === placementId)
    return found ? placementName(found, language) : '—'
  }
}
