import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { studioPaths } from '../../server/http/studio-paths.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { Section } from '../ui/section.tsx'
import { CampaignList } from './campaign-list.tsx'
import classes from './campaigns.module.css'
import { campaignsQuery } from './queries.ts'

const SHOWN = 5

/** The newest opt-in campaigns. */
export function CampaignsSection() {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const query = useQuery(campaignsQuery(id))
  return (
    <Section title={t('campaigns.title')} aside={<Link to={studioPaths.campaigns}>{t('campaigns.all')}</Link>}>
      <QueryContent query={query}>
        {({ rows }) =>
          rows.length === 0 ? (
            <p className={classes.quiet}>{t('campaigns.none')}</p>
          ) : (
            <CampaignList rows={rows.slice(0, SHOWN)} />
          )
        }
      </QueryContent>
    </Section>
  )
}
