import { isPublic } from '../net/public-address.ts'
import type { MailService } from '../relays/providers/provider.ts'
import { providerService, type RelayPlace, serviceAtHost } from '../relays/registry.ts'
import { type Answer, type Dns, recordsOf } from './dns.ts'

/** A place that mail is sent from, as receivers see it. */
export interface MailOrigin {
  /** The provider's name, or the relay's host. */
  place: string
  /** The domain that the provider asks its customers to include in SPF; null for an unknown relay. */
  include: string | null
  /**
   * Whose signature arrives: `ours`, the provider's too (`also`), or the provider's alone (`instead`), since it changes
   * what we signed (docs/decisions/dkim.md).
   */
  signing: 'ours' | 'also' | 'instead'
  /** The provider replaces the envelope sender, so receivers check SPF of another domain. */
  ownEnvelope: boolean
  /** Whether it is this server, whose public addresses are known. */
  own: boolean
  /** The addresses that it sends from if it is `own`; else those that it listens at, which are often different. */
  addresses: Answer<string>
}

/** Relays of one newsletter that are looked up. */
const MAX_RELAYS = 10

/** @param publicHost the host of PUBLIC_URL: a relay on this machine or in its network sends from there */
export async function mailOrigins(dns: Dns, places: RelayPlace[], publicHost: string): Promise<MailOrigin[]> {
  const origins = await Promise.all(places.slice(0, MAX_RELAYS).map((place) => mailOrigin(dns, place, publicHost)))
  return [...new Map(origins.map((origin) => [origin.place, origin])).values()]
}

async function mailOrigin(dns: Dns, relay: RelayPlace, publicHost: string): Promise<MailOrigin> {
  if ('kind' in relay) return ofService(providerService(relay.kind))
  const service = serviceAtHost(relay.host)
  if (service) return ofService(service)
  const listening = await dns.addresses(relay.host)
  const isLocal = relay.host === publicHost || relay.host === 'localhost' || !recordsOf(listening).every(isPublic)
  if (!isLocal)
    return { place: relay.host, include: null, signing: 'ours', ownEnvelope: false, own: false, addresses: listening }
  const publicAddresses = relay.host === publicHost ? listening : await dns.addresses(publicHost)
  return {
    place: publicHost,
    include: null,
    signing: 'ours',
    ownEnvelope: false,
    own: true,
    addresses: onlyPublic(publicAddresses),
  }
}

const ofService = ({ name, spfInclude, signing, ownEnvelope }: MailService): MailOrigin => ({
  place: name,
  include: spfInclude,
  signing,
  ownEnvelope,
  own: false,
  addresses: { kind: 'none' },
})

function onlyPublic(answer: Answer<string>): Answer<string> {
  if (answer.kind !== 'found') return answer
  const records = answer.records.filter(isPublic)
  return records.length > 0 ? { kind: 'found', records } : { kind: 'none' }
}
