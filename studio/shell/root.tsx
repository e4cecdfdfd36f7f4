import { useEffect } from 'react'
import { Outlet, ScrollRestoration, useLocation } from 'react-router'
import { useTrack } from '../analytics/events.tsx'
import { ProofProvider } from '../identity/proof.tsx'
import { ClientProvider } from './client.tsx'

/** Wraps every page: provides the client state, and tracks each screen view. */
export function Root() {
  const { pathname } = useLocation()
  const track = useTrack()
  useEffect(() => track({ name: 'screen_view', params: { screen: screenOf(pathname) } }), [track, pathname])
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
