import { z } from 'zod'
import { endpoint, Newsletter, Paging, pageOf } from '../http/endpoint.ts'

export const DeliveryState = z.enum(['queued', 'claimed', 'accepted', 'deferred', 'failed', 'suppressed', 'uncertain'])

const onePublication = Newsletter.extend({ publicationId: z.string().max(20) })

/**
 * Which deliveries: all, those in one state; `waiting`: those whose turn comes, or is now; `returned`: those of which
 * something came back after a relay had accepted them.
 */
const Which = z.object({
  state: z.union([DeliveryState, z.enum(['waiting', 'returned'])]).optional(),
  /** A whole address, or a part of one. */
  search: z.string().trim().max(200).optional(),
})

export const listDeliveries = endpoint('GET /api/newsletters/:newsletterId/publications/:publicationId/deliveries', {
  permission: 'deliveries.read',
  summary: 'Every recipient’s state and the relay’s answer',
  params: onePublication,
  query: Paging.extend(Which.shape),
  reply: pageOf(
    z.object({
      subscriberId: z.uuid(),
      /** Empty when the person was erased. */
      email: z.string(),
      state: DeliveryState,
      attempts: z.int(),
      /** When it may be tried (again), while it waits. */
      dueAt: z.iso.datetime().nullable(),
      answer: z.string().nullable(),
      changedAt: z.iso.datetime(),
      openedAt: z.iso.datetime().nullable(),
      /** What came back later, the newest: a bounce or a complaint, in the other server's own words. */
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
    summary: 'The same as CSV, all of them, streamed',
    params: onePublication,
    query: Which,
    reply: z.unknown(),
    errors: ['publication_not_found', 'too_many_requests'],
  },
)

/** How a sending goes on. */
export const Progress = z.object({
  /** Answers of relays a second, of late; null while nothing is sent, and before the first answer. */
  perSecond: z.number().nullable(),
  /** The same since it began, pauses and waiting included. */
  averagePerSecond: z.number().nullable(),
  /** Until the last one that can go has gone, at the pace of late and within the relays' limits; null when nothing tells. */
  secondsLeft: z.int().nullable(),
  /** Those whose relay asked to wait: when the first and the last of them may be tried again. */
  later: z.object({ count: z.int(), from: z.iso.datetime(), until: z.iso.datetime() }).nullable(),
  /** Why nothing can leave now: every relay rests, or has carried what it may. */
  held: z.object({ reason: z.enum(['limit', 'resting']), until: z.iso.datetime() }).nullable(),
})

/** Sending again may give somebody a second copy; closing counts them as failed. */
export const decideUncertainDeliveries = endpoint(
  'POST /api/newsletters/:newsletterId/publications/:publicationId/deliveries/uncertain',
  {
    permission: 'publications.send',
    summary: 'Send what is uncertain once more, or close it: all, or those named',
    params: onePublication,
    body: z.object({
      act: z.enum(['resend', 'close']),
      subscriberIds: z.array(z.uuid()).min(1).max(1_000).optional(),
    }),
    reply: z.object({ decided: z.int() }),
    errors: ['publication_not_found', 'wrong_status'],
  },
)
