import { timingSafeEqual } from 'node:crypto'
import type { Config } from '../../config.ts'
import type { Signer } from '../../http/signing.ts'
import type { SubscriberKey } from '../change.ts'
import type { SubscriberRow } from '../queries.ts'
import { SubscriberLinks } from '../subscriber-links.ts'

/** For how long the new address can confirm, and the one before take it back. */
export const MOVE_HOURS = 48
export const MOVE_BACK_DAYS = 7
const HOUR_MS = 3600 * 1000

/** `to`: mailed to the new address. `back`: mailed to the one before, once it was moved. */
export type MoveKind = 'to' | 'back'

export interface OpenedMove extends SubscriberKey {
  kind: MoveKind
  /** The address to which the subscription shall go. */
  to: string
  until: Date
  mac: Buffer
}

/**
 * The tokens of `/move/{token}`: each is signed for a subscriber, the address that they had when it was made, the address they go to,
 * and a time. So it ends when they have moved, by it or by another. Nothing is stored.
 */
export class MoveLinks {
  readonly #own: SubscriberLinks

  constructor(
    secret: string,
    private readonly signer: Signer,
  ) {
    this.#own = new SubscriberLinks(secret, signer)
  }

  make(subscriber: Whose, { kind, to, now }: { kind: MoveKind; to: string; now: Date }): string {
    const ms = kind === 'to' ? MOVE_HOURS * HOUR_MS : MOVE_BACK_DAYS * 24 * HOUR_MS
    const until = new Date(Math.floor((now.getTime() + ms) / 1000) * 1000)
    const whose = this.#own.standing({ newsletterId: subscriber.newsletter_id, subscriberId: subscriber.id })
    const mac = this.#mac(subscriber, { kind, to, until }).toString('base64url')
    return [whose, kind, Buffer.from(to).toString('base64url'), seconds(until).toString(36), mac].join('.')
  }

  /** Null for what has not the form of a token. `proves` says whether it is one. */
  read(token: string): OpenedMove | null {
    const [newsletterId, code, kind, to = '', time = '', mac = '', ...more] = token.split('.')
    const whose = this.#own.read(`${newsletterId}.${code}`)
    if (!whose || (kind !== 'to' && kind !== 'back') || more.length > 0 || !/^[0-9a-z]{1,8}$/.test(time)) return null
    const { subscriberId } = whose
    return {
      ...{ newsletterId: whose.newsletterId, subscriberId, kind },
      to: Buffer.from(to, 'base64url').toString(),
      until: new Date(parseInt(time, 36) * 1000),
      mac: Buffer.from(mac, 'base64url'),
    }
  }

  /** Whether a token was made for the subscriber with the address that they have now, and is not too old. */
  proves(move: OpenedMove, subscriber: SubscriberRow, now: Date): boolean {
    const expected = this.#mac(subscriber, move)
    return move.until > now && move.mac.length === expected.length && timingSafeEqual(move.mac, expected)
  }

  #mac({ newsletter_id, id, email_normalised }: Whose, { kind, to, until }: Pick<OpenedMove, 'kind' | 'to' | 'until'>) {
    const signed = JSON.stringify([newsletter_id, id, email_normalised, kind, to, seconds(until)])
    return this.signer.mac('move', signed).subarray(0, 16)
  }
}

type Whose = Pick<SubscriberRow, 'newsletter_id' | 'id' | 'email_normalised'>

const seconds = (at: Date): number => Math.floor(at.getTime() / 1000)

export const moveAddressOf = ({ publicUrl }: Pick<Config, 'publicUrl'>, token: string): string =>
  `${publicUrl}/move/${token}`
