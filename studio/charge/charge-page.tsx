import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Plan } from '../../server/charge/plans/contract.ts'
import { studioPaths } from '../../server/http/studio-paths.ts'
import { useFormat } from '../format.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { IconCheck } from '../ui/icons.ts'
import { PageTitle } from '../ui/page-title.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { Section } from '../ui/section.tsx'
import { Together } from '../ui/together.tsx'
import classes from './charge.module.css'
import { ChargeSteps } from './charge-steps.tsx'
import { RevenueOverview } from './figures/revenue-overview.tsx'
import { OutsideSection } from './outside/outside-section.tsx'
import { SubscriptionTable } from './outside/subscription-table.tsx'
import { PlanList } from './plans/plan-list.tsx'
import { overviewQuery, plansQuery } from './queries.ts'
import { TasksNotice } from './said/tasks-notice.tsx'

/** What is sold, what is due, and what is paid outside; before the first plan, how to begin. */
export function ChargePage() {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const plans = useQuery(plansQuery(id))
  return (
    <>
      <PageTitle title={t('shell.nav.charge')} lead={t('charge.lead')} />
      <QueryContent query={plans}>
        {({ plans: all }) => (
          <Together>{all.some(({ kind }) => kind === 'paid') ? <Sold plans={all} /> : <Begin />}</Together>
        )}
      </QueryContent>
    </>
  )
}

function Sold({ plans }: { plans: Plan[] }) {
  const { t } = useTranslation()
  const { may } = useNewsletter()
  return (
    <div className={classes.columns}>
      <div>
        <TasksNotice />
        <ChargeSteps />
        <RevenueOverview />
        <Due />
        <OutsideSection />
      </div>
      <div>
        <Section
          title={t('shell.titles.plans')}
          aside={may('charge.write') && <Link to={studioPaths.chargePlans}>{t('charge.change')}</Link>}
        >
          <PlanList plans={plans} />
        </Section>
      </div>
    </div>
  )
}

function Begin() {
  const { t } = useTranslation()
  const { may } = useNewsletter()
  const mayBegin = may('charge.write')
  return (
    <>
      <EmptyState
        title={t(mayBegin ? 'charge.begin' : 'plans.none')}
        action={
          mayBegin && (
            <Button component={Link} to="/charge/plans/new" variant="filled" color="encre">
              {t('charge.beginPlan')}
            </Button>
          )
        }
      >
        {mayBegin && t('charge.beginText')}
      </EmptyState>
      <ChargeSteps />
      <Works />
    </>
  )
}

/** Subscriptions that end soon, and payments that failed. Nothing is drawn when nothing is due. */
function Due() {
  const { t } = useTranslation()
  const format = useFormat()
  const { id } = useNewsletter()
  const overview = useQuery(overviewQuery(id))
  return (
    <QueryContent query={overview}>
      {(due) => (
        <>
          {(['failed', 'ending'] as const).map(
            (what) =>
              due[what].total > 0 && (
                <Section
                  key={what}
                  title={t(`charge.due.${what}`)}
                  aside={
                    due[what].total > due[what].rows.length ? (
                      <Link to={`${studioPaths.chargeSubscriptions}?due=${what}`}>
                        {t('charge.subscriptions.show', { n: format.number(due[what].total) })}
                      </Link>
                    ) : (
                      <span className={classes.small}>{format.number(due[what].total)}</span>
                    )
                  }
                >
                  <SubscriptionTable rows={due[what].rows} />
                </Section>
              ),
          )}
          {due.failed.total + due.ending.total === 0 && (
            <Section title={t('charge.due.title')}>
              <p className={classes.quiet}>{t('charge.due.none')}</p>
            </Section>
          )}
        </>
      )}
    </QueryContent>
  )
}

/** What works without keys of Stripe. */
function Works() {
  const { t } = useTranslation()
  return (
    <Section title={t('charge.works.title')} aside={<span className={classes.small}>{t('charge.works.aside')}</span>}>
      <ul className={classes.works}>
        {(['plans', 'outside', 'gifts', 'entering'] as const).map((what) => (
          <li key={what}>
            <IconCheck size={16} stroke={1.8} />
            <b>{t(`charge.works.${what}.title`)}</b>
            <span>{t(`charge.works.${what}.text`)}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
