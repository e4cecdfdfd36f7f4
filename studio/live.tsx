import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { followNewsletter } from './live-newsletter.ts'
import { LiveMark } from './ui/status-mark.tsx'

const IsLive = createContext(false)

/**
 * Keeps the one stream of live events of the open newsletter, and fetches what pages show as live each time it opens and at each
 * change. Pages come and go below it without closing it. A hidden tab has no stream: over HTTP/1.1 a browser opens six connections to a
 * server, and six tabs that each keep one would leave none to fetch anything.
 */
export function LiveProvider({ newsletterId, children }: { newsletterId: string; children: ReactNode }) {
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const { reopen, lose, stop } = followNewsletter({
      newsletterId,
      queries,
      open: () => new EventSource(`/api/newsletters/${encodeURIComponent(newsletterId)}/live`),
      show: setOpen,
    })
    const isHidden = () => document.visibilityState === 'hidden'
    const follow = () => (isHidden() ? lose() : reopen())
    if (isHidden()) lose()
    document.addEventListener('visibilitychange', follow)
    window.addEventListener('online', follow)
    window.addEventListener('offline', lose)
    return () => {
      document.removeEventListener('visibilitychange', follow)
      window.removeEventListener('online', follow)
      window.removeEventListener('offline', lose)
      stop()
    }
  }, [newsletterId, queries])
  return <IsLive value={isOpen}>{children}</IsLive>
}

/** The word *Live*, while changes are heard. Only beside what is fetched again at each of them. */
export function Live() {
  const { t } = useTranslation()
  return useContext(IsLive) && <LiveMark>{t('ui.live')}</LiveMark>
}
