import { Alert, Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api.ts'
import { faultsOf } from './faults.ts'
import { IconAlertCircle } from './icons.ts'
import classes from './ui.module.css'

interface Props {
  error: unknown
  /** The names of the fields that are marked below. Without them, the sentences of fields that are marked nowhere are said here. */
  fields?: string[]
  /** Shows a button to try again, where that can help. */
  retry?: (() => unknown) | undefined
}

/** An error in words, with a button to retry. The server's code is in the markup only, as `data-code`, for whoever is asked for help. */
export function ErrorNotice({ error, fields, retry }: Props) {
  const { t } = useTranslation()
  const text = useErrorText()
  if (!error) return null
  const points = fields ?? [...new Set(Object.values(faultsOf(error)))].filter((sentence) => sentence !== text(error))
  return (
    <Alert
      color="rouge"
      icon={<IconAlertCircle size={18} stroke={1.6} />}
      role="alert"
      className={classes.alert}
      data-code={error instanceof ApiError ? error.code : undefined}
    >
      {text(error)}
      {points.length > 0 && (
        <ul className={classes.faults}>
          {points.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
      )}
      {retry && !isRefusal(error) && (
        <div>
          <Button size="xs" mt="sm" onClick={() => void retry()}>
            {t('ui.retry')}
          </Button>
        </div>
      )}
    </Alert>
  )
}

/** Whether the member may not do it, so that trying again cannot help. */
const isRefusal = (error: unknown): boolean => error instanceof ApiError && error.status === 403

/** Returns the sentence for an error: the server's where there is one. */
export function useErrorText(): (error: unknown) => string {
  const { t } = useTranslation()
  return (error) => {
    if (!(error instanceof ApiError)) return t('ui.broken')
    if (error.code === 'offline') return t('ui.offline')
    return error.message || t('ui.unanswered')
  }
}
