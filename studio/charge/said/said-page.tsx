import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { studioPaths } from '../../../server/http/studio-paths.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import classes from '../charge.module.css'
import { connectionQuery } from '../connect/queries.ts'
import { ComparisonsSection } from './comparisons-section.tsx'
import { EventsSection } from './events-section.tsx'
import { FailuresSection } from './failures-section.tsx'
import { tasksQuery } from './queries.ts'

/** What Stripe said that needs an eye. What was said before the key was taken away stays to be seen. */
export function SaidPage() {
  const { t } = useTranslation()
  const { id, may } = useNewsletter()
  const connection = useQuery(connectionQuery(id))
  const tasks = useQuery(tasksQuery(id))
  return (
    <>
      <PageTitle
        title={t('shell.titles.said')}
        lead={t(connection.data?.connection ? 'said.leadCompared' : 'said.lead')}
      />
      <QueryContent query={tasks}>
        {({ events, failures, nameless, stopped }) => {
          const isCalm = events + failures + nameless === 0 && stopped === null
          if (isCalm && connection.data && !connection.data.connection)
            return (
              <EmptyState
                title={t('said.notConnected.title')}
                action={
                  may('charge.manage') && (
                    <Button component={Link} to={studioPaths.chargeStripe} variant="filled" color="encre">
                      {t('said.notConnected.connect')}
                    </Button>
                  )
                }
              >
                {t('said.notConnected.text')}
              </EmptyState>
            )
          return (
            <>
              {isCalm && (
                <p className={classes.calm}>
                  <b>{t('said.calm.title')}</b> {t('said.calm.text')}
                </p>
              )}
              <FailuresSection />
              <EventsSection />
              {(connection.data?.connection || stopped !== null) && <ComparisonsSection />}
            </>
          )
        }}
      </QueryContent>
    </>
  )
}
