import { Alert, Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api.ts'
import { IconAlertCircle } from './icons.ts'
import classes from './ui.module.css'

interface Props {
  error: unknown
  /** Shows a button to try again. */
  retry?: (() => unknown) | undefined
}

/** An error in words, with the server's code in brackets and a button to retry. */
export function ErrorNotice({ error, retry }: Props) {
  const { t } = useTranslation()
  const text = useErrorText()
  if (!error) return null
  return (
    <Alert color="rouge" icon={<IconAlertCircle size={18} stroke={1.6} />} role="alert" className={classes.alert}>
      {text(error)}
      {error instanceof ApiError && <span className={classes.code}> ({error.code})</span>}
      {retry && (
        <div>
          <Button size="xs" mt="sm" onClick={() => void retry()}>
            {t('ui.retry')}
          </Button>
        </div>
      )}
    </Alert>
  )
}

/** Returns the sentence for an error: the server's where there is one. */
export function useErrorText(): (error: unknown) => string {
  const { t } = useTranslation()
  return (error) => {
    if (!(error instanceof ApiError)) return t('ui.broken')
    if (error.code === 'offline') return t('ui.offline')
    return error.message || t('ui.unanswered')
  }
}
