import type { QueryClient } from '@tanstack/react-query'
import { LiveQueries } from './live-queries.ts'
import { LiveStream, type Source } from './live-stream.ts'

interface Options {
  newsletterId: string
  queries: QueryClient
  open(): Source
  /** Whether changes are heard, and what they changed is fetched in time. */
  show(isOpen: boolean): void
}

/** Follows a newsletter: what its pages show is fetched whenever the stream opens, since much may have changed before, and at each change. */
export function followNewsletter({ newsletterId, queries, open, show }: Options) {
  const is = { open: false, late: false }
  const set = (values: Partial<typeof is>) => {
    Object.assign(is, values)
    show(is.open && !is.late)
  }
  const shown = new LiveQueries(queries, newsletterId, (late) => set({ late }))
  const stream = new LiveStream({
    open,
    onOpen: () => {
      shown.missed()
      set({ open: true })
    },
    onHeard: () => set({ open: true }),
    onLost: () => set({ open: false }),
    onChanged: (kind) => shown.changed(kind),
  })
  return {
    reopen: () => stream.reopen(),
    lose: () => stream.lose(),
    stop() {
      stream.stop()
      shown.stop()
      set({ open: false })
    },
  }
}
