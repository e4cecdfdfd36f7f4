import { isTestRecipient, isUuid } from '../database/ids.ts'
import type { PageRequest } from '../http/routes.ts'
import { type Device, deviceOf, type ExclusionRule, excludedBy } from './human.ts'

/** A short link, with what a redirect needs. */
export interface Link {
  id: string
  newsletterId: string
  publicationId: string | null
  target: string
  expiresAt: Date | null
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
}

/** Describes a request for a link as a click. */
export function describeClick(link: Link, request: PageRequest, at: Date): Click {
  const { headers, method } = request
  const agent = (headers['user-agent'] ?? '').slice(0, 500)
  const purpose = `${headers['sec-purpose'] ?? ''} ${headers.purpose ?? ''} ${headers['x-purpose'] ?? ''} ${headers['x-moz'] ?? ''}`
  const { s } = request.query
  const recipient = typeof s === 'string' && isUuid(s) ? s : null
  const test = recipient !== null && isTestRecipient(recipient)
  return {
    newsletterId: link.newsletterId,
    shortLinkId: link.id,
    publicationId: link.publicationId,
    subscriberId: recipient,
    at: at.toISOString(),
    excludedBy: excludedBy({ method, agent, purpose, test }),
    device: deviceOf(agent),
  }
}
