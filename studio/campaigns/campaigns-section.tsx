import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { studioPaths } from '../../server/http/studio-paths.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { Section } from '../ui/section.tsx'
import { CampaignList, type CampaignRow } from './campaign-list.tsx'
import classes from './campaigns.module.css'
import { campaignsQuery } from './queries.ts'

const SHOWN = 5

/** The opt-in campaigns that run, then those that begin next. */
export function CampaignsSection() {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const query = useQuery(campaignsQuery(id))
  return (
    <Section title={t('shell.titles.campaigns')} aside={<Link to={studioPaths.campaigns}>{t('campaigns.all')}</Link>}>
      <QueryContent query={query}>
        {({ rows }) =>
          rows.length === 0 ? <p className={classes.quiet}>{t('campaigns.none')}</p> : <Running rows={rows} />
        }
      </QueryContent>
    </Section>
  )
}

function Running({ rows }: { rows: CampaignRow[] }) {
  const { t } = useTranslation()
  const next = rows
    .filter(({ state }) => state === 'scheduled')
    .toSorted((a, b) => (a.startsAt ?? '').localeCompare(b.startsAt ?? ''))
  const shown = [...rows.filter(({ state }) => state === 'running'), ...next].slice(0, SHOWN)
  return shown.length === 0 ? <p className={classes.quiet}>{t('campaigns.noneRuns')}</p> : <CampaignList rows={shown} />
}
