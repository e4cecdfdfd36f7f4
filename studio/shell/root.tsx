import { useEffect } from 'react'
import { Outlet, ScrollRestoration, useLocation } from 'react-router'
import { useTrack } from '../analytics/events.tsx'
import { ProofProvider } from '../identity/proof.tsx'
import { closeElsewhere } from '../ui/page-notice.ts'
import { useCutTextNotice } from '../ui/use-cut-text-notice.ts'
import { ClientProvider } from './client.tsx'

/** Wraps every page: provides the client state, tracks each screen view, and closes the notices of the page that was left. */
export function Root() {
  const { pathname } = useLocation()
  const track = useTrack()
  useCutTextNotice()
  useEffect(() => track({ name: 'screen_view', params: { screen: screenOf(pathname) } }), [track, pathname])
  useEffect(() => closeElsewhere(pathname), [pathname])
  return (
    <ClientProvider>
      <ProofProvider>
        <Outlet />
        <ScrollRestoration />
      </ProofProvider>
    </ClientProvider>
  )
}

/** The address without its personal parts: `/invitation/abc` is tracked as `/invitation`. */
function screenOf(pathname: string): string {
  const [first = '', second] = pathname.split('/').filter(Boolean)
  const kept = first === 'settings' || second === 'create' ? [first, second] : [first]
  return `/${kept.filter(Boolean).join('/')}`
}
