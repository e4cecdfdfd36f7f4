import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from './format.ts'
import { followNewsletter } from './live-newsletter.ts'
import { LiveMark, StatusMark } from './ui/status-mark.tsx'

/** A stream that comes back within this time was hardly away. */
const SAID_AFTER_MS = 5_000

/** Whether changes are heard and, when that has ended, since when not. */
interface Hearing {
  isLive: boolean
  lostAt: Date | null
}

const HearingContext = createContext<Hearing>({ isLive: false, lostAt: null })

/**
 * Keeps the one stream of live events of the open newsletter, and fetches what pages show as live each time it opens and at each
 * change. Pages come and go below it without closing it. A hidden tab has no stream: over HTTP/1.1 a browser opens six connections to a
 * server, and six tabs that each keep one would leave none to fetch anything.
 */
export function LiveProvider({ newsletterId, children }: { newsletterId: string; children: ReactNode }) {
  const queries = useQueryClient()
  const [hearing, setHearing] = useState<Hearing>({ isLive: false, lostAt: null })
  useEffect(() => {
    const { reopen, lose, stop } = followNewsletter({
      newsletterId,
      queries,
      open: () => new EventSource(`/api/newsletters/${encodeURIComponent(newsletterId)}/live`),
      show: (isLive) =>
        setHearing((before) => {
          if (isLive) return { isLive, lostAt: null }
          return before.isLive ? { isLive, lostAt: new Date() } : before
        }),
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
  return <HearingContext value={hearing}>{children}</HearingContext>
}

/**
 * The word *Live*, while changes are heard. Only beside what is fetched again at each of them. When they are not heard any more, the
 * time up to which they were.
 */
export function Live() {
  const { t } = useTranslation()
  const { isLive, lostAt } = useContext(HearingContext)
  if (isLive) return <LiveMark>{t('ui.live')}</LiveMark>
  return lostAt && <Lost key={lostAt.getTime()} at={lostAt} />
}

function Lost({ at }: { at: Date }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [isSaid, say] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => say(true), SAID_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return isSaid && <StatusMark shape="paused">{t('ui.asOf', { time: format.time(at) })}</StatusMark>
}
