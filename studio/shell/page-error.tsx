import { Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isRouteErrorResponse, Link, useRouteError } from 'react-router'
import { studioPaths } from '../../server/http/studio-paths.ts'
import { Wordmark } from '../ui/logo.tsx'
import { meQuery } from './client.tsx'
import classes from './page-error.module.css'

/**
 * Shown when a page fails: a sentence and a way back. Without a connection its parts may not be on this device; to load it again would leave for
 * a page of the browser's, so it waits for the line.
 */
export function PageError() {
  const { t } = useTranslation()
  const error = useRouteError()
  const [isOnline] = useState(navigator.onLine)
  useEffect(() => {
    if (isOnline) return
    addEventListener('online', reload)
    return () => removeEventListener('online', reload)
  }, [isOnline])
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound />
  console.error(error)
  return (
    <Sheet number="" title={t('shell.broke')} text={t(isOnline ? 'shell.brokeText' : 'ui.offline')}>
      {isOnline ? (
        <Button variant="filled" color="encre" onClick={reload}>
          {t('shell.reload')}
        </Button>
      ) : (
        <Way to="dashboard" />
      )}
    </Sheet>
  )
}

const reload = () => location.reload()

const ways = { dashboard: 'shell.backToDashboard', login: 'shell.toSignIn' } as const

function Way({ to }: { to: keyof typeof ways }) {
  const { t } = useTranslation()
  return (
    <Anchor component={Link} to={studioPaths[to]}>
      {t(ways[to])}
    </Anchor>
  )
}

/** A reader who mistyped an address has no dashboard to go back to. */
export function NotFound() {
  const { t } = useTranslation()
  const { data: me } = useQuery(meQuery)
  return (
    <Sheet number="404" title={t('shell.notFound')} text={t('shell.notFoundText')}>
      {me && <Way to={me.user ? 'dashboard' : 'login'} />}
    </Sheet>
  )
}

function Sheet(props: { number: string; title: string; text: string; children: React.ReactNode }) {
  useEffect(() => {
    document.title = `${props.title} · Tirage`
  }, [props.title])
  return (
    <main className={classes.sheet}>
      <Wordmark />
      <div>
        {props.number && <p className={classes.number}>{props.number}</p>}
        <h1>{props.title}</h1>
        <p>{props.text}</p>
        {props.children}
      </div>
    </main>
  )
}
