import { Alert, Button, type ButtonProps } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api.ts'
import { meQuery } from '../shell/client.tsx'
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
      {isSignedOut(error) && (
        <div>
          <SignInAgain mt="sm" />
        </div>
      )}
      {retry && !isRefusal(error) && !isSignedOut(error) && (
        <div>
          <Button size="xs" mt="sm" onClick={() => void retry()}>
            {t('ui.retry')}
          </Button>
        </div>
      )}
    </Alert>
  )
}

/** Leads to signing in, and back to this page. Whoever has signed in elsewhere by now stays here, and goes on. */
export function SignInAgain({ goOn, ...props }: Pick<ButtonProps, 'mt'> & { goOn?: () => unknown }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const ask = async () => {
    setBusy(true)
    // Without a user in its answer the guard of every page leads to signing in.
    const me = await queries.fetchQuery({ ...meQuery, staleTime: 0 }).catch(() => null)
    setBusy(false)
    if (me?.user) await goOn?.()
  }
  return (
    <Button size="xs" loading={busy} onClick={() => void ask()} {...props}>
      {t('ui.signIn')}
    </Button>
  )
}

/** Whether the session has ended, here or in another tab. */
export const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.code === 'unauthenticated'

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
