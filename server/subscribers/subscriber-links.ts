import { timingSafeEqual } from 'node:crypto'
import type { Config } from '../config.ts'
import { isTestRecipient, isUuid } from '../database/ids.ts'
import { dashed, IdCipher } from '../http/id-cipher.ts'
import type { Signer } from '../http/signing.ts'
import type { SubscriberKey } from './change.ts'
import type { SubscriberRow } from './queries.ts'

/** How long a fresh link opens everything. */
export const FRESH_MINUTES = 60

/** What a token says. Only with `fresh` it may be the subscriber's own hand. */
export interface OpenedToken extends SubscriberKey {
  fresh: { until: Date; mac: Buffer } | null
}

/**
 * The tokens that say whose page a link of a mail opens. Each is good for its `purpose` alone: the subscriber's own page (`/me/{token}`),
 * or reading. A *standing* one is in each mail, for ever: the newsletter's id, and the subscriber's id encrypted. It is no id that opens
 * anything else, and nobody makes one who has no mail. It has the form of a UUID, so that whatever hides ids from members hides it
 * too. A *fresh* one goes to the subscriber's address alone, and is signed for that address and an hour.
 */
export class SubscriberLinks {
  readonly #cipher: IdCipher

  constructor(
    secret: string,
    private readonly signer: Signer,
    private readonly purpose = 'own page',
  ) {
    this.#cipher = new IdCipher(secret, purpose)
  }

  standing({ newsletterId, subscriberId }: SubscriberKey): string {
    return `${newsletterId}.${this.code(subscriberId)}`
  }

  /** The second half of a standing token: 36 characters. */
  code(subscriberId: string): string {
    return dashed(this.#cipher.encrypt(subscriberId))
  }

  fresh(subscriber: Pick<SubscriberRow, 'newsletter_id' | 'id' | 'email_normalised'>, now: Date): string {
    const until = new Date(Math.floor(now.getTime() / 1000) * 1000 + FRESH_MINUTES * 60_000)
    const token = this.standing({ newsletterId: subscriber.newsletter_id, subscriberId: subscriber.id })
    return `${token}.${seconds(until)}.${this.#mac(subscriber, until).toString('base64url')}`
  }

  /** Null for what has not the form of a token. Whether its subscriber exists is another question, and `proves` the third. */
  read(token: string): OpenedToken | null {
    const [newsletterId = '', code = '', time, mac, ...more] = token.split('.')
    if (!isUuid(code) || newsletterId === '' || more.length > 0) return null
    // The code of a mail that a member reads in the outbox is that of nobody.
    const subscriberId = isTestRecipient(code) ? code : this.#cipher.decrypt(code.replaceAll('-', '').toLowerCase())
    const key = { newsletterId, subscriberId }
    if (time === undefined || mac === undefined) return time === undefined ? { ...key, fresh: null } : null
    if (!/^[0-9a-z]{1,8}$/.test(time)) return null
    return { ...key, fresh: { until: new Date(parseInt(time, 36) * 1000), mac: Buffer.from(mac, 'base64url') } }
  }

  /** Whether a token was sent to the address that the subscriber has now, within the last hour. */
  proves({ fresh }: OpenedToken, subscriber: SubscriberRow, now: Date): boolean {
    if (!fresh || fresh.until <= now) return false
    const expected = this.#mac(subscriber, fresh.until)
    return fresh.mac.length === expected.length && timingSafeEqual(fresh.mac, expected)
  }

  #mac(subscriber: Pick<SubscriberRow, 'newsletter_id' | 'id' | 'email_normalised'>, until: Date): Buffer {
    const { newsletter_id, id, email_normalised } = subscriber
    const signed = JSON.stringify([newsletter_id, id, email_normalised, seconds(until)])
    return this.signer.mac(this.purpose, signed).subarray(0, 16)
  }
}

const seconds = (at: Date): string => Math.floor(at.getTime() / 1000).toString(36)

export const ownPageAddress = ({ publicUrl }: Pick<Config, 'publicUrl'>, token: string): string =>
  `${publicUrl}/me/${token}`
