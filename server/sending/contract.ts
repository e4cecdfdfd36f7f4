import { z } from 'zod'
import { Csv, endpoint, Newsletter, Paging, pageOf, Sheet, ShownId } from '../http/endpoint.ts'

/** `accepted`: by a relay. `caught`: kept on this machine, where no relay is set; it reached nobody. */
export const DeliveryState = z.enum([
  'queued',
  'claimed',
  'accepted',
  'caught',
  'deferred',
  'failed',
  'suppressed',
  'uncertain',
])

const onePublication = Newsletter.extend({ publicationId: z.string().max(20) })

/**
 * Which deliveries: all of them, or those in one state. `waiting` means queued or claimed. `returned` means that a bounce or a
 * complaint came after a relay had accepted the message.
 */
const Which = z.object({
  state: z.union([DeliveryState, z.enum(['waiting', 'returned'])]).optional(),
  /** An address, or a part of one. */
  search: z.string().trim().max(200).optional(),
})

export const listDeliveries = endpoint('GET /api/newsletters/:newsletterId/publications/:publicationId/deliveries', {
  permission: 'deliveries.read',
  cost: 'search',
  summary: 'Every recipient’s state and the relay’s answer',
  params: onePublication,
  query: Paging.extend({ ...Which.shape, cursor: ShownId.optional() }),
  reply: pageOf(
    z.object({
      subscriberId: ShownId,
      /** Empty when the person was erased. */
      email: z.string(),
      state: DeliveryState,
      /** It is of a welcome, and not of a sending to an audience. */
      asWelcome: z.boolean(),
      attempts: z.int(),
      /** When it may be tried (again), while it waits. */
      dueAt: z.iso.datetime().nullable(),
      answer: z.string().nullable(),
      changedAt: z.iso.datetime(),
      openedAt: z.iso.datetime().nullable(),
      /** The newest bounce or complaint about the delivery, in the words of the other server. */
      feedback: z
        .object({ kind: z.enum(['hard', 'soft', 'complaint']), words: z.string(), at: z.iso.datetime() })
        .nullable(),
    }),
  ).extend({
    /** How many deliveries came back. */
    returned: z.int(),
  }),
  errors: ['publication_not_found'],
})

export const exportDeliveries = endpoint(
  'GET /api/newsletters/:newsletterId/publications/:publicationId/deliveries.csv',
  {
    permission: 'deliveries.read',
    cost: 'export',
    summary: 'All deliveries as CSV',
    params: onePublication,
    query: Which.extend(Sheet.shape),
    reply: Csv,
    errors: ['publication_not_found', 'too_many_requests'],
    audit: { act: 'deliveries_exported', keeps: ['publicationId'] },
  },
)

/** The progress of a sending. */
export const Progress = z.object({
  /** Answers of relays a second, at present; null while nothing is sent, and before the first answer. */
  perSecond: z.number().nullable(),
  /** Answers a second since the sending began, pauses and waiting included. */
  averagePerSecond: z.number().nullable(),
  /** Seconds until all queued deliveries are sent, at the present rate and within the limits of the relays; null when unknown. */
  secondsLeft: z.int().nullable(),
  /** The deferred deliveries: how many, and when the first and the last of them may be tried again. */
  later: z.object({ count: z.int(), from: z.iso.datetime(), until: z.iso.datetime() }).nullable(),
  /** Why nothing can be sent now: every relay rests, or has reached its limit. */
  held: z.object({ reason: z.enum(['limit', 'resting']), until: z.iso.datetime() }).nullable(),
})

/** After `resend` somebody may receive the publication twice. After `close` the deliveries count as failed. */
export const decideUncertainDeliveries = endpoint(
  'POST /api/newsletters/:newsletterId/publications/:publicationId/deliveries/uncertain',
  {
    permission: 'publications.send',
    summary: 'Send uncertain deliveries again, or close them: all of them, or those of some subscribers',
    params: onePublication,
    body: z.object({
      act: z.enum(['resend', 'close']),
      subscriberIds: z.array(ShownId).min(1).max(1_000).optional(),
    }),
    reply: z.object({ decided: z.int() }),
    errors: ['publication_not_found', 'wrong_status', 'too_many_requests'],
    audit: { act: 'uncertain_decided', keeps: ['publicationId', 'act'] },
  },
)

/** The states of deliveries that may be sent again. Nobody who was accepted is written to. */
const AgainState = z.enum(['failed', 'deferred', 'uncertain'])

export const listReasons = endpoint(
  'GET /api/newsletters/:newsletterId/publications/:publicationId/deliveries/reasons',
  {
    permission: 'deliveries.read',
    cost: 'search',
    summary:
      'The answers of the first 100,000 deliveries in one state, each with how many have it; the 50 most frequent',
    params: onePublication,
    query: z.object({ state: AgainState }),
    reply: z.object({
      rows: z.array(
        z.object({
          /** The answer without what differs from subscriber to subscriber: addresses, ids, numbers. */
          reason: z.string(),
          /** One of the answers, whole. */
          answer: z.string(),
          count: z.int(),
        }),
      ),
    }),
    errors: ['publication_not_found', 'too_many_requests'],
  },
)

/** With `uncertain`, somebody may receive the publication twice. Subscribers who have left meanwhile are passed over. */
export const sendAgain = endpoint('POST /api/newsletters/:newsletterId/publications/:publicationId/deliveries/again', {
  permission: 'publications.send',
  summary: 'Send again to those who did not get it: all in one state, those with one reason, or some subscribers',
  params: onePublication,
  body: z.object({
    state: AgainState,
    /** As listed by the reasons. */
    reason: z.string().max(500).optional(),
    subscriberIds: z.array(ShownId).min(1).max(1_000).optional(),
  }),
  reply: z.object({ queued: z.int() }),
  errors: ['publication_not_found', 'wrong_status', 'too_many_requests'],
  audit: { act: 'sent_again', keeps: ['publicationId', 'state', 'reason'] },
})
