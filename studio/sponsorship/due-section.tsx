import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useFormat } from '../format.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Section } from '../ui/section.tsx'
import { bookingPath } from './booking-path.ts'
import { dueQuery } from './queries.ts'
import classes from './sponsorship.module.css'
import { useDueWords } from './use-due-words.ts'

/** What sponsors wait for, for those who may see it, and what `others` do. */
export function DueSection({ others }: { others: { key: string; to: string; text: string }[] }) {
  const { t } = useTranslation()
  const { id, may } = useNewsletter()
  const due = useQuery({ ...dueQuery(id), enabled: may('sponsorship.read') })
  const said = useDueWords()
  const format = useFormat()
  const rows = due.data?.rows ?? []
  if (!due.error && rows.length + others.length === 0) return null
  return (
    <Section title={t('sponsorship.due')}>
      <ErrorNotice error={due.error} retry={due.refetch} />
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
