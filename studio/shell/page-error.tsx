import { Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { isRouteErrorResponse, Link, useRouteError } from 'react-router'
import { studioPaths } from '../../server/http/studio-paths.ts'
import { Wordmark } from '../ui/logo.tsx'
import { meQuery } from './client.tsx'
import classes from './page-error.module.css'

/** Shown when a page fails: a sentence and a way back. */
export function PageError() {
  const { t } = useTranslation()
  const error = useRouteError()
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound />
  console.error(error)
  if (!navigator.onLine) return <NoConnection />
  return (
    <Sheet number="" title={t('shell.broke')} text={t('shell.brokeText')}>
      <Button variant="filled" color="encre" onClick={() => location.reload()}>
        {t('shell.reload')}
      </Button>
    </Sheet>
  )
}

/** Parts of the page are not on this device. Loading it again would leave for a page of the browser's, so it waits for the line. */
function NoConnection() {
  const { t } = useTranslation()
  useEffect(() => {
    const again = () => location.reload()
    addEventListener('online', again)
    return () => removeEventListener('online', again)
  }, [])
  return (
    <Sheet number="" title={t('shell.broke')} text={t('ui.offline')}>
      <Anchor component={Link} to={studioPaths.dashboard}>
        {t('shell.backToDashboard')}
      </Anchor>
    </Sheet>
  )
}

/** A reader who mistyped an address has no dashboard to go back to. */
export function NotFound() {
  const { t } = useTranslation()
  const { data: me } = useQuery(meQuery)
  return (
    <Sheet number="404" title={t('shell.notFound')} text={t('shell.notFoundText')}>
      {me && (
        <Anchor component={Link} to={me.user ? studioPaths.dashboard : studioPaths.login}>
          {t(me.user ? 'shell.backToDashboard' : 'shell.toSignIn')}
        </Anchor>
      )}
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
