import type { ErrorCode } from '../errors.ts'
import type { Audience } from '../subscribers/audience.ts'

export interface PublicationKey {
  newsletterId: string
  publicationId: string
}

/** One run of a publication to one audience. */
export interface Sending extends PublicationKey {
  id: string
}

export interface AudienceSending extends Sending {
  audience: Audience
  /** Its owner believes the relay: many refusals because addresses do not exist are no reason to pause it. */
  trustsRefusals: boolean
}

/** Why the server paused a sending. */
export type StopCode =
  | Extract<ErrorCode, 'relay_unreachable' | 'internal' | 'busy' | 'rendering_failed' | OwnersStop>
  | 'too_many_complaints'
  | SystemicStop

/** What its owner has to see to. A welcome may be edited while it goes on. */
const ownersStops = [
  'sender_unproven',
  'no_title',
  'empty_publication',
  'no_postal_address',
  'empty_merge_fields',
] as const
type OwnersStop = (typeof ownersStops)[number]
export const isOwnersStop = (code: string): code is OwnersStop => ownersStops.some((stop) => stop === code)

/** Why a mail is not laid out at this moment, and may be at the next one. */
export const isPassing = (code: string): code is 'busy' | 'rendering_failed' =>
  code === 'busy' || code === 'rendering_failed'

/** A text that is too heavy fails each time, and its author should know soon. Some tries more are for a machine that was busy. */
export const MOST_LAYOUTS = 5

/** Reasons that say nothing about subscribers, so that what was refused before is tried again. */
export type SystemicStop = 'relay_refused' | 'too_many_refusals'

/** How far claims have come, when they have come to the end: the position after all subscribers. */
export const END = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

export interface Claim {
  worker: string
  /** At most so many deliveries. */
  limit: number
  leaseSeconds: number
  /** Read the plans of its subscribers too: they decide what is in the mail. */
  withPlans?: boolean
}

/** A delivery that a worker has claimed. */
export interface Claimed {
  subscriberId: string
  email: string
  name: string | null
  language: string
  /** Ids of the plans that they have now, when they were asked for. */
  plans?: number[]
  attempts: number
}

/** The result of a delivery that a worker had claimed. */
export interface Result {
  subscriberId: string
  state: 'accepted' | 'caught' | 'deferred' | 'failed' | 'uncertain' | 'queued'
  answer: string | null
  /** Seconds until it may be tried again. */
  delaySeconds: number
  tried: boolean
  /** The answer says that the address does not exist. */
  gone: boolean
}
