import { ActionIcon, Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { holdMarks } from '../../../i18n/french-spaces.ts'
import type { Payment } from '../../../server/charge/outside/contract.ts'
import { useFormat } from '../../format.ts'
import { useLanguage } from '../../language.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { bookingPath } from '../../sponsorship/booking-path.ts'
import { IconArrowBackUp } from '../../ui/icons.ts'
import classes from '../charge.module.css'
import { TestMark } from '../test-mode.tsx'
import { meansText, sumText } from '../words.ts'
import { Person, usePlanNames } from './subscription-table.tsx'

interface Props {
  rows: Payment[]
  refund: ((payment: Payment) => void) | null
}

/** Payments, refunds and disputes, a row each; on a phone each takes little more than two lines. */
export function PaymentsTable({ rows, refund }: Props) {
  const { t } = useTranslation()
  return (
    <div className={classes.scroll}>
      <table className={`${classes.table} ${classes.compact}`}>
        <thead>
          <tr>
            <th>{t('plans.columns.subscriber')}</th>
            <th>{t('plans.columns.plan')}</th>
            <th data-right>{t('plans.columns.date')}</th>
            <th data-right>{t('plans.columns.amount')}</th>
            <th data-right>{t('figures.tax')}</th>
            <th data-right>{t('plans.payments.fee')}</th>
            <th data-right>{t('figures.keep')}</th>
            {refund && <td />}
          </tr>
        </thead>
        <tbody>
          {rows.map((one) => (
            <Row key={one.id} payment={one} refund={refund} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({ payment: one, refund }: { payment: Payment; refund: Props['refund'] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const language = useLanguage()
  const nameOf = usePlanNames()
  const mayGiveBack = useNewsletter().may('charge.manage')
  const sum = (amount: number) => sumText({ ...one, amount }, language)
  // Stripe takes a fee of each payment, and tells it some time after.
  const isFeeToCome = one.byStripe && one.kind === 'payment' && one.fee === 0 && one.amount > 0
  const mayRefund = one.kind === 'payment' && one.refunded < one.amount && (!one.byStripe || mayGiveBack)
  const label = t(one.byStripe ? 'plans.giveBack.button' : 'plans.payments.refund')
  const who = one.booking?.sponsor ?? one.subscriber?.email ?? '—'
  const named = t('plans.payments.act', { label, who, day: format.dayOfYear(one.at) })
  return (
    <tr>
      <td data-at="who">
        {one.booking ? (
          <Link to={bookingPath(one.booking.id)}>{holdMarks(one.booking.sponsor)}</Link>
        ) : (
          <Person subscriber={one.subscriber} />
        )}
        {one.note && <small>{one.note}</small>}
      </td>
      <td data-at="what">
        {one.booking ? t('plans.payments.sponsorship') : nameOf(one.planId)}
        <small>
          {one.gift && <>{t('plans.ways.gift')} · </>}
          {one.kind !== 'payment' && <>{t(`plans.kinds.${one.kind}`)} · </>}
          {meansText(t, one.means)} {one.test && <TestMark />}
        </small>
      </td>
      <td data-right data-at="when">
        {format.dayOfYear(one.at)}
      </td>
      <td data-right data-at="sum">
        {sum(one.amount)}
        {one.refunded > 0 && <small>{t('plans.payments.refunded', { sum: sum(one.refunded) })}</small>}
      </td>
      <td data-right data-at="more" data-column={t('figures.tax')} data-none={one.tax === 0}>
        {one.tax === 0 ? '—' : sum(one.tax)}
      </td>
      <td data-right data-at="more" data-column={t('plans.payments.fee')} data-none={one.fee === 0 && !isFeeToCome}>
        {isFeeToCome ? t('figures.notYetKnown') : one.fee === 0 ? '—' : sum(one.fee)}
      </td>
      <td data-right data-at="more" data-column={t('figures.keep')} data-none={one.tax === 0 && one.fee === 0}>
        {isFeeToCome ? '—' : sum(one.amount - one.tax - one.fee)}
      </td>
      {refund && (
        <td data-right data-at="act">
          {mayRefund && (
            <>
              <Button size="xs" variant="subtle" visibleFrom="sm" aria-label={named} onClick={() => refund(one)}>
                {label}…
              </Button>
              <ActionIcon variant="subtle" hiddenFrom="sm" aria-label={named} onClick={() => refund(one)}>
                <IconArrowBackUp size={18} stroke={1.6} />
              </ActionIcon>
            </>
          )}
        </td>
      )}
    </tr>
  )
}
