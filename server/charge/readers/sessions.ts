import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/client.ts'
import { uuidv7 } from '../../database/ids.ts'
import type { DB } from '../../database/types.ts'
import { cookiePrefix } from '../../http/cookie-prefix.ts'
import { deviceOf } from '../../http/device.ts'
import { hashToken } from '../../http/signing.ts'
import type { Access } from '../../publications/document/visible.ts'
import type { SubscriberKey } from '../../subscribers/change.ts'
import { lockSubscriber } from '../../subscribers/queries.ts'
import { readablePlans } from '../change.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** A session ends when it was not used for so long. */
const IDLE_DAYS = 60
const COOKIE_DAYS = 365
/** For those who have no plan, which would say it. */
const DEVICES_WITHOUT_PLAN = 4

export interface Reader extends SubscriberKey {
  sessionId: string
}

export interface Device {
  id: string
  here: boolean
  /** Browser and system; null when they were not said. */
  device: string | null
  seenAt: Date
}

/**
 * Who reads on which device. A session opens what its subscriber's plans open, and nothing of the owners' app. A subscriber has as many at
 * a time as their plan allows, so that a link that is passed on stops working for more people than that.
 */
export class ReaderSessions {
  readonly #db: Kysely<DB>
  readonly #now: () => Date
  readonly #prefix: string

  constructor({ db, now, config }: Pick<Context, 'db' | 'now' | 'config'>) {
    this.#db = db
    this.#now = now
    this.#prefix = cookiePrefix(config)
  }

  /** Who reads a newsletter with this browser; null for everybody without a session. Costs nothing without a cookie. */
  async find(request: FastifyRequest, newsletterId: string): Promise<Reader | null> {
    const token = request.cookies[this.#cookie(newsletterId)]
    if (!token || token.length > 100) return null
    const now = this.#now()
    const found = await this.#db
      .selectFrom('reader_session')
      .select(['id', 'subscriber_id', 'seen_at'])
      .where('newsletter_id', '=', newsletterId)
      .where('token_hash', '=', hashToken(token))
      .where('seen_at', '>', idleSince(now))
      .executeTakeFirst()
    if (!found) return null
    if (now.getTime() - found.seen_at.getTime() > HOUR_MS) await this.#see(newsletterId, found.id)
    return { newsletterId, subscriberId: found.subscriber_id, sessionId: found.id }
  }

  /**
   * Opens a session on this browser and gives it its cookie.
   *
   * @param proven Whether they hold the subscriber's mailbox at this moment. Then the device that was used least recently gives way; a link
   * that may have been passed on waits until there is room.
   * @returns whether it was opened
   */
  async open(reply: FastifyReply, key: SubscriberKey, { proven }: { proven: boolean }): Promise<boolean> {
    const { request } = reply
    const here = await this.find(request, key.newsletterId)
    if (here?.subscriberId === key.subscriberId) return true
    const token = randomBytes(32).toString('base64url')
    const opened = await this.#db
      .transaction()
      .execute((tx) =>
        addSession(tx, key, { token, device: deviceOf(request.headers['user-agent']), now: this.#now(), proven }),
      )
    if (!opened) return false
    if (here) await this.end(here, here.sessionId)
    reply.setCookie(this.#cookie(key.newsletterId), token, { ...this.#options(), maxAge: COOKIE_DAYS * 86_400 })
    return true
  }

  /** What whoever is signed in on this browser may read of a newsletter; null when nobody is. */
  async accessOf(request: FastifyRequest, newsletterId: string): Promise<Access | null> {
    const reader = await this.find(request, newsletterId)
    return reader && { plans: await readablePlans(this.#db, reader, this.#now()) }
  }

  /** The devices of a reader, the one used last first. */
  async list({ newsletterId, subscriberId, sessionId }: Reader): Promise<Device[]> {
    const rows = await this.#db
      .selectFrom('reader_session')
      .select(['id', 'device', 'seen_at'])
      .where('newsletter_id', '=', newsletterId)
      .where('subscriber_id', '=', subscriberId)
      .where('seen_at', '>', idleSince(this.#now()))
      .orderBy('seen_at', 'desc')
      .orderBy('id')
      .execute()
    return rows.map(({ id, device, seen_at }) => ({ id, here: id === sessionId, device, seenAt: seen_at }))
  }

  /** Ends one session of a reader. One of somebody else stays. */
  async end({ newsletterId, subscriberId }: SubscriberKey, sessionId: string): Promise<void> {
    await this.#db
      .deleteFrom('reader_session')
      .where('newsletter_id', '=', newsletterId)
      .where('subscriber_id', '=', subscriberId)
      .where('id', '=', sessionId)
      .execute()
  }

  /** Ends the session of this browser and takes its cookie. */
  async signOut(reply: FastifyReply, newsletterId: string): Promise<void> {
    const reader = await this.find(reply.request, newsletterId)
    if (reader) await this.end(reader, reader.sessionId)
    reply.clearCookie(this.#cookie(newsletterId), this.#options())
  }

  #see(newsletterId: string, id: string) {
    return this.#db
      .updateTable('reader_session')
      .set({ seen_at: this.#now() })
      .where('newsletter_id', '=', newsletterId)
      .where('id', '=', id)
      .execute()
  }

  #cookie(newsletterId: string): string {
    return `${this.#prefix}.reader.${newsletterId}`
  }

  #options() {
    return { path: '/', httpOnly: true, sameSite: 'lax', secure: this.#prefix.startsWith('__Host-') } as const
  }
}

const idleSince = (now: Date): Date => new Date(now.getTime() - IDLE_DAYS * DAY_MS)

interface NewSession {
  token: string
  device: string | null
  now: Date
  proven: boolean
}

/** Sessions of one subscriber are opened one after the other, so that their number is never passed. */
async function addSession(tx: Db, { newsletterId, subscriberId }: SubscriberKey, asked: NewSession): Promise<boolean> {
  const { token, device, now, proven } = asked
  if (!(await lockSubscriber(tx, { newsletterId, subscriberId }))) return false
  const { devices } = await tx
    .selectFrom('entitlement as e')
    .innerJoin('plan as p', (join) =>
      join.onRef('p.newsletter_id', '=', 'e.newsletter_id').onRef('p.id', '=', 'e.plan_id'),
    )
    .select(({ fn }) => fn.max('p.devices').as('devices'))
    .where('e.newsletter_id', '=', newsletterId)
    .where('e.subscriber_id', '=', subscriberId)
    .where('e.until', '>', now)
    .executeTakeFirstOrThrow()
  const most = devices ?? DEVICES_WITHOUT_PLAN
  const theirs = await tx
    .selectFrom('reader_session')
    .select(['id', 'seen_at'])
    .where('newsletter_id', '=', newsletterId)
    .where('subscriber_id', '=', subscriberId)
    .orderBy('seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  const used = theirs.filter(({ seen_at }) => seen_at > idleSince(now))
  if (used.length >= most && !proven) return false
  const kept = new Set(used.slice(0, most - 1).map(({ id }) => id))
  const gone = theirs.map(({ id }) => id).filter((id) => !kept.has(id))
  if (gone.length > 0)
    await tx.deleteFrom('reader_session').where('newsletter_id', '=', newsletterId).where('id', 'in', gone).execute()
  await tx
    .insertInto('reader_session')
    .values({
      newsletter_id: newsletterId,
      id: uuidv7(now.getTime()),
      subscriber_id: subscriberId,
      token_hash: hashToken(token),
      device,
      created_at: now,
      seen_at: now,
    })
    .execute()
  return true
}
