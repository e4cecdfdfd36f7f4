import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { WhoMayChange } from '../../newsletters/who-may-change.tsx'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { IconPlus } from '../../ui/icons.ts'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { LeaveGuard } from '../../ui/unsaved.tsx'
import { GiftsSection } from '../gifts/gifts-section.tsx'
import { plansQuery } from '../queries.ts'
import { CouponsSection } from './coupons-section.tsx'
import { PlanOrder } from './plan-order.tsx'
import { PlansLink } from './plans-link.tsx'
import { RemindersSection } from './reminders-section.tsx'
import { SettingsSection } from './settings-section.tsx'

/** Everything that is sold: plans, coupons, and what holds for all of them. */
export function PlansPage() {
  const { t } = useTranslation()
  const { id, may } = useNewsletter()
  const plans = useQuery(plansQuery(id))
  const newPlan = may('charge.write') && (
    <Button
      component={Link}
      to="/charge/plans/new"
      variant="filled"
      color="encre"
      leftSection={<IconPlus size={15} stroke={1.6} />}
    >
      {t('plans.new')}
    </Button>
  )
  const sells = plans.data?.plans.some(({ kind }) => kind === 'paid')
  return (
    <>
      <PageTitle title={t('shell.titles.plans')} lead={t('plans.lead')}>
        {sells && <PlansLink />}
        {sells !== false && newPlan}
      </PageTitle>
      <WhoMayChange need="charge.write" />
      <QueryContent query={plans}>
        {({ plans: all, settings }) => (
          <>
            {sells ? (
              <PlanOrder plans={all} />
            ) : (
              <EmptyState title={t('plans.none')} action={newPlan}>
                {t('plans.noneText')}
              </EmptyState>
            )}
            <SettingsSection settings={settings} />
            <RemindersSection settings={settings} />
          </>
        )}
      </QueryContent>
      {may('charge.write') && <GiftsSection />}
      <CouponsSection />
      <LeaveGuard />
    </>
  )
}
