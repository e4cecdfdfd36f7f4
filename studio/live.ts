import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

/**
 * Listens to changes in a newsletter and refreshes the queries that show them. The message `subscribers` makes every
 * query whose key begins with [newsletterId, 'subscribers'] stale, and so on. Every message refreshes `dashboard`.
 *
 * @returns whether the connection to the server is open
 */
export function useLive(newsletterId: string | undefined): boolean {
  const queries = useQueryClient()
  const [open, setOpen] = useState(false)
  useEffect(() => {
    if (!newsletterId) return
    const source = new EventSource(`/api/newsletters/${encodeURIComponent(newsletterId)}/live`)
    const refresh = batched(500, (kinds) => {
      for (const kind of [...kinds, 'dashboard']) void queries.invalidateQueries({ queryKey: [newsletterId, kind] })
    })
    source.addEventListener('open', () => setOpen(true))
    source.addEventListener('error', () => setOpen(false))
    source.addEventListener('changed', (event) => refresh.add(event.data))
    return () => {
      refresh.stop()
      source.close()
      setOpen(false)
    }
  }, [newsletterId, queries])
  return open
}

/** Collects the kinds of `ms` milliseconds and flushes them together: a sending changes many times a second. */
function batched(ms: number, flush: (kinds: Set<string>) => void) {
  let waiting = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  const run = () => {
    timer = undefined
    const kinds = waiting
    waiting = new Set()
    flush(kinds)
  }
  return {
    add(kind: string) {
      waiting.add(kind)
      timer ??= setTimeout(run, ms)
    },
    stop: () => clearTimeout(timer),
  }
}
