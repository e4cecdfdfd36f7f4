import type { QueryClient } from '@tanstack/react-query'
import { LiveQueries } from './live-queries.ts'
import { LiveStream, type Source } from './live-stream.ts'

interface Options {
  newsletterId: string
  queries: QueryClient
  open(): Source
  /** Whether changes are heard. */
  show(isOpen: boolean): void
}

/** Follows a newsletter: what its pages show is fetched whenever the stream opens, since much may have changed before, and at each change. */
export function followNewsletter({ newsletterId, queries, open, show }: Options) {
  const shown = new LiveQueries(queries, newsletterId)
  const stream = new LiveStream({
    open,
    onOpen: () => {
      shown.missed()
      show(true)
    },
    onLost: () => show(false),
    onChanged: (kind) => shown.changed(kind),
  })
  return {
    reopen: () => stream.reopen(),
    lose: () => stream.lose(),
    stop() {
      stream.stop()
      shown.stop()
      show(false)
    },
  }
}
