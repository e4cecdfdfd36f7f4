import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { followNewsletter } from './live-newsletter.ts'
import { LiveMark } from './ui/status-mark.tsx'

const IsLive = createContext(false)

/**
 * Keeps the one stream of live events of the open newsletter, and fetches what pages show as live each time it opens and at each
 * change. Pages come and go below it without closing it.
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
    window.addEventListener('online', reopen)
    window.addEventListener('offline', lose)
    return () => {
      window.removeEventListener('online', reopen)
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
