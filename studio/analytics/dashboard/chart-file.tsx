import { useTranslation } from 'react-i18next'
import { exportDashboard } from '../../../server/analytics/contract.ts'
import { addressOf } from '../../api.ts'
import { useLanguage } from '../../language.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { DownloadLink } from '../../ui/download-link.tsx'
import type { AskedRange } from '../queries.ts'

interface Props {
  chart: 'growth' | 'engagement' | 'publications' | 'links' | 'sources' | 'revenue'
  asked: AskedRange
}

/** Downloads what a part of the dashboard shows. */
export function ChartFile({ chart, asked }: Props) {
  const { t } = useTranslation()
  const sheet = useLanguage()
  const { id } = useNewsletter()
  return (
    <DownloadLink
      href={addressOf(exportDashboard, { newsletterId: id }, { chart, ...asked, sheet })}
      label={t('ui.downloadChart', { chart: t(`dashboard.charts.${chart}`) })}
    />
  )
}
