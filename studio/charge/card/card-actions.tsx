import { Button, Group, Radio, Stack } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  cancelSubscription,
  pauseMonths,
  pauseSubscription,
  resumeSubscription,
} from '../../../server/charge/card/contract.ts'
import type { Subscription } from '../../../server/charge/outside/contract.ts'
import { call } from '../../api.ts'
import { useFormat } from '../../format.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import classes from '../charge.module.css'
import { chargeKey } from '../queries.ts'

/** What an owner does with a subscription that Stripe charges: a pause, a cancellation, and the end of either. */
export function CardActions({ subscription }: { subscription: Subscription }) {
  const { t } = useTranslation()
  const [opened, open] = useState<'pause' | 'resume' | 'cancel' | null>(null)
  const { status, renews, period } = subscription
  const isOver = status === 'ended' || status === 'incomplete'
  const canPause = status === 'active' && renews && period === 'month'
  const canResume = !isOver && period !== 'once' && (status === 'paused' || !renews)
  const canCancel = !isOver && period !== 'once'
  const close = () => open(null)
  return (
    <>
      {canPause && (
        <Button size="xs" variant="subtle" onClick={() => open('pause')}>
          {t('plans.card.pause')}…
        </Button>
      )}
      {canResume && (
        <Button size="xs" variant="subtle" onClick={() => open('resume')}>
          {t('plans.card.resume')}…
        </Button>
      )}
      {canCancel && (
        <Button size="xs" variant="subtle" onClick={() => open('cancel')}>
          {t('plans.card.cancel')}…
        </Button>
      )}
      {opened === 'cancel' && <CancelDialog subscription={subscription} onClose={close} />}
      {opened === 'pause' && <PauseDialog subscription={subscription} onClose={close} />}
      {opened === 'resume' && <ResumeDialog subscription={subscription} onClose={close} />}
    </>
  )
}

interface DialogProps {
  subscription: Subscription
  onClose: () => void
}

function useAct(act: () => Promise<unknown>, onClose: () => void) {
  const { id } = useNewsletter()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: chargeKey(id) })
      onClose()
    },
  })
}

function CancelDialog({ subscription: { id: subscriptionId, paidUntil, renews }, onClose }: DialogProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id } = useNewsletter()
  const whens = renews ? (['period_end', 'now'] as const) : (['now'] as const)
  const [chosen, choose] = useState<string>(whens[0])
  const { mutate, isPending, error } = useAct(() => {
    const when = whens.find((one) => one === chosen) ?? whens[0]
    return call(cancelSubscription, { params: { newsletterId: id, subscriptionId }, body: { when } })
  }, onClose)
  const date = paidUntil ? format.dayOfYear(paidUntil) : ''
  return (
    <Dialog opened onClose={onClose} title={t('plans.card.cancelTitle')}>
      <Stack gap="md">
        <p className={classes.quiet}>{t('plans.card.cancelText')}</p>
        <Radio.Group value={chosen} onChange={choose} label={t('plans.giveBack.access')}>
          <Stack gap={6} mt={6}>
            {whens.map((when) => (
              <Radio key={when} value={when} label={t(`plans.card.cancelWhen.${when}`, { date })} />
            ))}
          </Stack>
        </Radio.Group>
        <ErrorNotice error={error} />
        <Group justify="flex-end" gap="sm">
          <Button onClick={onClose}>{t('plans.card.keep')}</Button>
          <Button variant="filled" color="rouge" loading={isPending} onClick={() => mutate()}>
            {t('plans.card.cancel')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

function PauseDialog({ subscription: { id: subscriptionId, paidUntil }, onClose }: DialogProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id } = useNewsletter()
  const [chosen, choose] = useState('1')
  const { mutate, isPending, error } = useAct(() => {
    const months = pauseMonths.find((one) => String(one) === chosen) ?? 1
    return call(pauseSubscription, { params: { newsletterId: id, subscriptionId }, body: { months } })
  }, onClose)
  return (
    <Dialog opened onClose={onClose} title={t('plans.card.pauseTitle')}>
      <Stack gap="md">
        <p className={classes.quiet}>
          {t('plans.card.pauseText', { date: paidUntil ? format.dayOfYear(paidUntil) : '' })}
        </p>
        <Radio.Group value={chosen} onChange={choose} label={t('plans.card.pauseFor')}>
          <Stack gap={6} mt={6}>
            {pauseMonths.map((months) => (
              <Radio key={months} value={String(months)} label={t('plans.card.months', { count: months })} />
            ))}
          </Stack>
        </Radio.Group>
        <ErrorNotice error={error} />
        <Group justify="flex-end" gap="sm">
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="filled" color="encre" loading={isPending} onClick={() => mutate()}>
            {t('plans.card.pause')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

function ResumeDialog({ subscription: { id: subscriptionId, paidUntil, status }, onClose }: DialogProps) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const { mutate, isPending, error } = useAct(
    () => call(resumeSubscription, { params: { newsletterId: id, subscriptionId } }),
    onClose,
  )
  const isCharged = status === 'paused' && paidUntil !== null && new Date(paidUntil) <= new Date()
  return (
    <Dialog opened onClose={onClose} title={t('plans.card.resumeTitle')}>
      <Stack gap="md">
        <p className={classes.quiet}>{t(isCharged ? 'plans.card.resumeCharges' : 'plans.card.resumeText')}</p>
        <ErrorNotice error={error} />
        <Group justify="flex-end" gap="sm">
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="filled" color="encre" loading={isPending} onClick={() => mutate()}>
            {t('plans.card.resume')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
