import { Button, Group, NumberInput, Select, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { z } from 'zod'
import { currencies } from '../../../server/charge/money.ts'
import { type Coupon, closeCoupon, createCoupon } from '../../../server/charge/plans/contract.ts'
import { studioPaths } from '../../../server/http/studio-paths.ts'
import { call } from '../../api.ts'
import { endOfDay } from '../../day.ts'
import { useFormat } from '../../format.ts'
import { useLanguage } from '../../language.ts'
import { useCurrencies } from '../../newsletters/use-currencies.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { ConfirmDelete } from '../../ui/confirm-delete.tsx'
import { DateField } from '../../ui/date-field.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { useFirstField } from '../../ui/first-field.ts'
import { QueryContent } from '../../ui/query-content.tsx'
import { useReturnFocus } from '../../ui/return-focus.ts'
import { Section } from '../../ui/section.tsx'
import { useServerForm } from '../../ui/server-form.ts'
import classes from '../charge.module.css'
import { usePlanNames } from '../outside/subscription-table.tsx'
import { usePlanChoices } from '../plan-choices.ts'
import { couponsQuery, overviewQuery } from '../queries.ts'
import { amountIn } from '../typed-amount.ts'
import { sumText } from '../words.ts'

type OneCoupon = z.infer<typeof Coupon>

/** The codes that make a plan cheaper: what they take off, how often they were used, and a form for another one. */
export function CouponsSection() {
  const { t } = useTranslation()
  const { id, may } = useNewsletter()
  const coupons = useQuery(couponsQuery(id))
  const takesCards = useQuery(overviewQuery(id)).data?.begun.card
  const [adding, { open, close }] = useDisclosure(false)
  useReturnFocus(adding)
  const [closing, setClosing] = useState<OneCoupon | null>(null)
  const queries = useQueryClient()
  const refresh = () => queries.invalidateQueries({ queryKey: couponsQuery(id).queryKey })
  return (
    <Section
      title={t('plans.coupons.title')}
      aside={
        may('charge.write') &&
        takesCards &&
        !adding && (
          <Button size="xs" onClick={open}>
            {t('plans.coupons.add')}
          </Button>
        )
      }
    >
      {takesCards === false && <NeedsStripe />}
      {adding && <AddCoupon onDone={() => void refresh().then(close)} onCancel={close} />}
      <QueryContent query={coupons}>
        {(rows) =>
          rows.length === 0 ? (
            takesCards && <p className={classes.quiet}>{t('plans.coupons.none')}</p>
          ) : (
            <Table rows={rows} onClose={may('charge.write') ? setClosing : null} />
          )
        }
      </QueryContent>
      <ConfirmDelete
        opened={closing !== null}
        onClose={() => setClosing(null)}
        title={t('plans.coupons.closeAsk', { code: closing?.code ?? '' })}
        confirm={t('plans.coupons.close')}
        onConfirm={async () => {
          await call(closeCoupon, { params: { newsletterId: id, couponId: closing?.id ?? 0 } })
          await refresh()
        }}
      >
        {t('plans.coupons.closeText')}
      </ConfirmDelete>
    </Section>
  )
}

/** A coupon is taken off at Stripe, so it serves nobody who pays otherwise. */
function NeedsStripe() {
  const { t } = useTranslation()
  const { may } = useNewsletter()
  return (
    <p className={classes.quiet}>
      {t('plans.coupons.needsStripe')}{' '}
      {may('charge.manage') && <Link to={studioPaths.chargeStripe}>{t('charge.steps.pay.action')}</Link>}
    </p>
  )
}

function Table({ rows, onClose }: { rows: OneCoupon[]; onClose: ((coupon: OneCoupon) => void) | null }) {
  const { t } = useTranslation()
  const format = useFormat()
  const language = useLanguage()
  const { id, handle } = useNewsletter()
  const nameOf = usePlanNames()
  return (
    <div className={classes.scroll}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th>{t('plans.coupons.code')}</th>
            <th>{t('plans.coupons.takesOff')}</th>
            <th>{t('plans.coupons.plan')}</th>
            <th>{t('plans.coupons.until')}</th>
            <th data-right>{t('plans.coupons.used')}</th>
            {onClose && <td />}
          </tr>
        </thead>
        <tbody>
          {rows.map((coupon) => (
            <tr key={coupon.id}>
              <td>
                <b>
                  {coupon.closedAt ? (
                    coupon.code
                  ) : (
                    <a
                      href={`/plans/${handle ?? id}?${new URLSearchParams({ coupon: coupon.code })}`}
                      target="_blank"
                      rel="noopener"
                    >
                      {coupon.code}
                    </a>
                  )}
                </b>
              </td>
              <td data-column={t('plans.coupons.takesOff')}>
                {coupon.percent === null ? sumText(coupon, language) : format.percent(coupon.percent / 100)}
                {coupon.months !== null && <small>{t('plans.coupons.forMonths', { count: coupon.months })}</small>}
              </td>
              <td data-column={t('plans.coupons.plan')}>
                {coupon.planId === null ? t('plans.coupons.everyPlan') : nameOf(coupon.planId)}
              </td>
              <td data-column={t('plans.coupons.until')}>
                {coupon.closedAt ? t('plans.coupons.closed') : format.dayOfYear(coupon.until)}
              </td>
              <td data-column={t('plans.coupons.used')} data-right>
                {coupon.most === null
                  ? format.number(coupon.used)
                  : t('plans.coupons.of', { n: format.number(coupon.used), most: format.number(coupon.most) })}
              </td>
              {onClose && (
                <td data-right>
                  {!coupon.closedAt && (
                    <Button
                      size="xs"
                      variant="subtle"
                      color="rouge"
                      aria-label={t('plans.coupons.closeOne', { code: coupon.code })}
                      onClick={() => onClose(coupon)}
                    >
                      {t('plans.coupons.close')}
                    </Button>
                  )}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function AddCoupon({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { id, timezone } = useNewsletter()
  const choices = usePlanChoices()
  const { form, error, busy, submit } = useServerForm(
    {
      initialValues: {
        code: '',
        off: '',
        currency: '%',
        plan: '',
        months: '' as number | string,
        most: '' as number | string,
        until: '',
      },
    },
    async ({ code, off, currency: unit, plan, months, most, until }) => {
      const known = currencies.find((one) => one === unit)
      const amount = known ? amountIn('off', { text: off, currency: known, language }, { t }) : null
      await call(createCoupon, {
        params: { newsletterId: id },
        body: {
          code,
          planId: plan === '' ? null : Number(plan),
          percent: known ? null : Number(off),
          amount,
          currency: known ?? null,
          months: months === '' ? null : Number(months),
          most: most === '' ? null : Number(most),
          until: endOfDay(until, timezone),
        },
      })
      onDone()
    },
  )
  const units = ['%', ...useCurrencies('plans')]
  return (
    <form ref={useFirstField()} onSubmit={submit} noValidate className={classes.form}>
      <div className={classes.fields}>
        <TextInput label={t('plans.coupons.code')} required maxLength={40} {...form.getInputProps('code')} />
        <div className={classes.pair}>
          <TextInput label={t('plans.coupons.takesOff')} required {...form.getInputProps('off')} />
          <Select
            label={t('plans.coupons.unit')}
            allowDeselect={false}
            data={units.map((value) => ({ value, label: value.toUpperCase() }))}
            {...form.getInputProps('currency')}
          />
        </div>
        <Select
          label={t('plans.coupons.plan')}
          allowDeselect={false}
          data={[{ value: '', label: t('plans.coupons.everyPlan') }, ...choices]}
          {...form.getInputProps('plan')}
        />
        <NumberInput
          label={t('plans.coupons.months')}
          min={1}
          max={120}
          allowDecimal={false}
          {...form.getInputProps('months')}
        />
        <NumberInput label={t('plans.coupons.most')} min={1} allowDecimal={false} {...form.getInputProps('most')} />
        <DateField label={t('plans.coupons.until')} {...form.getInputProps('until')} />
      </div>
      <ErrorNotice error={error} />
      <Group justify="flex-end" gap="sm">
        <Button onClick={onCancel}>{t('ui.cancel')}</Button>
        <Button type="submit" variant="filled" color="encre" loading={busy}>
          {t('plans.coupons.make')}
        </Button>
      </Group>
    </form>
  )
}
