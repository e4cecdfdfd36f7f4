import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { checkDomain, getDomain } from '../../server/domains/contract.ts'
import { call } from '../api.ts'
import { hasFailed } from '../has-failed.ts'

export type Domain = z.infer<typeof getDomain.reply>
export type DomainKey = Domain['keys'][number]
export type DomainChecks = z.infer<typeof checkDomain.reply>

export const domainQuery = (newsletterId: string) =>
  queryOptions({
    queryKey: [newsletterId, 'domain', 'keys'],
    queryFn: () => call(getDomain, { params: { newsletterId } }),
  })

/** The DNS checks. They cost work on other people's name servers, so they are not repeated automatically. */
export const domainChecksQuery = (newsletterId: string) =>
  queryOptions({
    queryKey: [newsletterId, 'domain', 'checks'],
    queryFn: () => call(checkDomain, { params: { newsletterId }, body: {} }),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
    refetchOnReconnect: hasFailed,
    retry: false,
  })

/** Asks DNS again, and refreshes the keys, which the checks may have activated. */
export async function checkAgain(queries: QueryClient, newsletterId: string): Promise<void> {
  const checks = await call(checkDomain, { params: { newsletterId }, body: { fresh: true } })
  queries.setQueryData(domainChecksQuery(newsletterId).queryKey, checks)
  await queries.invalidateQueries(domainQuery(newsletterId))
}

/** Shows the keys after a change, and repeats the checks. */
export function showDomain(queries: QueryClient, newsletterId: string, domain: Domain): void {
  queries.setQueryData(domainQuery(newsletterId).queryKey, domain)
  void queries.invalidateQueries(domainChecksQuery(newsletterId))
}
