import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { studioPaths } from '../../../server/http/studio-paths.ts'
import { useFormat } from '../../format.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { Section } from '../../ui/section.tsx'
import { recommendationsQuery, recommendersQuery } from './queries.ts'
import classes from './recommendations.module.css'

/** What recommendations gave and brought, in a line; nothing where there are none. */
export function ExchangeSection() {
  const { t } = useTranslation()
  const format = useFormat()
  const { id } = useNewsletter()
  const ours = useQuery(recommendationsQuery(id, 'quarter')).data?.rows ?? []
  const theirs = useQuery(recommendersQuery(id, 'quarter')).data?.rows ?? []
  if (ours.length + theirs.length === 0) return null
  const confirmed = (rows: { counts: { confirmed: number } }[]) =>
    format.number(rows.reduce((sum, { counts }) => sum + counts.confirmed, 0))
  return (
    <Section
      title={t('shell.titles.recommendations')}
      aside={<Link to={studioPaths.recommendations}>{t('advertise.openRecommendations')}</Link>}
    >
      <p className={classes.quiet}>
        {t('advertise.exchanged', { given: confirmed(ours), received: confirmed(theirs) })}
      </p>
    </Section>
  )
}
