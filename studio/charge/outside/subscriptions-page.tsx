import { Button, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { listSubscriptions } from '../../../server/charge/outside/contract.ts'
import { call } from '../../api.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Loading } from '../../ui/loading.tsx'
import { MoreRows } from '../../ui/more-rows.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { usePagedRows } from '../../ui/use-pages.ts'
import { chargeKey, plansQuery } from '../queries.ts'
import { SubscriptionTable } from './subscription-table.tsx'
import { WaysIn } from './ways-in.tsx'

const choices = ['all', 'ending', 'failed'] as const

/** Every subscription, or only those that end soon, or whose payment failed: `?due=ending`, `?due=failed`. */
export function SubscriptionsPage() {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const [params, setParams] = useSearchParams()
  const due = choices.find((one) => one === params.get('due')) ?? 'all'
  const { query, rows } = usePagedRows([...chargeKey(id), 'subscriptions', due], (cursor, signal) =>
    call(listSubscriptions, {
      params: { newsletterId: id },
      query: { cursor, limit: 30, ...(due !== 'all' && { due }) },
      signal,
    }),
  )
  return (
    <>
      <PageTitle title={t('shell.titles.subscriptions')} lead={t(`charge.subscriptions.lead.${due}`)}>
        {(rows.length > 0 || due !== 'all') && <WaysIn />}
      </PageTitle>
      <SegmentedControl
        mb="lg"
        size="xs"
        aria-label={t('charge.subscriptions.which')}
        data={choices.map((value) => ({ value, label: t(`charge.subscriptions.choice.${value}`) }))}
        value={due}
        onChange={(value) => setParams(value === 'all' ? {} : { due: value }, { replace: true })}
      />
      {query.isError && <ErrorNotice error={query.error} retry={query.refetch} />}
      {query.isPending && <Loading lines={8} row={40} />}
      {query.data &&
        rows.length === 0 &&
        (due === 'all' ? <Nobody /> : <EmptyState title={t('charge.subscriptions.none')} />)}
      {rows.length > 0 && <SubscriptionTable rows={rows} />}
      <MoreRows query={query} />
    </>
  )
}

/** Before the first subscription: how one comes here. */
function Nobody() {
  const { t } = useTranslation()
  const { id, may } = useNewsletter()
  const plans = useQuery(plansQuery(id))
  const hasPlan = plans.data?.plans.some(({ kind, closedAt }) => kind === 'paid' && !closedAt)
  return (
    <EmptyState
      title={t('charge.subscriptions.nobody')}
      action={
        plans.data &&
        may('charge.write') &&
        (hasPlan ? (
          <WaysIn />
        ) : (
          <Button component={Link} to="/charge/plans/new" variant="filled" color="encre">
            {t('charge.beginPlan')}
          </Button>
        ))
      }
    >
      {plans.data && t(hasPlan ? 'charge.subscriptions.nobodyText' : 'charge.subscriptions.noPlanText')}
    </EmptyState>
  )
}
