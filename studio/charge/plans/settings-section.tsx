import { Button, NumberInput, Select, Switch } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { type ChargeSettings, updateChargeSettings } from '../../../server/charge/plans/contract.ts'
import { call } from '../../api.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Section } from '../../ui/section.tsx'
import { useServerForm } from '../../ui/server-form.ts'
import classes from '../charge.module.css'
import { couponsQuery, plansQuery } from '../queries.ts'

/** Days of grace, tax, and what is offered to who cancels. */
export function SettingsSection({ settings }: { settings: z.infer<typeof ChargeSettings> }) {
  const { t } = useTranslation()
  const { id, may } = useNewsletter()
  const queries = useQueryClient()
  const coupons = useQuery(couponsQuery(id))
  const offered = coupons.data?.filter(
    ({ id: couponId, closedAt }) => !closedAt || couponId === settings.winBackCouponId,
  )
  const { form, error, busy, isUnsaved, submit } = useServerForm(
    {
      initialValues: {
        graceDays: settings.graceDays as number | string,
        taxInside: settings.taxInside,
        winBack: String(settings.winBackCouponId ?? ''),
      },
    },
    async ({ graceDays, taxInside, winBack }) => {
      const body = { graceDays: Number(graceDays), taxInside, winBackCouponId: winBack ? Number(winBack) : null }
      await call(updateChargeSettings, { params: { newsletterId: id }, body })
      await queries.invalidateQueries({ queryKey: plansQuery(id).queryKey })
      notifications.show({ message: t('plans.saved') })
    },
  )
  return (
    <Section title={t('plans.settings.title')} lead={t('plans.settings.lead')}>
      <form onSubmit={submit} noValidate data-unsaved={isUnsaved || undefined}>
        <fieldset disabled={!may('charge.write')} className={classes.fields}>
          <NumberInput
            label={t('plans.settings.grace')}
            description={t('plans.settings.graceHint')}
            min={0}
            max={60}
            allowDecimal={false}
            {...form.getInputProps('graceDays')}
          />
          <Select
            label={t('plans.settings.winBack')}
            description={t('plans.settings.winBackHint')}
            data={[
              { value: '', label: t('plans.settings.winBackNone') },
              ...(offered ?? []).map(({ id: couponId, code }) => ({ value: String(couponId), label: code })),
            ]}
            allowDeselect={false}
            {...form.getInputProps('winBack')}
          />
          <Switch
            label={t('plans.settings.tax')}
            description={t('plans.settings.taxHint')}
            {...form.getInputProps('taxInside', { type: 'checkbox' })}
          />
        </fieldset>
        <ErrorNotice error={error} />
        {may('charge.write') && (
          <Button mt="md" type="submit" loading={busy} disabled={!form.isDirty()}>
            {t('plans.save')}
          </Button>
        )}
      </form>
    </Section>
  )
}
