import { z } from 'zod'
import { endpoint, Newsletter, Paging, pageOf, ShownId } from '../http/endpoint.ts'
import { ProviderKind } from '../relays/contract.ts'

/** A bounce by mail (RFC 3464), a complaint by mail (RFC 5965), or a provider's webhook. */
export const FeedbackSource = z.enum(['dsn', 'arf', ...ProviderKind.options])
export type FeedbackSource = z.infer<typeof FeedbackSource>

const FeedbackKind = z.enum(['hard', 'soft', 'complaint'])

/**
 * Google asks senders to keep their spam rate below 0.1 % and never to let it reach 0.3 % (“Email sender guidelines”,
 * https://support.google.com/mail/answer/81126).
 */
export const WATCHED_COMPLAINT_RATE = 0.001
export const MAX_COMPLAINT_RATE = 0.003

/** The days over which complaints are counted: a letter every week to 250 readers is then 1,000 mails. */
export const COMPLAINT_DAYS = 30

const ComplaintLevel = z.enum(['fine', 'watched', 'high'])
export type ComplaintLevel = z.infer<typeof ComplaintLevel>

export const listFeedback = endpoint('GET /api/newsletters/:newsletterId/publications/:publicationId/feedback', {
  permission: 'deliveries.read',
  summary: 'Bounces and complaints about one publication, newest first, in the other servers’ own words',
  params: Newsletter.extend({ publicationId: z.string().max(20) }),
  query: Paging.extend({ cursor: z.uuid().optional(), kind: FeedbackKind.optional() }),
  reply: pageOf(
    z.object({
      id: z.uuid(),
      at: z.iso.datetime(),
      kind: FeedbackKind,
      source: FeedbackSource,
      /** RFC 3463, such as 5.1.1. */
      status: z.string().nullable(),
      words: z.string(),
      subscriberId: ShownId,
      /** Empty for a subscriber who was erased since. */
      email: z.string(),
      /** Whether it ended the subscription. */
      suppressed: z.boolean(),
    }),
  ).extend({
    counts: z.object({ hard: z.int(), soft: z.int(), complaint: z.int() }),
    /** Of all publications of the newsletter that were sent in the last 30 days. */
    recent: z.object({ complaints: z.int(), accepted: z.int(), level: ComplaintLevel }),
  }),
  errors: ['publication_not_found'],
})
