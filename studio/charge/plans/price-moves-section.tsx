import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Plan } from '../../../server/charge/plans/contract.ts'
import { listPriceMoves, type PriceMove, stopPriceMove } from '../../../server/charge/price-moves/contract.ts'
import { call } from '../../api.ts'
import { useFormat } from '../../format.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { ConfirmDelete } from '../../ui/confirm-delete.tsx'
import { Section } from '../../ui/section.tsx'
import classes from '../charge.module.css'
import { chargeKey } from '../queries.ts'
import { MovePrices } from './move-prices.tsx'

/** Who pays a former price by card, the way to move them, and what became of it. Nothing is shown where nobody does. */
export function PriceMovesSection({ plan }: { plan: Plan }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id: newsletterId, may } = useNewsletter()
  const [moving, setMoving] = useState(false)
  const params = { newsletterId, planId: plan.id }
  const { data } = useQuery({
    queryKey: [...chargeKey(newsletterId), 'price moves', plan.id],
    queryFn: () => call(listPriceMoves, { params }),
    // While people are told and moved, their counts change by themselves.
    refetchInterval: ({ state }) =>
      state.data?.moves.some(({ waiting, doneAt }) => waiting > 0 && !doneAt) ? 3_000 : false,
  })
  if (!data) return null
  const { groups, leftOut, moves } = data
  const count = groups.reduce((sum, { subscribers }) => sum + subscribers, 0)
  const isUnderWay = moves.some(({ stoppedAt, doneAt }) => !stoppedAt && !doneAt)
  if (count === 0 && moves.length === 0) return null
  return (
    <Section title={t('plans.moves.title')}>
      {!isUnderWay && count > 0 && (
        <>
          <p className={classes.quiet}>{t('plans.moves.former', { count, n: format.number(count) })}</p>
          {may('charge.manage') && (
            <Button size="xs" onClick={() => setMoving(true)}>
              {t('plans.moves.move')}…
            </Button>
          )}
        </>
      )}
      {moves.map((move) => (
        <OneMove key={move.id} move={move} />
      ))}
      {moving && <MovePrices plan={plan} groups={groups} leftOut={leftOut} onClose={() => setMoving(false)} />}
    </Section>
  )
}

function OneMove({ move }: { move: PriceMove }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { may } = useNewsletter()
  const [stopping, setStopping] = useState(false)
  const { stoppedAt, doneAt, startedAt, test } = move
  const state = stoppedAt ? 'stopped' : doneAt ? 'done' : 'underWay'
  const date = format.dayOfYear(stoppedAt ?? doneAt ?? startedAt)
  const counts = (['waiting', 'noticed', 'moved', 'kept'] as const).filter((name) => move[name] > 0)
  return (
    <div className={classes.form}>
      <p className={classes.quiet}>
        {t(`plans.moves.state.${state}`, { date })} {test && t('stripe.test')}
      </p>
      <dl className={classes.facts}>
        {counts.map((name) => (
          <div key={name}>
            <dt>{t(name === 'waiting' && stoppedAt ? 'plans.moves.counts.untold' : `plans.moves.counts.${name}`)}</dt>
            <dd>{format.number(move[name])}</dd>
          </div>
        ))}
        {move.leftOut.map(({ reason, subscribers }) => (
          <div key={reason}>
            <dt>{t('plans.moves.leftOut', { reason: t(`plans.moves.reasons.${reason}`) })}</dt>
            <dd>{format.number(subscribers)}</dd>
          </div>
        ))}
      </dl>
      {state === 'underWay' && may('charge.manage') && (
        <p>
          <Button size="xs" variant="subtle" onClick={() => setStopping(true)}>
            {t('plans.moves.stop')}…
          </Button>
        </p>
      )}
      <StopMove move={move} opened={stopping} onClose={() => setStopping(false)} />
    </div>
  )
}

function StopMove({ move, opened, onClose }: { move: PriceMove; opened: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const { id: newsletterId } = useNewsletter()
  const queries = useQueryClient()
  return (
    <ConfirmDelete
      opened={opened}
      onClose={onClose}
      title={t('plans.moves.stopTitle')}
      confirm={t('plans.moves.stop')}
      keep={t('plans.moves.goOn')}
      onConfirm={async () => {
        await call(stopPriceMove, { params: { newsletterId, moveId: move.id } })
        await queries.invalidateQueries({ queryKey: chargeKey(newsletterId) })
      }}
    >
      {t('plans.moves.stopText')}
    </ConfirmDelete>
  )
}
