import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { studioPaths } from '../../server/http/studio-paths.ts'
import { useFormat } from '../format.ts'
import { useLanguage } from '../language.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { Section } from '../ui/section.tsx'
import { StatusMark } from '../ui/status-mark.tsx'
import { bookingPath } from './booking-path.ts'
import { bookingsQuery } from './queries.ts'
import classes from './sponsorship.module.css'
import { useDueWords, usePlacementNames } from './use-due-words.ts'
import { bookingShape, momentOf, sumText } from './words.ts'

/** What sponsors and `others` wait for, and the bookings that come next. */
export function SponsorshipSection({ others }: { others: { key: string; to: string; text: string }[] }) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const due = useQuery(bookingsQuery(id, 'due'))
  const coming = useQuery(bookingsQuery(id, 'coming'))
  const nameOf = usePlacementNames()
  const said = useDueWords()
  const format = useFormat()
  const language = useLanguage()
  return (
    <>
      <QueryContent query={due}>
        {({ rows }) =>
          rows.length + others.length > 0 && (
            <Section title={t('sponsorship.due')}>
              <ul className={classes.list} data-due>
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
                {others.map(({ key, to, text }) => (
                  <li key={key}>
                    <Link to={to}>{text}</Link>
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
                      <Link to={bookingPath(booking.id)}>{booking.sponsor}</Link>
                      <small className={classes.below}>
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
