import { useTranslation } from 'react-i18next'
import type { DnsRecord } from '../../server/domains/contract.ts'
import { CopyField } from '../ui/copy-field.tsx'
import classes from './domain.module.css'

/** A record to set: its parts for a DNS provider's form, and the line for a zone file. */
export function RecordToSet({ record }: { record: DnsRecord }) {
  const { t } = useTranslation()
  return (
    <div className={classes.record}>
      <span>{t('domain.record.name')}</span>
      <CopyField value={record.name} mono />
      <span>{t('domain.record.value')}</span>
      <CopyField value={record.value} mono />
      <span>{t('domain.record.zone')}</span>
      <CopyField value={record.zone} mono />
    </div>
  )
}
