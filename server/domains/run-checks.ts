import type { RelayPlace } from '../relays/registry.ts'
import { checkDkim, type PublishedKey, signatureArrives } from './check-dkim.ts'
import { checkDmarc } from './check-dmarc.ts'
import { checkMx, type Mailboxes } from './check-mx.ts'
import { checkPtr, type ReverseName } from './check-ptr.ts'
import { checkSpf } from './check-spf.ts'
import type { Finding } from './contract.ts'
import type { DkimKeyRow } from './dkim-keys.ts'
import { recordName } from './dkim-record.ts'
import { readDmarc } from './dmarc.ts'
import { type Answer, type Dns, recordsOf } from './dns.ts'
import { type MailOrigin, mailOrigins } from './mail-origins.ts'
import { readSpf } from './spf.ts'

/** What the checks compare DNS with. */
export interface CheckInput {
  /** The domain of the sender’s address. */
  domain: string
  senderAddress: string
  /** The domain that bounces go to; null when they go to the sender. */
  bounceDomain: string | null
  publicHost: string
  relays: RelayPlace[]
  /** The keys of the domain that are not retired. */
  keys: PublishedKey[]
}

/** Asks DNS for everything that the checks need, and runs them. */
export async function runChecks(dns: Dns, input: CheckInput): Promise<Finding[]> {
  const { domain, bounceDomain, senderAddress, keys } = input
  const envelope = bounceDomain ?? domain
  const [reading, origins, policy, mailboxes, bounceMailboxes] = await Promise.all([
    readSpf(dns, envelope),
    mailOrigins(dns, input.relays, input.publicHost),
    readDmarc(dns, domain),
    lookUpMailboxes(dns, domain),
    bounceDomain ? lookUpMailboxes(dns, bounceDomain) : null,
  ])
  const spf = { ...checkSpf(envelope, reading, origins), ofServer: bounceDomain }
  const signed = signatureArrives(keys, origins)
  const keepsEnvelope = origins.every(({ ownEnvelope }) => !ownEnvelope)
  return [
    spf,
    checkDkim(domain, keys, origins),
    checkDmarc(policy, { domain, envelope: keepsEnvelope ? envelope : null, reportsTo: senderAddress, spf, signed }),
    checkMx(mailboxes, bounceMailboxes),
    await checkReverseNames(dns, origins),
  ]
}

/** The keys with what DNS holds at their names. */
export const lookUpKeys = (dns: Dns, rows: DkimKeyRow[]): Promise<PublishedKey[]> =>
  Promise.all(rows.map(async (row) => publishedKey(row, await dns.txt(recordName(row)))))

export function publishedKey(row: DkimKeyRow, answer: Answer<string>): PublishedKey {
  const { id, domain, selector, algorithm, public_key: publicKey, active_at } = row
  return { id, domain, selector, algorithm, publicKey, signs: active_at !== null, answer }
}

/** Of one domain. */
const MAX_EXCHANGES = 5

async function lookUpMailboxes(dns: Dns, domain: string): Promise<Mailboxes> {
  const mx = await dns.mx(domain)
  if (mx.kind === 'failed') return { domain, mx, addresses: mx }
  const hosts = mx.kind === 'found' ? mx.records.slice(0, MAX_EXCHANGES).map(({ exchange }) => exchange) : [domain]
  const answers = await Promise.all(hosts.filter(Boolean).map((host) => dns.addresses(host)))
  const [best = { kind: 'none' as const }] = answers.toSorted((a, b) => order[a.kind] - order[b.kind])
  return { domain, mx, addresses: best }
}

/** One exchange with an address is enough. One whose address is unknown may have one. */
const order = { found: 0, failed: 1, none: 2 } as const

const MAX_ADDRESSES = 6
const MAX_NAMES = 4

async function checkReverseNames(dns: Dns, origins: MailOrigin[]): Promise<Finding> {
  // The check says most about this server, and least about a provider.
  const origin = origins.find(({ own }) => own) ?? origins.find(({ include }) => include === null) ?? origins[0]
  if (!origin) return checkPtr('', 'unclear', [])
  if (origin.include !== null) return checkPtr(origin.place, 'provider', [])
  const reverse = await Promise.all(
    recordsOf(origin.addresses)
      .slice(0, MAX_ADDRESSES)
      .map((each) => lookUpReverseName(dns, each)),
  )
  return checkPtr(origin.place, origin.own ? 'own' : 'unclear', reverse)
}

async function lookUpReverseName(dns: Dns, address: string): Promise<ReverseName> {
  const names = await dns.namesOf(address)
  const forward = await Promise.all(
    recordsOf(names)
      .slice(0, MAX_NAMES)
      .map((name) => dns.addresses(name)),
  )
  return { address, names, forward }
}
