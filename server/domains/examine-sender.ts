import type { Kysely } from 'kysely'
import type { Config } from '../config.ts'
import type { DB } from '../database/types.ts'
import type { RelayPlace } from '../relays/registry.ts'
import type { Finding } from './contract.ts'
import { withDns } from './dns.ts'
import { domainOf, type SenderDomain } from './domain.ts'
import { keysOf } from './domain-checks.ts'
import { lookUpKeys, runChecks } from './run-checks.ts'

/** Checks SPF, DKIM and DMARC of the instance's own mail, and changes nothing. @param relays those that carry it */
export async function examineSender(
  db: Kysely<DB>,
  config: Config,
  relays: RelayPlace[],
): Promise<SenderDomain & { findings: Finding[] }> {
  const sender = domainOf(config, null)
  const { domain, address, kind } = sender
  if (kind !== 'own') return { ...sender, findings: [] }
  const rows = await keysOf(db, null, domain)
  const findings = await withDns(config.dnsServers, async (dns) =>
    runChecks(dns, {
      domain,
      senderAddress: address,
      bounceDomain: null,
      publicHost: new URL(config.publicUrl).hostname,
      relays,
      keys: await lookUpKeys(dns, rows),
    }),
  )
  return {
    ...sender,
    findings: findings.filter(({ check }) => check === 'spf' || check === 'dkim' || check === 'dmarc'),
  }
}
