import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import { isUuid } from '../database/ids.ts'
import { AppError } from '../errors.ts'
import { Limit, networkOf } from '../http/limits.ts'
import { rawPost } from '../http/raw-post.ts'
import { recentKeys } from '../http/recent-keys.ts'
import type { Route } from '../http/routes.ts'
import type { DeliveryKey } from '../mail/return-path.ts'
import { findWebhookRelay, keepWebhookSecret, WEBHOOK_PATH, type WebhookRelay } from '../relays/provider-webhooks.ts'
import type { ProviderEvent } from '../relays/providers/provider.ts'
import { webhookReaders } from '../relays/registry.ts'
import { findByMessageId, recordFeedback } from './feedback.ts'
import { classify } from './rules.ts'

const MAX_BODY_BYTES = 256 * 1024

/** `POST /webhooks/relays/:relayId`: what providers report about the mail that went through them. */
export function webhookRoutes(context: Context): Route[] {
  const { config, db, now } = context
  const readers = webhookReaders(config.providerGateway)
  const requests = new Limit(3_000, 60)
  const accepted = recentKeys(100_000, 3600)

  return [rawPost(WEBHOOK_PATH, MAX_BODY_BYTES, receive)]

  async function receive(request: FastifyRequest<{ Params: { relayId: string } }>) {
    await requests.take(networkOf(request.ip))
    const relay = await findWebhookRelay(context, request.params.relayId)
    if (!relay) throw new AppError('not_found')
    const webhook = { headers: request.headers, body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0) }
    const received = await readers.get(relay.kind)?.receive(webhook, { secret: relay.secret, now: now() })
    if (!received) throw new AppError('unauthenticated')
    const forget = acceptOnce(relay, received.onceToken)
    try {
      if (received.newSecret !== undefined) await keepWebhookSecret(context, relay.id, received.newSecret)
      for (const event of received.events) await recordEvent(db, relay, event)
    } catch (error) {
      // The provider sends again what could not be recorded.
      forget()
      throw error
    }
    return { done: true }
  }

  /** @throws AppError unauthenticated for a token that was accepted before, or is being recorded at this moment */
  function acceptOnce({ id }: WebhookRelay, token: string | undefined): () => void {
    if (token === undefined) return () => {}
    const name = `${id} ${token}`
    if (accepted.has(name)) throw new AppError('unauthenticated')
    accepted.set(name, true)
    return () => accepted.delete(name)
  }
}

/** Records an event about a delivery that this relay carries. An event about another newsletter's is ignored. */
async function recordEvent(db: Context['db'], relay: WebhookRelay, event: ProviderEvent): Promise<void> {
  const fact = { ...event, source: relay.kind }
  const kind = classify(fact)
  if (kind === 'ignore') return
  const delivery = await deliveryOf(db, event)
  const isTheirs = delivery && (relay.newsletterId === null || relay.newsletterId === delivery.newsletterId)
  if (isTheirs) await recordFeedback(db, delivery, { ...fact, kind })
}

async function deliveryOf(db: Db, { names, messageId }: ProviderEvent): Promise<DeliveryKey | null> {
  const { newsletter, publication, subscriber } = names
  const isNamed = typeof newsletter === 'string' && typeof publication === 'string' && typeof subscriber === 'string'
  if (!isNamed) return messageId ? findByMessageId(db, messageId) : null
  const isId = (text: string) => /^[1-9A-Za-z]{1,20}$/.test(text)
  if (!isId(newsletter) || !isId(publication) || !isUuid(subscriber)) return null
  return { newsletterId: newsletter, publicationId: publication, subscriberId: subscriber }
}
