import { z } from 'zod'
import { endpoint, Newsletter, Paging, pageOf } from '../http/endpoint.ts'

export const DeliveryState = z.enum(['queued', 'claimed', 'accepted', 'deferred', 'failed', 'suppressed', 'uncertain'])

export const listDeliveries = endpoint('GET /api/newsletters/:newsletterId/publications/:publicationId/deliveries', {
  role: 'analyst',
  summary: 'Every recipient’s state and the relay’s answer',
  params: Newsletter.extend({ publicationId: z.string().max(20) }),
  query: Paging.extend({ state: DeliveryState.optional(), search: z.string().trim().max(200).optional() }),
  reply: pageOf(
    z.object({
      subscriberId: z.uuid(),
      email: z.string(),
      state: DeliveryState,
      attempts: z.int(),
      dueAt: z.iso.datetime().nullable(),
      answer: z.string().nullable(),
      changedAt: z.iso.datetime(),
      openedAt: z.iso.datetime().nullable(),
    }),
  ),
})

/** Sending again may give somebody a second copy; closing counts them as failed. */
export const decideUncertainDeliveries = endpoint(
  'POST /api/newsletters/:newsletterId/publications/:publicationId/deliveries/uncertain',
  {
    role: 'editor',
    summary: 'Send what is uncertain once more, or close it',
    params: Newsletter.extend({ publicationId: z.string().max(20) }),
    body: z.object({ act: z.enum(['resend', 'close']) }),
    reply: z.object({ decided: z.int() }),
    errors: ['publication_not_found', 'wrong_status'],
  },
)

const OutboxMail = z.object({
  id: z.string(),
  from: z.string(),
  to: z.string(),
  subject: z.string(),
  at: z.iso.datetime(),
  bytes: z.int(),
})

/** Mail caught because no relay is set: the newsletter's own, and what is addressed to the signed-in member. */
export const listOutbox = endpoint('GET /api/newsletters/:newsletterId/outbox', {
  role: 'editor',
  summary: 'Mail caught on this machine because no relay is set, newest first',
  params: Newsletter,
  query: Paging.extend({ search: z.string().trim().max(200).optional() }),
  reply: pageOf(OutboxMail).extend({ caught: z.boolean(), total: z.int() }),
})

export const readOutboxMail = endpoint('GET /api/newsletters/:newsletterId/outbox/:mailId', {
  role: 'editor',
  summary: 'One caught mail: HTML, text, headers and source',
  params: Newsletter.extend({ mailId: z.string().max(60) }),
  reply: OutboxMail.extend({
    html: z.string().nullable(),
    text: z.string().nullable(),
    headers: z.array(z.object({ name: z.string(), value: z.string() })),
    source: z.string(),
  }),
  errors: ['mail_not_found'],
})
