import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/client.ts'
import { isUuid } from '../../database/ids.ts'
import { AppError } from '../../errors.ts'
import { Limit, networkOf } from '../../http/limits.ts'
import type { Route } from '../../http/routes.ts'
import type { DeliveryKey } from '../../mail/return-path.ts'
import { SEALED_FOR } from '../../relays/relay-set.ts'
import { WEBHOOK_PATH } from '../../relays/webhook-address.ts'
import { findByMessageId, recordFeedback } from '../feedback.ts'
import { judge } from '../rules.ts'
import { mailgun } from './mailgun.ts'
import { postmark } from './postmark.ts'
import { resend } from './resend.ts'
import { readSes } from './ses.ts'
import { readSns, Sns, type SnsMessage } from './sns.ts'
import { jsonOf, type Provider, type ProviderEvent, type Webhook } from './webhook.ts'

const providers: Record<string, Provider> = { postmark, mailgun, resend }
const MAX_BODY_BYTES = 256 * 1024

interface RelayHere {
  id: string
  kind: string
  newsletterId: string | null
  /** Null: none was set. */
  secret: string | null
}

/** `POST /webhooks/relays/:relayId`: what providers tell about the mail that went through them. */
export function webhookRoutes(context: Context): Route[] {
  const { config, db, now, sealer } = context
  const sns = new Sns(config.providerGateway)
  const knocks = new Limit(3_000, 60)
  const heard = new LRUCache<string, true>({ max: 100_000, ttl: 3600 * 1000 })

  return [rawPost(WEBHOOK_PATH, receive)]

  async function receive(request: FastifyRequest) {
    const { relayId } = request.params as { relayId: string }
    await knocks.take(networkOf(request.ip))
    const relay = await find(relayId)
    if (!relay) throw new AppError('not_found')
    const webhook = { headers: request.headers, raw: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0) }
    const told = relay.kind === 'ses' ? await fromAmazon(relay, webhook) : await fromProvider(relay, webhook)
    const forget = believeOnce(relay, webhook)
    try {
      for (const one of told) await take(db, relay, one)
    } catch (error) {
      // What could not be written down comes again.
      forget()
      throw error
    }
    return { done: true }
  }

  /** @throws AppError unauthenticated for what was believed before, or is being written down at this moment */
  function believeOnce({ id, kind }: RelayHere, webhook: Webhook): () => void {
    const part = providers[kind]?.once?.(webhook)
    if (part === undefined) return () => {}
    const name = `${id} ${part}`
    if (heard.has(name)) throw unsigned()
    heard.set(name, true)
    return () => heard.delete(name)
  }

  async function find(id: string): Promise<RelayHere | null> {
    const row = await db
      .selectFrom('relay')
      .select(['id', 'kind', 'newsletter_id', 'webhook_secret'])
      .where('id', '=', id)
      .where('kind', '<>', 'smtp')
      .executeTakeFirst()
    const secret = row?.webhook_secret ? sealer.open(SEALED_FOR, row.webhook_secret) : null
    return row ? { id: row.id, kind: row.kind, newsletterId: row.newsletter_id, secret } : null
  }

  async function fromProvider({ kind, secret }: RelayHere, webhook: Webhook): Promise<ProviderEvent[]> {
    const provider = providers[kind]
    if (!provider || secret === null || !(await provider.isTrue(webhook, secret, now()))) throw unsigned()
    return provider.read(jsonOf(webhook))
  }

  /** Its secret is the topic: anybody may have one that Amazon signs for. */
  async function fromAmazon(relay: RelayHere, webhook: Webhook): Promise<ProviderEvent[]> {
    const message = readSns(jsonOf(webhook))
    if (!message || (relay.secret !== null && relay.secret !== message.TopicArn)) throw unsigned()
    if (!(await sns.isTrue(message))) throw unsigned()
    if (message.Type === 'SubscriptionConfirmation') await confirm(relay, message)
    else if (relay.secret === null) throw unsigned()
    return message.Type === 'Notification' ? readSes(jsonOf({ raw: Buffer.from(message.Message) })) : []
  }

  /** The first topic that subscribes is remembered; no other is heard until the secret is set anew. */
  async function confirm(relay: RelayHere, message: SnsMessage): Promise<void> {
    if (!(await sns.confirm(message))) throw unsigned()
    await db
      .updateTable('relay')
      .set({ webhook_secret: sealer.seal(SEALED_FOR, message.TopicArn) })
      .where('id', '=', relay.id)
      .where('webhook_secret', 'is', null)
      .execute()
  }
}

const unsigned = () => new AppError('unauthenticated')

/** What is told about a copy of a newsletter that this relay carries; of another’s it is not believed. */
async function take(db: Context['db'], relay: RelayHere, told: ProviderEvent): Promise<void> {
  const kind = judge(told)
  const delivery = kind === 'ignore' ? null : await deliveryOf(db, told)
  const isTheirs = delivery && (relay.newsletterId === null || relay.newsletterId === delivery.newsletterId)
  if (isTheirs && kind !== 'ignore') await recordFeedback(db, delivery, { ...told, kind })
}

async function deliveryOf(db: Db, { names, messageId }: ProviderEvent): Promise<DeliveryKey | null> {
  const { newsletter, publication, subscriber } = names
  const isNamed = typeof newsletter === 'string' && typeof publication === 'string' && typeof subscriber === 'string'
  if (!isNamed) return messageId ? findByMessageId(db, messageId) : null
  const isId = (text: string) => /^[1-9A-Za-z]{1,20}$/.test(text)
  if (!isId(newsletter) || !isId(publication) || !isUuid(subscriber)) return null
  return { newsletterId: newsletter, publicationId: publication, subscriberId: subscriber }
}

/** A body of any type, as its bytes: these are what is signed. */
function rawPost(path: string, handler: (request: FastifyRequest) => Promise<unknown>): Route {
  return {
    method: 'POST',
    path,
    access: 'page',
    register: (app) => {
      void app.register(async (scope) => {
        scope.removeAllContentTypeParsers()
        scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (_request, body, done) =>
          done(null, body),
        )
        scope.post(path, { schema: { hide: true }, bodyLimit: MAX_BODY_BYTES }, handler)
      })
    },
  }
}
