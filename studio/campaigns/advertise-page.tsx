import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Unconfirmed } from '../identity/unconfirmed.tsx'
import { ClicksOff } from '../links/clicks-off.tsx'
import { Counts, NotAllAlong } from '../links/counts.tsx'
import { linkPath } from '../links/queries.ts'
import { useUser } from '../shell/client.tsx'
import { useNewsletter } from '../shell/newsletter.tsx'
import { DueSection } from '../sponsorship/due-section.tsx'
import { NextSlots } from '../sponsorship/next-slots.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { Section } from '../ui/section.tsx'
import { Together } from '../ui/together.tsx'
import classes from './advertise.module.css'
import { AdvertiseActions } from './advertise-actions.tsx'
import { AdvertiseSteps } from './advertise-steps.tsx'
import { CampaignsSection } from './campaigns-section.tsx'
import { lastLinksQuery } from './queries.ts'
import { ExchangeSection } from './recommendations/exchange-section.tsx'
import { ResultCharts, ResultLists } from './results-section.tsx'
import { useWaiting } from './use-waiting.ts'

/** What waits for somebody and what came of it; beside it what runs and ran. */
export function AdvertisePage() {
  const { t } = useTranslation()
  const { may } = useNewsletter()
  const waiting = useWaiting()
  return (
    <Together>
      <PageTitle title={t('shell.nav.advertise')} lead={t('advertise.lead')}>
        <AdvertiseActions />
      </PageTitle>
      {may('links.read') && <ClicksOff />}
      <AdvertiseSteps />
      {may('sponsorship.read') && <UnconfirmedForSponsors />}
      <div className={classes.columns}>
        <div>
          <DueSection others={waiting} />
          {may('sponsorship.read') && <NextSlots />}
          {may('links.read') && <ResultCharts />}
        </div>
        <aside className={classes.aside}>
          {may('campaigns.read') && <CampaignsSection />}
          {may('campaigns.read') && <ExchangeSection />}
          {may('links.read') && <ResultLists />}
          {may('links.read') && <LastLinks />}
        </aside>
      </div>
    </Together>
  )
}

/** Requests of sponsors are mailed to addresses that are confirmed alone, so whoever has not confirmed theirs hears of none. */
function UnconfirmedForSponsors() {
  const { t } = useTranslation()
  const user = useUser()
  const { may } = useNewsletter()
  if (user.anonymous || user.emailVerified || !may('sponsorship.write')) return null
  return (
    <Alert color="ocre" my="md" title={t('advertise.unconfirmed')}>
      <Unconfirmed />
    </Alert>
  )
}

/** The last short links, with both numbers of their clicks. */
function LastLinks() {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const links = useQuery(lastLinksQuery(id))
  return (
    <Section title={t('advertise.last')} aside={<Link to="/advertise/links">{t('advertise.all')}</Link>}>
      <QueryContent query={links}>
        {({ rows }) =>
          rows.length === 0 ? (
            <p className={classes.none}>{t('links.noneText')}</p>
          ) : (
            <>
              <ul className={classes.list}>
                {rows.map(({ id: linkId, name, clicks }) => (
                  <li key={linkId}>
                    <Link to={linkPath(linkId)}>{name || `/r/${linkId}`}</Link>
                    <Counts clicks={clicks} />
                  </li>
                ))}
              </ul>
              <NotAllAlong began={rows.at(-1)?.createdAt ?? ''} />
            </>
          )
        }
      </QueryContent>
    </Section>
  )
}
