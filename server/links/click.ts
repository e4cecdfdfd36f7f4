import type { IncomingHttpHeaders } from 'node:http'
import { isTestRecipient, isUuid } from '../database/ids.ts'
import { type Device, deviceOf, type ExclusionRule, excludedBy, isPrefetch, signsOf } from './human.ts'
import type { Networks } from './networks.ts'

/** A request for a link, by whatever way it came. */
export interface LinkRequest {
  method: string
  headers: IncomingHttpHeaders
  query: Readonly<Record<string, unknown>>
  /** Of whoever asked: what our proxies say of it. */
  readonly ip: string
}

/** A short link, with what a redirect needs. */
export interface Link {
  id: string
  newsletterId: string
  /** What the newsletter keeps of clicks: nothing, that there was one, or whose it was. */
  privacy: 'off' | 'counted' | 'person'
  publicationId: string | null
  target: string
  expiresAt: Date | null
  disabledAt: Date | null
  /** Where it leads once it has ended or is disabled. */
  fallback: string | null
  canary: boolean
}

/** What a click keeps of its link. */
export type ClickedLink = Pick<Link, 'id' | 'newsletterId' | 'privacy' | 'publicationId' | 'canary'>

export interface Click {
  newsletterId: string
  shortLinkId: string
  publicationId: string | null
  /** The id in the address. It is stored only when it is that of a subscriber of this newsletter. */
  subscriberId: string | null
  /** Milliseconds since 1970, UTC. */
  at: number
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

/** Headers in which a request says that nobody has asked for it yet. */
const purposes = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz']

const MAX_AGENT = 300
const MAX_HOST = 100

/** Describes a request for a link as a click. */
export function describeClick(
  link: ClickedLink,
  request: LinkRequest,
  { at, networks }: { at: Date; networks: Networks },
): Click {
  const { headers, method } = request
  const agent = (headers['user-agent'] ?? '').slice(0, MAX_AGENT)
  const { s } = request.query
  const recipient = typeof s === 'string' && isUuid(s) ? s : null
  const facts = {
    agent,
    test: recipient !== null && isTestRecipient(recipient),
    notGet: method !== 'GET',
    prefetched: purposes.some((name) => headers[name] !== undefined && isPrefetch(String(headers[name]))),
    dataCentre: networks.knowsDataCentres && networks.isDataCentre(request.ip),
  }
  return {
    newsletterId: link.newsletterId,
    shortLinkId: link.id,
    publicationId: link.publicationId,
    subscriberId: link.privacy === 'person' ? recipient : null,
    at: at.getTime(),
    // Whoever follows an address that is shown to nobody follows every address.
    excludedBy: excludedBy(facts) ?? (link.canary ? 'canary' : null),
    device: deviceOf(agent),
    agent,
    signs: signsOf(facts),
    referrer: hostOf(headers.referer),
    country: networks.knowsCountries ? networks.countryOf(request.ip) : null,
  }
}

function hostOf(address: string | undefined): string | null {
  if (!address) return null
  const url = URL.parse(address.slice(0, 2_000))
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:'
  return isWeb ? url.hostname.replace(/^www\./, '').slice(0, MAX_HOST) || null : null
}
