import { useTranslation } from 'react-i18next'
import { exportChargeFigures } from '../../../server/charge/figures/contract.ts'
import { addressOf } from '../../api.ts'
import { useLanguage } from '../../language.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { DownloadLink } from '../../ui/download-link.tsx'
import type { Figures } from './queries.ts'

interface Props {
  figures: Figures
  chart: 'movements' | 'plans' | 'trials' | 'refunds' | 'publications' | 'sources' | 'currencies'
}

/** Downloads what a chart shows. */
export function CsvLink({ figures, chart }: Props) {
  const { t } = useTranslation()
  const sheet = useLanguage()
  const { id } = useNewsletter()
  const { range, by, currency } = figures
  return (
    <DownloadLink
      href={addressOf(exportChargeFigures, { newsletterId: id }, { chart, ...range, by, currency, sheet })}
      label={t('ui.downloadChart', { chart: t(`figures.charts.${chart}`) })}
    />
  )
}
