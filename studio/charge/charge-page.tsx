import { useTranslation } from 'react-i18next'
import { PageTitle } from '../ui/page-title.tsx'

/** What this page will do, in one sentence; it has no controls until it does it. */
export function ChargePage() {
  const { t } = useTranslation()
  return <PageTitle title={t('shell.nav.charge')} lead={t('charge.will')} />
}
