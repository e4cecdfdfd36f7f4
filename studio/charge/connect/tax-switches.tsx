import { Switch } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { type Connection, changeStripe } from '../../../server/charge/stripe/contract.ts'
import { call } from '../../api.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Section } from '../../ui/section.tsx'
import classes from './connect.module.css'
import { connectionQuery } from './queries.ts'

/** What Stripe does about taxes. It is so from the next purchase on. */
export function TaxSwitches({ connection: { automaticTax, taxIdCollection } }: { connection: Connection }) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: (taxes: { automaticTax?: boolean; taxIdCollection?: boolean }) =>
      call(changeStripe, { params: { newsletterId: id }, body: taxes }),
    onSettled: () => queries.invalidateQueries({ queryKey: connectionQuery(id).queryKey }),
  })
  return (
    <Section title={t('stripe.tax.title')}>
      <div className={classes.switches}>
        <Switch
          label={t('stripe.tax.automatic')}
          description={t('stripe.tax.automaticText')}
          checked={automaticTax}
          disabled={change.isPending}
          onChange={(event) => change.mutate({ automaticTax: event.currentTarget.checked })}
        />
        <Switch
          label={t('stripe.tax.ids')}
          description={t('stripe.tax.idsText')}
          checked={taxIdCollection}
          disabled={change.isPending}
          onChange={(event) => change.mutate({ taxIdCollection: event.currentTarget.checked })}
        />
        <ErrorNotice error={change.error} />
      </div>
    </Section>
  )
}
