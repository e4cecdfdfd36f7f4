import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Plan, updatePlan } from '../../../server/charge/plans/contract.ts'
import { call } from '../../api.ts'
import { useFormat } from '../../format.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Section } from '../../ui/section.tsx'
import classes from '../charge.module.css'
import { chargeKey } from '../queries.ts'

/** Closes a plan to new subscribers, or opens it again. Both can be undone, so nothing is asked. */
export function ClosePlan({ plan }: { plan: Plan }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id } = useNewsletter()
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: (closed: boolean) =>
      call(updatePlan, { params: { newsletterId: id, planId: plan.id }, body: { closed } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: chargeKey(id) }),
  })
  const isClosed = plan.closedAt !== null
  return (
    <Section title={t(isClosed ? 'plans.close.reopenTitle' : 'plans.close.title')}>
      <p className={classes.quiet}>
        {t(isClosed ? 'plans.close.reopenText' : 'plans.close.text', {
          count: plan.placesTaken,
          n: format.number(plan.placesTaken),
        })}
      </p>
      <ErrorNotice error={change.error} />
      <Button
        mt="sm"
        size="xs"
        color={isClosed ? 'gray' : 'rouge'}
        loading={change.isPending}
        onClick={() => change.mutate(!isClosed)}
      >
        {t(isClosed ? 'plans.close.reopen' : 'plans.close.close')}
      </Button>
    </Section>
  )
}
