import { Alert, Button } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api.ts'
import classes from './ui.module.css'

interface Props {
  error: unknown
  /** Offered when trying again can help. */
  retry?: (() => unknown) | undefined
}

/** What went wrong, in words with the server's code in brackets, and one thing to do. */
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

/** The sentence for an error: the server's own where it has one. */
export function useErrorText(): (error: unknown) => string {
  const { t } = useTranslation()
  return (error) => {
    if (!(error instanceof ApiError)) return t('ui.broken')
    if (error.code === 'offline') return t('ui.offline')
    return error.message || t('ui.unanswered')
  }
}
