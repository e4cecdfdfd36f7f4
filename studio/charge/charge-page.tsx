import { useTranslation } from 'react-i18next'
import { PageTitle } from '../ui/page-title.tsx'

/** A sentence about what this page will do. */
export function ChargePage() {
  const { t } = useTranslation()
  return <PageTitle title={t('shell.nav.charge')} lead={t('charge.will')} />
}
