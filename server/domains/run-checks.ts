import type { RelayPlace } from '../relays/relay-set.ts'
import { checkDkim, type PublishedKey, signatureArrives } from './check-dkim.ts'
import { checkDmarc } from './check-dmarc.ts'
import { checkMx, type Mailboxes } from './check-mx.ts'
import { checkPtr, type ReverseName } from './check-ptr.ts'
import { checkSpf } from './check-spf.ts'
import type { Finding } from './contract.ts'
import { readDmarc } from './dmarc.ts'
import { type Answer, type Dns, recordsOf } from './dns.ts'
import { recordName } from './key-record.ts'
import type { DkimKeyRow } from './keys.ts'
import { type MailOrigin, mailOrigins } from './mail-origins.ts'
import { readSpf } from './spf.ts'

/** What is known before DNS is asked. */
export interface Facts {
  /** Of the sender’s address. */
  domain: string
  senderAddress: string
  /** Where bounces go; null: to the sender. */
  bounceDomain: string | null
  publicHost: string
  relays: RelayPlace[]
  /** Of the domain, those that are not retired. */
  keys: PublishedKey[]
}

/** Asks DNS everything that the checks need and says what it comes to. */
export async function runChecks(dns: Dns, facts: Facts): Promise<Finding[]> {
  const { domain, bounceDomain, senderAddress, keys } = facts
  const envelope = bounceDomain ?? domain
  const [reading, ways, policy, mailboxes, back] = await Promise.all([
    readSpf(dns, envelope),
    mailOrigins(dns, facts.relays, facts.publicHost),
    readDmarc(dns, domain),
    askMailboxes(dns, domain),
    bounceDomain ? askMailboxes(dns, bounceDomain) : null,
  ])
  const spf = checkSpf(envelope, reading, ways)
  const signed = signatureArrives(keys, ways)
  const kept = ways.every(({ ownEnvelope }) => !ownEnvelope)
  return [
    spf,
    checkDkim(domain, keys, ways),
    checkDmarc(policy, { domain, envelope: kept ? envelope : null, reportsTo: senderAddress, spf, signed }),
    checkMx(mailboxes, back),
    await ptrOf(dns, ways),
  ]
}

/** The keys with what DNS holds under their names. */
export const askKeys = (dns: Dns, rows: DkimKeyRow[]): Promise<PublishedKey[]> =>
  Promise.all(rows.map(async (row) => publishedKey(row, await dns.txt(recordName(row)))))

export function publishedKey(row: DkimKeyRow, answer: Answer<string>): PublishedKey {
  const { id, domain, selector, algorithm, public_key: publicKey, active_at } = row
  return { id, domain, selector, algorithm, publicKey, signs: active_at !== null, answer }
}

/** More exchanges than anybody needs are not all looked at. */
const EXCHANGES = 5

async function askMailboxes(dns: Dns, domain: string): Promise<Mailboxes> {
  const mx = await dns.mx(domain)
  if (mx.kind === 'failed') return { domain, mx, addresses: mx }
  const hosts = mx.kind === 'found' ? mx.records.slice(0, EXCHANGES).map(({ exchange }) => exchange) : [domain]
  const answers = await Promise.all(hosts.filter(Boolean).map((host) => dns.addresses(host)))
  const [best = { kind: 'none' as const }] = answers.toSorted((a, b) => order[a.kind] - order[b.kind])
  return { domain, mx, addresses: best }
}

/** One exchange that can be reached is enough; one that could not be asked for may be it. */
const order = { found: 0, failed: 1, none: 2 } as const

const ADDRESSES = 6
const NAMES = 4

async function ptrOf(dns: Dns, ways: MailOrigin[]): Promise<Finding> {
  // Of our own server it says most; of a provider least.
  const way = ways.find(({ own }) => own) ?? ways.find(({ include }) => include === null) ?? ways[0]
  if (!way) return checkPtr('', 'unclear', [])
  if (way.include !== null) return checkPtr(way.place, 'provider', [])
  const reverse = await Promise.all(
    recordsOf(way.addresses)
      .slice(0, ADDRESSES)
      .map((each) => askReverse(dns, each)),
  )
  return checkPtr(way.place, way.own ? 'own' : 'unclear', reverse)
}

async function askReverse(dns: Dns, address: string): Promise<ReverseName> {
  const names = await dns.namesOf(address)
  const forward = await Promise.all(
    recordsOf(names)
      .slice(0, NAMES)
      .map((name) => dns.addresses(name)),
  )
  return { address, names, forward }
}
