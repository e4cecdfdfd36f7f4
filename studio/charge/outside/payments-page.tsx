import { Button, Group, Modal, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { readSum, typedSum } from '../../../server/charge/money.ts'
import { listPayments, noteRefund, type Payment } from '../../../server/charge/outside/contract.ts'
import { ApiError, call } from '../../api.ts'
import { useFormat } from '../../format.ts'
import { useLanguage } from '../../language.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Loading } from '../../ui/loading.tsx'
import { MoreRows } from '../../ui/more-rows.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { useServerForm } from '../../ui/server-form.ts'
import { usePagedRows } from '../../ui/use-pages.ts'
import { GiveBackDialog } from '../card/give-back-dialog.tsx'
import classes from '../charge.module.css'
import { chargeKey } from '../queries.ts'
import { TestMark } from '../test-mode.tsx'
import { meansText, sumText } from '../words.ts'
import { Person, usePlanNames } from './subscription-table.tsx'

/** The books: every payment, refund and dispute, whoever took the money. */
export function PaymentsPage() {
  const { t } = useTranslation()
  const { id, may } = useNewsletter()
  const [refunding, refund] = useState<Payment | null>(null)
  const { query, rows } = usePagedRows([...chargeKey(id), 'payments'], (cursor, signal) =>
    call(listPayments, { params: { newsletterId: id }, query: { cursor }, signal }),
  )
  return (
    <>
      <PageTitle title={t('plans.payments.title')} lead={t('plans.payments.lead')} />
      {query.isError && <ErrorNotice error={query.error} retry={query.refetch} />}
      {query.isPending && <Loading lines={8} row={40} />}
      {query.data && rows.length === 0 && (
        <EmptyState title={t('plans.payments.none')}>{t('plans.payments.noneText')}</EmptyState>
      )}
      {rows.length > 0 && <Table rows={rows} refund={may('charge.write') ? refund : null} />}
      <MoreRows query={query} />
      {refunding &&
        (refunding.byStripe ? (
          <GiveBackDialog key={refunding.id} payment={refunding} onClose={() => refund(null)} />
        ) : (
          <RefundDialog key={refunding.id} payment={refunding} onClose={() => refund(null)} />
        ))}
    </>
  )
}

function Table({ rows, refund }: { rows: Payment[]; refund: ((payment: Payment) => void) | null }) {
  const { t } = useTranslation()
  const format = useFormat()
  const language = useLanguage()
  const nameOf = usePlanNames()
  const mayGiveBack = useNewsletter().may('charge.manage')
  return (
    <div className={classes.scroll}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th>{t('plans.columns.subscriber')}</th>
            <th>{t('plans.columns.plan')}</th>
            <th>{t('plans.columns.how')}</th>
            <th data-right>{t('plans.columns.amount')}</th>
            <th data-right>{t('plans.columns.date')}</th>
            {refund && <th />}
          </tr>
        </thead>
        <tbody>
          {rows.map((one) => (
            <tr key={one.id}>
              <td>
                <Person subscriber={one.subscriber} />
                {one.note && <small>{one.note}</small>}
              </td>
              <td>
                {nameOf(one.planId)}
                {one.test && (
                  <small>
                    <TestMark />
                  </small>
                )}
              </td>
              <td>
                {meansText(t, one.means)}
                {one.kind !== 'payment' && <small>{t(`plans.kinds.${one.kind}`)}</small>}
              </td>
              <td data-right>
                {sumText(one, language)}
                {one.refunded > 0 && (
                  <small>
                    {t('plans.payments.refunded', { sum: sumText({ ...one, amount: one.refunded }, language) })}
                  </small>
                )}
              </td>
              <td data-right>{format.dayOfYear(one.at)}</td>
              {refund && (
                <td data-right>
                  {one.kind === 'payment' && one.refunded < one.amount && (!one.byStripe || mayGiveBack) && (
                    <Button size="xs" variant="subtle" onClick={() => refund(one)}>
                      {t(one.byStripe ? 'plans.giveBack.button' : 'plans.payments.refund')}…
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

function RefundDialog({ payment, onClose }: { payment: Payment; onClose: () => void }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const { id } = useNewsletter()
  const queries = useQueryClient()
  const { form, error, busy, submit } = useServerForm(
    { initialValues: { amount: typedSum(payment.amount - payment.refunded, payment.currency, language), note: '' } },
    async ({ note, ...typed }) => {
      const amount = readSum(typed.amount, payment.currency, language)
      if (!amount) throw new ApiError('invalid', '', { fields: { amount: t('plans.badSum') } })
      const params = { newsletterId: id, paymentId: payment.id }
      await call(noteRefund, { params, body: { amount, note, at: new Date().toISOString() } })
      await queries.invalidateQueries({ queryKey: chargeKey(id) })
      onClose()
    },
  )
  return (
    <Modal opened onClose={onClose} title={t('plans.payments.refundTitle')}>
      <form onSubmit={submit} className={classes.form}>
        <p className={classes.quiet}>{t('plans.payments.refundText')}</p>
        <TextInput
          label={`${t('plans.enter.amount')} (${payment.currency.toUpperCase()})`}
          inputMode="decimal"
          required
          withAsterisk={false}
          {...form.getInputProps('amount')}
        />
        <TextInput label={t('plans.enter.note')} maxLength={200} {...form.getInputProps('note')} />
        <ErrorNotice error={error} />
        <Group justify="flex-end" gap="sm">
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button type="submit" variant="filled" color="encre" loading={busy}>
            {t('plans.payments.note')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
