import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Connection, checkStripe } from '../../../server/charge/stripe/contract.ts'
import { call } from '../../api.ts'
import { useFormat } from '../../format.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Section } from '../../ui/section.tsx'
import { StatusMark } from '../../ui/status-mark.tsx'
import classes from './connect.module.css'
import { connectionQuery } from './queries.ts'
import { Rights } from './rights.tsx'

/** Whose account it is, what its key lacks, and when Stripe last said something. */
export function ConnectionState({ connection, webhookUrl }: { connection: Connection; webhookUrl: string }) {
  const { t } = useTranslation()
  const { id, may } = useNewsletter()
  const format = useFormat()
  const queries = useQueryClient()
  const check = useMutation({
    mutationFn: () => call(checkStripe, { params: { newsletterId: id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: connectionQuery(id).queryKey }),
  })
  const { account, missing, lastEventAt, checkedAt } = connection
  return (
    <Section
      title={t('stripe.state.title')}
      aside={
        may('charge.manage') && (
          <Button size="xs" loading={check.isPending} onClick={() => check.mutate()}>
            {t('stripe.check')}
          </Button>
        )
      }
    >
      <ErrorNotice error={check.error} />
      <dl className={classes.state}>
        <dt>{t('stripe.state.account')}</dt>
        <dd>{account ? (account.name ?? account.id) : t('stripe.state.unknown')}</dd>
        <dt>{t('stripe.state.rights')}</dt>
        <dd>
          <StatusMark shape={missing.length > 0 ? 'stopped' : 'sent'}>
            {missing.length > 0
              ? missing.map((right) => t(`stripe.right.${right}`)).join(', ')
              : t('stripe.state.complete')}
          </StatusMark>
          <small>{t('stripe.state.checked', { when: format.moment(checkedAt) })}</small>
        </dd>
        <dt>{t('stripe.state.webhook')}</dt>
        <dd>
          <StatusMark shape={lastEventAt ? 'sent' : 'draft'}>
            {lastEventAt ? t('stripe.state.last', { when: format.moment(lastEventAt) }) : t('stripe.state.waiting')}
          </StatusMark>
          <small className={classes.address}>{webhookUrl}</small>
        </dd>
      </dl>
      {missing.length > 0 && <Rights missing={missing} />}
    </Section>
  )
}
