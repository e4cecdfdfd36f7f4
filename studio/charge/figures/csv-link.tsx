import { useTranslation } from 'react-i18next'
import { exportChargeFigures } from '../../../server/charge/figures/contract.ts'
import { addressOf } from '../../api.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { IconDownload } from '../../ui/icons.ts'
import classes from './figures.module.css'
import type { Figures } from './queries.ts'

interface Props {
  figures: Figures
  chart: 'movements' | 'plans' | 'trials' | 'refunds' | 'publications' | 'sources' | 'currencies'
}

/** Downloads what a chart shows. */
export function CsvLink({ figures, chart }: Props) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const { range, by, currency } = figures
  return (
    <a
      className={classes.csv}
      href={addressOf(exportChargeFigures, { newsletterId: id }, { chart, ...range, by, currency })}
      download
      aria-label={t('figures.downloadChart', { chart: t(`figures.charts.${chart}`) })}
    >
      <IconDownload size={14} stroke={1.6} />
      {t('figures.csv')}
    </a>
  )
}
