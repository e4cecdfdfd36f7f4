import { publicId } from '../database/ids.ts'
import type { DeliveryKey } from '../mail/return-path.ts'
import type { RelayKind } from '../relays/contract.ts'
import { addAcceptedDeliveries } from './deliveries.ts'
import { startTestNewsletter, type TestNewsletter } from './newsletter.ts'

/** A test newsletter as providers see it: relays with webhooks, and deliveries that they accepted. */
export interface WebhookNewsletter extends TestNewsletter {
  /** Answers its id. It belongs to the test newsletter unless another is named; null: to the whole instance. */
  addRelay(kind: RelayKind, webhookSecret: string | null, newsletterId?: string | null): Promise<string>
  /** A new publication to a new subscriber, which a relay accepted. */
  addDelivery(): Promise<DeliveryKey>
  /** The subscriber’s status, and the feedback that was recorded. */
  outcomeOf(delivery: DeliveryKey): Promise<{ status: string; feedback: object[] }>
  /** The status of the answer. */
  post(relayId: string, body: unknown, headers?: Record<string, string>): Promise<number>
}

export async function startWebhookNewsletter(env: Record<string, string> = {}): Promise<WebhookNewsletter> {
  const server = await startTestNewsletter(env)
  const { db, sealer } = server.context
  let people = 0
  return {
    ...server,
    async addRelay(kind, webhookSecret, newsletterId = server.newsletterId) {
      const id = publicId()
      const webhook_secret = webhookSecret === null ? null : sealer.seal('relay', webhookSecret)
      const values = { id, newsletter_id: newsletterId, name: kind, kind, settings: '{}', webhook_secret }
      await db
        .insertInto('relay')
        .values({ ...values, weight: 1, connections: 1, enabled: true })
        .execute()
      return id
    },
    async addDelivery() {
      const [delivery] = await addAcceptedDeliveries(
        server,
        await server.addSubscribers([`reader${++people}@example.com`]),
      )
      return delivery as DeliveryKey
    },
    async outcomeOf({ subscriberId }) {
      const subscriber = db.selectFrom('subscriber').select('status').where('id', '=', subscriberId)
      const feedback = db
        .selectFrom('feedback')
        .select(['kind', 'source', 'status', 'words'])
        .where('subscriber_id', '=', subscriberId)
      const { status } = await subscriber.executeTakeFirstOrThrow()
      return { status, feedback: await feedback.execute() }
    },
    async post(relayId, body, headers = {}) {
      const answer = await server.inject({
        method: 'POST',
        url: `/webhooks/relays/${relayId}`,
        payload: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...headers },
      })
      return answer.statusCode
    },
  }
}

/** As a relay is given them, and gives them back. */
export const namesOf = ({ newsletterId, publicationId, subscriberId }: DeliveryKey) => ({
  newsletter: newsletterId,
  publication: publicationId,
  subscriber: subscriberId,
})
