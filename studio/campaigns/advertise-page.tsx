import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useFormat } from '../format.ts'
import { linkPath } from '../links/queries.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { SponsorshipSection } from '../sponsorship/sponsorship-section.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { Section } from '../ui/section.tsx'
import classes from './advertise.module.css'
import { AdvertiseSteps } from './advertise-steps.tsx'
import { CampaignsSection } from './campaigns-section.tsx'
import { lastLinksQuery } from './queries.ts'
import { ResultsSection } from './results-section.tsx'

/** What runs: the last short links, with both numbers of their clicks. */
export function AdvertisePage() {
  const { t } = useTranslation()
  const format = useFormat()
  const { id, may } = useNewsletter()
  const links = useQuery(lastLinksQuery(id))
  return (
    <>
      <PageTitle title={t('shell.nav.advertise')} lead={t('advertise.lead')} />
      <AdvertiseSteps />
      {may('sponsorship.read') && <SponsorshipSection />}
      {may('campaigns.read') && <CampaignsSection />}
      <ResultsSection />
      <Section title={t('advertise.last')} aside={<Link to="/advertise/links">{t('advertise.all')}</Link>}>
        <QueryContent query={links}>
          {({ rows }) =>
            rows.length === 0 ? (
              <p className={classes.none}>{t('links.noneText')}</p>
            ) : (
              <ul className={classes.list}>
                {rows.map(({ id: linkId, name, clicks }) => (
                  <li key={linkId}>
                    <Link to={linkPath(linkId)}>{name || `/r/${linkId}`}</Link>
                    <span>
                      <b>{format.number(clicks.human)}</b> {t('links.humanCount', { count: clicks.human })}
                    </span>
                    <span>
                      {format.number(clicks.raw)} {t('links.rawCount', { count: clicks.raw })}
                    </span>
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
