import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { listRelays } from '../../server/relays/contract.ts'
import { call } from '../api.ts'
import { newslettersQuery } from '../shell/newsletter.tsx'

export type Relays = Awaited<ReturnType<typeof fetchRelays>>

const fetchRelays = (newsletterId: string) => call(listRelays, { params: { newsletterId } })

/** Fetched again every ten seconds, because usage and health change while mail is sent. */
export const relaysQuery = (newsletterId: string) =>
  queryOptions({
    queryKey: [newsletterId, 'relays'],
    queryFn: () => fetchRelays(newsletterId),
    refetchInterval: 10_000,
  })

/** After a relay was added, changed or removed. Whether mail leaves decides what the newsletter may mail and whom it may mail as. */
export const relaysChanged = (queries: QueryClient, newsletterId: string) =>
  Promise.all([
    queries.invalidateQueries({ queryKey: [newsletterId, 'relays'] }),
    queries.invalidateQueries({ queryKey: [newsletterId, 'senders'] }),
    queries.invalidateQueries(newslettersQuery),
  ])
