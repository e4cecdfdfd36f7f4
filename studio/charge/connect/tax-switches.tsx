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

type Taxes = { automaticTax?: boolean; taxIdCollection?: boolean }

/** What Stripe does about taxes. It is so from the next purchase on. */
export function TaxSwitches({ connection: { automaticTax, taxIdCollection } }: { connection: Connection }) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: (taxes: Taxes) => call(changeStripe, { params: { newsletterId: id }, body: taxes }),
    onSettled: () => queries.invalidateQueries({ queryKey: connectionQuery(id).queryKey }),
  })
  // While a change is under way they ignore a press. Disabled, they would lose the focus.
  const set = (taxes: Taxes) => change.isPending || change.mutate(taxes)
  return (
    <Section title={t('stripe.tax.title')}>
      <div className={classes.switches}>
        <Switch
          label={t('stripe.tax.automatic')}
          description={t('stripe.tax.automaticText')}
          checked={automaticTax}
          onChange={(event) => set({ automaticTax: event.currentTarget.checked })}
        />
        <Switch
          label={t('stripe.tax.ids')}
          description={t('stripe.tax.idsText')}
          checked={taxIdCollection}
          onChange={(event) => set({ taxIdCollection: event.currentTarget.checked })}
        />
        <ErrorNotice error={change.error} />
      </div>
    </Section>
  )
}
