import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useFormat } from '../../format.ts'
import { Section } from '../../ui/section.tsx'
import { shownTitle } from '../../ui/shown-title.ts'
import type { PublicationResult } from '../queries.ts'
import { lastMailed } from './last-mailed.ts'
import classes from './travel.module.css'

/** How the last publication that somebody wrote and mailed travelled, from the copies that were accepted to the people who left. */
export function Travel({ publications }: { publications: PublicationResult[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { last, caught } = lastMailed(publications)
  if (!last) return null
  const { accepted } = last.counts
  const steps = [
    { key: 'accepted', count: accepted },
    { key: 'opened', count: last.opens },
    { key: 'read', count: last.clicks.people },
    { key: 'left', count: last.unsubscribes },
  ] as const
  const title = shownTitle(last.title, t)
  return (
    <Section
      title={t('dashboard.travel.title')}
      aside={
        <Link to={`/publish/${last.id}`} className={classes.publication}>
          {title}
        </Link>
      }
    >
      <ol className={classes.steps}>
        {steps.map(({ key, count }) => (
          <li key={key} data-step={key}>
            <span className={classes.words}>
              <b>{format.number(count)}</b>{' '}
              {count === null
                ? t(key === 'opened' ? 'ui.opensNotKept' : 'ui.clicks.notKept')
                : t(`dashboard.travel.${key}`, { count })}
              {key !== 'accepted' && count !== null && (
                <small>{t('dashboard.travel.share', { share: format.rate(count / accepted) })}</small>
              )}
            </span>
            <span className={classes.bar} aria-hidden="true">
              {count !== null && <i style={{ width: `${Math.min(1, count / accepted) * 100}%` }} />}
            </span>
          </li>
        ))}
      </ol>
      <p className={classes.note}>
        {caught > 0 && `${t('dashboard.travel.caught', { count: caught, n: format.number(caught) })} `}
        {t('dashboard.travel.note')}
      </p>
    </Section>
  )
}
