import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { Waiting } from '../shell/guard.tsx'
import { useArrival } from './use-arrival.ts'

/** Where providers and links in mails come back to: notes the event and goes on to the first page. */
export function ArrivedPage() {
  const [query] = useSearchParams()
  const arrive = useArrival()
  const arrived = useRef(false)
  const event = query.get('event') === 'sign_up' ? 'sign_up' : 'login'
  const method = query.get('method') ?? 'email'
  useEffect(() => {
    if (arrived.current) return
    arrived.current = true
    void arrive({ event, method })
  }, [arrive, event, method])
  return <Waiting />
}
