import { Alert } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { FileRefusal } from '../../../server/subscribers/import/contract.ts'
import { useFormat } from '../../format.ts'
import { IconAlertCircle } from '../../ui/icons.ts'

/** Why no line of a file can be imported, with the line when there is one. */
export function Refusal({ refusal }: { refusal: FileRefusal | null }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (!refusal) return null
  return (
    <Alert
      color="rouge"
      role="alert"
      mb="md"
      icon={<IconAlertCircle size={18} stroke={1.6} />}
      title={t(refusal.code === 'day_order' ? 'imports.refusal.question' : 'imports.refusal.title')}
    >
      {t(`imports.refusal.${refusal.code}`)}{' '}
      {refusal.line !== null && t('imports.refusal.line', { n: format.number(refusal.line) })}
    </Alert>
  )
}
