import { isTestRecipient, isUuid } from '../database/ids.ts'
import type { PageRequest } from '../http/routes.ts'
import { type Device, deviceOf, type ExclusionRule, excludedBy, isPrefetch, signsOf } from './human.ts'
import type { Networks } from './networks.ts'

/** A short link, with what a redirect needs. */
export interface Link {
  id: string
  newsletterId: string
  publicationId: string | null
  target: string
  expiresAt: Date | null
  disabledAt: Date | null
  /** Where it leads once it has ended or is disabled. */
  fallback: string | null
  canary: boolean
}

export interface Click {
  newsletterId: string
  shortLinkId: string
  publicationId: string | null
  /** The id in the address. It is stored only when it is that of a subscriber of this newsletter. */
  subscriberId: string | null
  /** ISO 8601. */
  at: string
  excludedBy: ExclusionRule | null
  device: Device
  /** The User-Agent header. */
  agent: string
  /** Everything else that the rules ask about (`human.ts`). */
  signs: number
  /** The host of the page that led here. */
  referrer: string | null
  country: string | null
}

const MAX_AGENT = 300
const MAX_HOST = 100

/** Describes a request for a link as a click. */
export function describeClick(
  link: Link,
  request: PageRequest,
  { at, networks }: { at: Date; networks: Networks },
): Click {
  const { headers, method, ip } = request
  const agent = (headers['user-agent'] ?? '').slice(0, MAX_AGENT)
  const purpose = `${headers['sec-purpose'] ?? ''} ${headers.purpose ?? ''} ${headers['x-purpose'] ?? ''} ${headers['x-moz'] ?? ''}`
  const { s } = request.query
  const recipient = typeof s === 'string' && isUuid(s) ? s : null
  const facts = {
    agent,
    test: recipient !== null && isTestRecipient(recipient),
    notGet: method !== 'GET',
    prefetched: isPrefetch(purpose),
    dataCentre: networks.isDataCentre(ip),
  }
  return {
    newsletterId: link.newsletterId,
    shortLinkId: link.id,
    publicationId: link.publicationId,
    subscriberId: recipient,
    at: at.toISOString(),
    // Whoever follows an address that is shown to nobody follows every address.
    excludedBy: excludedBy(facts) ?? (link.canary ? 'canary' : null),
    device: deviceOf(agent),
    agent,
    signs: signsOf(facts),
    referrer: hostOf(headers.referer),
    country: networks.countryOf(ip),
  }
}

function hostOf(address: string | undefined): string | null {
  if (!address) return null
  const url = URL.parse(address.slice(0, 2_000))
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  return isWeb ? url.hostname.replace(/^www\./, '').slice(0, MAX_HOST) || null : null
}
