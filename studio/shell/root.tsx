import { useEffect } from 'react'
import { Outlet, ScrollRestoration, useLocation } from 'react-router'
import { useTrack } from '../analytics/events.tsx'
import { ClientProvider } from './client.tsx'

/** Around every page: the client's state, and a note of each screen that was seen. */
export function Root() {
  const { pathname } = useLocation()
  const track = useTrack()
  useEffect(() => track({ name: 'screen_view', params: { screen: screenOf(pathname) } }), [track, pathname])
  return (
    <ClientProvider>
      <Outlet />
      <ScrollRestoration />
    </ClientProvider>
  )
}

/** The screen without what is personal in its address: `/invitation/abc` is seen as `/invitation`. */
function screenOf(pathname: string): string {
  const [first = '', second] = pathname.split('/').filter(Boolean)
  const kept = first === 'settings' || second === 'create' ? [first, second] : [first]
  return `/${kept.filter(Boolean).join('/')}`
}
