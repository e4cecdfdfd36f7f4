import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { checkDomain, getDomain } from '../../server/domains/contract.ts'
import { call } from '../api.ts'

export type Domain = z.infer<typeof getDomain.reply>
export type DomainKey = Domain['keys'][number]
export type DomainChecks = z.infer<typeof checkDomain.reply>

export const domainQuery = (newsletterId: string) =>
  queryOptions({
    queryKey: [newsletterId, 'domain', 'keys'],
    queryFn: () => call(getDomain, { params: { newsletterId } }),
  })

/** What DNS says. Each answer costs name servers elsewhere some work, so it is asked for when somebody wants to know. */
export const domainChecksQuery = (newsletterId: string) =>
  queryOptions({
    queryKey: [newsletterId, 'domain', 'checks'],
    queryFn: () => call(checkDomain, { params: { newsletterId }, body: {} }),
    staleTime: 60_000,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
  })

/** Asks DNS again, and shows what it says and which keys it switched on. */
export async function checkAgain(queries: QueryClient, newsletterId: string): Promise<void> {
  const checks = await call(checkDomain, { params: { newsletterId }, body: { fresh: true } })
  queries.setQueryData(domainChecksQuery(newsletterId).queryKey, checks)
  await queries.invalidateQueries(domainQuery(newsletterId))
}

/** Shows the keys as they are after a change, and asks DNS about them. */
export function showDomain(queries: QueryClient, newsletterId: string, domain: Domain): void {
  queries.setQueryData(domainQuery(newsletterId).queryKey, domain)
  void queries.invalidateQueries(domainChecksQuery(newsletterId))
}
