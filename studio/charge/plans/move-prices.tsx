import { Button, Checkbox, Group, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Plan } from '../../../server/charge/plans/contract.ts'
import { type MoveGroup, type PriceMove, startPriceMove } from '../../../server/charge/price-moves/contract.ts'
import { call } from '../../api.ts'
import { useFormat } from '../../format.ts'
import { useLanguage } from '../../language.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import classes from '../charge.module.css'
import { chargeKey } from '../queries.ts'
import { priceText } from '../words.ts'

interface Props {
  plan: Plan
  groups: MoveGroup[]
  leftOut: PriceMove['leftOut']
  onClose: () => void
}

/** Says who would be moved, what each pays now and will pay, and from when; then moves them. */
export function MovePrices({ plan, groups, leftOut, onClose }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id: newsletterId } = useNewsletter()
  const queries = useQueryClient()
  const prices = [...Map.groupBy(groups, ({ priceId }) => priceId)]
  const [chosen, choose] = useState(() => prices.map(([priceId]) => priceId))
  const moved = groups.filter(({ priceId }) => chosen.includes(priceId))
  const seen = moved.reduce((sum, { subscribers }) => sum + subscribers, 0)
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      call(startPriceMove, { params: { newsletterId, planId: plan.id }, body: { priceIds: chosen, seen } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: chargeKey(newsletterId) })
      onClose()
    },
  })
  return (
    <Dialog opened onClose={onClose} title={t('plans.moves.dialogTitle')}>
      <Stack gap="md">
        <p className={classes.quiet}>{t('plans.moves.dialogText')}</p>
        {prices.map(([priceId, of]) => (
          <Checkbox
            key={priceId}
            checked={chosen.includes(priceId)}
            onChange={({ currentTarget: { checked } }) =>
              choose(checked ? [...chosen, priceId] : chosen.filter((one) => one !== priceId))
            }
            label={<TargetPrice group={of[0]} />}
            description={
              <Stack gap={2} component="span">
                {of.map((group) => (
                  <OneGroup key={group.from} group={group} />
                ))}
              </Stack>
            }
          />
        ))}
        {leftOut.length > 0 && (
          <p className={classes.small}>
            {t('plans.moves.leftOutBefore')}{' '}
            {leftOut
              .map(({ reason, subscribers }) =>
                t('plans.moves.reasonCount', {
                  reason: t(`plans.moves.reasons.${reason}`),
                  n: format.number(subscribers),
                }),
              )
              .join(', ')}
            .
          </p>
        )}
        <ErrorNotice error={error} />
        <Group justify="flex-end" gap="sm">
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="filled" color="encre" loading={isPending} disabled={seen === 0} onClick={() => mutate()}>
            {t('plans.moves.confirm', { count: seen, n: format.number(seen) })}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

function TargetPrice({ group }: { group: MoveGroup | undefined }) {
  const { t } = useTranslation()
  const language = useLanguage()
  if (!group) return null
  const { to: amount, currency, period } = group
  return t('plans.moves.to', { price: priceText(t, { amount, currency, period }, language) })
}

function OneGroup({ group }: { group: MoveGroup }) {
  const { t } = useTranslation()
  const format = useFormat()
  const language = useLanguage()
  const { currency, period, from, subscribers, firstAt, lastAt } = group
  const who = t('plans.moves.group', {
    count: subscribers,
    n: format.number(subscribers),
    price: priceText(t, { amount: from, currency, period }, language),
  })
  if (!firstAt || !lastAt) return <span>{`${who} ${t('plans.moves.fromNext')}`}</span>
  const [first, last] = [format.dayOfYear(firstAt), format.dayOfYear(lastAt)]
  const when = first === last ? t('plans.moves.fromDay', { date: first }) : t('plans.moves.fromDays', { first, last })
  return <span>{`${who} ${when}`}</span>
}
