import { useTranslation } from 'react-i18next'
import { PageTitle } from '../ui/page-title.tsx'
import { RevenueOverview } from './figures/revenue-overview.tsx'

/** The first page of Charge: how the recurring revenue goes. */
export function ChargePage() {
  const { t } = useTranslation()
  return (
    <>
      <PageTitle title={t('shell.nav.charge')} lead={t('charge.will')} />
      <RevenueOverview />
    </>
  )
}
