import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { exportBooks } from '../../../server/charge/figures/contract.ts'
import { listPayments, type Payment } from '../../../server/charge/outside/contract.ts'
import { studioPaths } from '../../../server/http/studio-paths.ts'
import { addressOf, call } from '../../api.ts'
import { useLanguage } from '../../language.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { IconDownload } from '../../ui/icons.ts'
import { Loading } from '../../ui/loading.tsx'
import { MoreRows } from '../../ui/more-rows.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { usePagedRows } from '../../ui/use-pages.ts'
import { GiveBackDialog } from '../card/give-back-dialog.tsx'
import { chargeKey } from '../queries.ts'
import { PaymentsTable } from './payments-table.tsx'
import { RefundDialog } from './refund-dialog.tsx'

/** The books: every payment, refund and dispute, whoever took the money. */
export function PaymentsPage() {
  const { t } = useTranslation()
  const { id, may } = useNewsletter()
  const namesIn = useLanguage()
  const [refunding, refund] = useState<Payment | null>(null)
  const { query, rows } = usePagedRows([...chargeKey(id), 'payments'], (cursor, signal) =>
    call(listPayments, { params: { newsletterId: id }, query: { cursor, limit: 30 }, signal }),
  )
  return (
    <>
      <PageTitle
        title={t('shell.titles.payments')}
        lead={
          <>
            {t('plans.payments.lead')} <Link to={studioPaths.chargeFigures}>{t('plans.payments.byMonth')}</Link>{' '}
            <Link to={studioPaths.calendar}>{t('plans.payments.bySponsors')}</Link>
          </>
        }
      >
        {rows.length > 0 && (
          <Button
            component="a"
            href={addressOf(exportBooks, { newsletterId: id }, { rows: 'each', namesIn, sheet: namesIn })}
            download
            leftSection={<IconDownload size={16} stroke={1.6} />}
          >
            {t('plans.payments.csv')}
          </Button>
        )}
      </PageTitle>
      {query.isError && <ErrorNotice error={query.error} retry={query.refetch} />}
      {query.isPending && <Loading lines={8} row={40} />}
      {query.data && rows.length === 0 && (
        <EmptyState title={t('plans.payments.none')}>{t('plans.payments.noneText')}</EmptyState>
      )}
      {rows.length > 0 && <PaymentsTable rows={rows} refund={may('charge.write') ? refund : null} />}
      <MoreRows query={query} />
      {refunding &&
        (refunding.byStripe ? (
          <GiveBackDialog
            key={refunding.id}
            payment={{ ...refunding, opens: refunding.booking === null }}
            onClose={() => refund(null)}
          />
        ) : (
          <RefundDialog key={refunding.id} payment={refunding} onClose={() => refund(null)} />
        ))}
    </>
  )
}
