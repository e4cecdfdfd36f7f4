import { publicId } from '../database/ids.ts'
import type { DeliveryKey } from '../mail/return-path.ts'
import type { RelayKind } from '../relays/contract.ts'
import { type Newsroom, openNewsroom } from './newsroom.ts'
import { addSent } from './sent.ts'

/** A newsroom as providers see it: relays with webhooks, and copies that they carried. */
export interface ProviderSide extends Newsroom {
  /** Its id. Of the newsroom's newsletter when no other, or with null the server itself, is named. */
  addRelay(kind: RelayKind, webhookSecret: string | null, newsletterId?: string | null): Promise<string>
  /** A new publication to a new reader, which a relay accepted. */
  sentToOne(): Promise<DeliveryKey>
  /** What became of a reader, and what was heard. */
  standing(delivery: DeliveryKey): Promise<{ status: string; heard: object[] }>
  /** The status of the answer. */
  post(relayId: string, body: unknown, headers?: Record<string, string>, type?: string): Promise<number>
}

export async function openProviderSide(env: Record<string, string> = {}): Promise<ProviderSide> {
  const server = await openNewsroom(env)
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
    async sentToOne() {
      const [delivery] = await addSent(server, await server.addSubscribers([`reader${++people}@example.com`]))
      return delivery as DeliveryKey
    },
    async standing({ subscriberId }) {
      const subscriber = db.selectFrom('subscriber').select('status').where('id', '=', subscriberId)
      const feedback = db
        .selectFrom('feedback')
        .select(['kind', 'source', 'status', 'words'])
        .where('subscriber_id', '=', subscriberId)
      const { status } = await subscriber.executeTakeFirstOrThrow()
      return { status, heard: await feedback.execute() }
    },
    async post(relayId, body, headers = {}, type = 'application/json') {
      const answer = await server.inject({
        method: 'POST',
        url: `/webhooks/relays/${relayId}`,
        payload: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { 'content-type': type, ...headers },
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
