import { useTranslation } from 'react-i18next'
import { IconDownload } from './icons.ts'
import classes from './ui.module.css'

/** Downloads what a chart shows. `label` names the chart. */
export function DownloadLink({ href, label }: { href: string; label: string }) {
  const { t } = useTranslation()
  return (
    <a className={classes.download} href={href} download aria-label={label}>
      <IconDownload size={14} stroke={1.6} />
      {t('ui.csv')}
    </a>
  )
}
