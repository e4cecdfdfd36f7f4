import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import Stripe from 'stripe'
import type { Context } from '../../context.ts'
import { GroupCommit } from '../../database/group-commit.ts'
import { AppError } from '../../errors.ts'
import { Limit, networkOf } from '../../http/limits.ts'
import { rawPost } from '../../http/raw-post.ts'
import { recentKeys } from '../../http/recent-keys.ts'
import type { Route } from '../../http/routes.ts'
import { factsOf } from './read-event.ts'
import { type ReceivedEvent, storeEvents } from './store-event.ts'
import { findWebhookSecrets, noteEvent } from './webhook-secrets.ts'

const PATH = '/stripe/:newsletterId'
const MAX_BODY_BYTES = 512 * 1024
/** How old a signature may be. Stripe signs each attempt anew. */
const TOLERANCE_SECONDS = 300

/**
 * `POST /stripe/{newsletterId}`: what Stripe says of a newsletter's account. It is answered when it is on disk; it is applied afterwards.
 * Nobody without the secret learns which newsletters there are, nor which are connected.
 */
export function stripeWebhookRoutes(context: Context): Route[] {
  const { db, now } = context
  const requests = new Limit(60_000, 60)
  const store = new GroupCommit<ReceivedEvent>(
    async (events) => {
      await storeEvents(db, events)
      return events.map(() => undefined)
    },
    { limit: 500 },
  )
  const noted = recentKeys(10_000, 60)
  const nobodys = randomBytes(32).toString('hex')

  return [rawPost(PATH, MAX_BODY_BYTES, receive)]

  async function receive(request: FastifyRequest<{ Params: { newsletterId: string } }>) {
    await requests.take(networkOf(request.ip))
    const { newsletterId } = request.params
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const secrets = await findWebhookSecrets(context, newsletterId)
    const event = verified(body, request.headers['stripe-signature'], secrets.length > 0 ? secrets : [nobodys])
    if (!event) throw new AppError('unauthenticated')
    await store.add({ ...factsOf(event), newsletterId, body: body.toString('utf8') })
    if (!noted.has(newsletterId)) await noteEvent(db, newsletterId, now())
    noted.set(newsletterId, true)
    return { done: true }
  }

  /** Null when no secret has signed it within the tolerance. While a secret is replaced there are two. */
  function verified(body: Buffer, signature: string | string[] | undefined, secrets: string[]): Stripe.Event | null {
    for (const secret of secrets) {
      try {
        const at = now().getTime()
        return Stripe.webhooks.constructEvent(body, signature ?? '', secret, TOLERANCE_SECONDS, undefined, at)
      } catch (error) {
        if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw new AppError('bad_request')
      }
    }
    return null
  }
}
