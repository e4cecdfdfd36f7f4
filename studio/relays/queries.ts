import { queryOptions } from '@tanstack/react-query'
import { listRelays } from '../../server/relays/contract.ts'
import { call } from '../api.ts'

export type Relays = Awaited<ReturnType<typeof fetchRelays>>

const fetchRelays = (newsletterId: string) => call(listRelays, { params: { newsletterId } })

/** Looked at again now and then: what they carry and how they fare changes while mail leaves. */
export const relaysQuery = (newsletterId: string) =>
  queryOptions({
    queryKey: [newsletterId, 'relays'],
    queryFn: () => fetchRelays(newsletterId),
    refetchInterval: 10_000,
  })
