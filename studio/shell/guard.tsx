import { Center, Loader } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, Outlet, useLocation } from 'react-router'
import { studioPaths } from '../../server/http/studio-paths.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { useClient } from './client.tsx'
import { keepProduct } from './flags.ts'

/** The first page of each product, which also strangers are sent to. */
const productPages: readonly string[] = [
  studioPaths.dashboard,
  studioPaths.publish,
  studioPaths.advertise,
  studioPaths.charge,
]

/**
 * Shows the page to signed-in users and sends everybody else to the sign-up page, with the product in the query. Whoever has the address of a
 * page further in has an account, and so has whoever was signed in with one until now: that way leads to the sign-in page, and back.
 */
export function RequireSignIn() {
  const { auth, currentUser, error, retry } = useClient()
  const { pathname, search } = useLocation()
  const wasSignedIn = useRef(false)
  useEffect(() => {
    if (currentUser && !currentUser.anonymous) wasSignedIn.current = true
  }, [currentUser])
  if (error) return <ServerUnavailable error={error} retry={retry} />
  if (auth === null) return <PageLoading />
  if (!auth) {
    const door = productPages.includes(pathname) && !wasSignedIn.current ? studioPaths.signUp : studioPaths.login
    return <Navigate to={keepProduct(door, search)} state={{ from: pathname + search }} replace />
  }
  return <Outlet />
}

/** The whole page while the first answer is awaited. */
export function PageLoading() {
  const { t } = useTranslation()
  return (
    <Center h="100dvh" role="status" aria-label={t('ui.loading')}>
      <Loader size="sm" color="encre" />
    </Center>
  )
}

export function ServerUnavailable({ error, retry }: { error: unknown; retry: () => unknown }) {
  return (
    <Center h="100dvh" p="lg" component="main">
      <ErrorNotice error={error} retry={retry} />
    </Center>
  )
}
