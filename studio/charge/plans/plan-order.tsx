import { ActionIcon, VisuallyHidden } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { orderPlans, type Plan } from '../../../server/charge/plans/contract.ts'
import { call } from '../../api.ts'
import { useLanguage } from '../../language.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { IconArrowDown, IconArrowUp } from '../../ui/icons.ts'
import { moveButtonId, useMovedFocus, type Way } from '../../ui/moved-focus.ts'
import classes from '../charge.module.css'
import { chargeKey, plansQuery } from '../queries.ts'
import { planName } from '../words.ts'
import { PlanList } from './plan-list.tsx'

/** A plan that goes one place up or down, and the order of all plans after it. */
type Move = { plan: Plan; way: Way; next: Plan[] }

/** The plans in their order, with buttons to change it. What is free stays first, as on the page of plans. */
export function PlanOrder({ plans }: { plans: Plan[] }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { id, may } = useNewsletter()
  const queries = useQueryClient()
  const [moved, setMoved] = useState<Omit<Move, 'next'> | null>(null)
  const mutationKey = [...chargeKey(id), 'order']
  // Moves that follow each other quickly reach the server one after the other, and an answer to an earlier one does not undo a later one here.
  const move = useMutation({
    mutationKey,
    scope: { id: mutationKey.join() },
    mutationFn: ({ next }: Move) =>
      call(orderPlans, { params: { newsletterId: id }, body: { planIds: next.map((plan) => plan.id) } }),
    onMutate: async ({ next, ...move }) => {
      const { queryKey } = plansQuery(id)
      await queries.cancelQueries({ queryKey })
      queries.setQueryData(queryKey, (old) => old && { ...old, plans: next })
      setMoved(move)
    },
    onSettled: () =>
      queries.isMutating({ mutationKey }) === 1 && queries.invalidateQueries({ queryKey: chargeKey(id) }),
  })
  const free = plans.filter(({ kind }) => kind === 'free')
  const paid = plans.filter(({ kind }) => kind === 'paid')
  const begin = (plan: Plan, way: Way) => {
    const [from, to] = [paid.indexOf(plan), paid.indexOf(plan) + (way === 'up' ? -1 : 1)]
    move.mutate({ plan, way, next: [...free, ...paid.with(from, paid[to] ?? plan).with(to, plan)] })
  }
  const place = moved ? paid.findIndex((plan) => plan.id === moved.plan.id) : -1
  useMovedFocus(moved && { id: moved.plan.id, way: moved.way }, { at: place, count: paid.length })
  const mayOrder = may('charge.write') && paid.length > 1
  return (
    <>
      <ErrorNotice error={move.error} />
      <PlanList
        plans={plans}
        {...(mayOrder && {
          act: (plan: Plan) =>
            plan.kind === 'paid' && (
              <span className={classes.order}>
                {(['up', 'down'] as const).map((way) => (
                  <ActionIcon
                    key={way}
                    id={moveButtonId(plan.id, way)}
                    variant="subtle"
                    color="gray"
                    aria-label={t(`plans.order.${way}`, { name: planName(plan, language) })}
                    disabled={paid.indexOf(plan) === (way === 'up' ? 0 : paid.length - 1)}
                    onClick={() => begin(plan, way)}
                  >
                    {way === 'up' ? <IconArrowUp size={16} stroke={1.6} /> : <IconArrowDown size={16} stroke={1.6} />}
                  </ActionIcon>
                ))}
              </span>
            ),
        })}
      />
      <VisuallyHidden role="status">
        {moved &&
          place >= 0 &&
          t('plans.order.moved', { name: planName(moved.plan, language), n: place + 1, all: paid.length })}
      </VisuallyHidden>
    </>
  )
}
