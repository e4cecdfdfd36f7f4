import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { isUuid } from '../../database/ids.ts'
import { cookiePrefix } from '../../http/cookie-prefix.ts'
import type { SubscriberKey } from '../../subscribers/change.ts'
import type { SubscriberRow } from '../../subscribers/queries.ts'

const VALID_MINUTES = 60
const PURPOSE = 'recommendations'

/** What a browser was shown right after somebody said yes in it. */
export interface Pass extends SubscriberKey {
  /** Whether their address was proven by that. Else it was a link of a mail, which may have been passed on: what they choose asks by mail. */
  proven: boolean
  /** Of the address. */
  mark: string
  since: Date
  shown: { id: string; version: number }[]
  /** Those that they chose. Null until they said yes. */
  chosen: string[] | null
}

/**
 * That the person at this browser has just said yes: a signed cookie for an hour. No address of a page has it in it, so that a page
 * which is passed on says yes for nobody.
 */
export class Passes {
  readonly #prefix: string

  constructor(private readonly context: Pick<Context, 'config' | 'signer' | 'now'>) {
    this.#prefix = cookiePrefix(context.config)
  }

  give(reply: FastifyReply, pass: Pass): void {
    const { newsletterId, subscriberId, proven, mark, since, shown, chosen } = pass
    const value = [
      ...[newsletterId, subscriberId, mark, Math.floor(since.getTime() / 1000).toString(36)],
      shown.map(({ id, version }) => `${id}~${version}`).join('!'),
      chosen === null ? '-' : `+${chosen.join('!')}`,
      proven ? 'proven' : 'mail',
    ].join('.')
    reply.setCookie(this.#name, this.context.signer.sign(PURPOSE, value), {
      ...{ path: '/', httpOnly: true, sameSite: 'lax', maxAge: VALID_MINUTES * 60 },
      secure: this.#prefix.startsWith('__Host-'),
    })
  }

  /** What the browser has, and what a form repeats so that it is that of this page. Null for none, or one that is over. */
  read(request: FastifyRequest): { pass: Pass; code: string } | null {
    const cookie = request.cookies[this.#name]
    const value = cookie && this.context.signer.open(PURPOSE, cookie)
    if (!cookie || !value) return null
    const [newsletterId = '', subscriberId = '', mark = '', time = '', shown = '', chosen = '', how] = value.split('.')
    const since = new Date(Number.parseInt(time, 36) * 1000)
    if (!isUuid(subscriberId) || since.getTime() + VALID_MINUTES * 60_000 <= this.context.now().getTime()) return null
    const pass = {
      ...{ newsletterId, subscriberId, proven: how === 'proven', mark, since },
      shown: shown === '' ? [] : shown.split('!').map(readShown),
      chosen: chosen.startsWith('+') ? chosen.slice(1).split('!').filter(Boolean) : null,
    }
    return { pass, code: cookie.slice(cookie.lastIndexOf('.') + 1) }
  }

  /** Tells one address from another. */
  markOf({ email_normalised }: Pick<SubscriberRow, 'email_normalised'>): string {
    return this.context.signer.mac('recommendations address', email_normalised).subarray(0, 9).toString('base64url')
  }

  get #name(): string {
    return `${this.#prefix}.recommended`
  }
}

function readShown(text: string): Pass['shown'][number] {
  const [id = '', version = ''] = text.split('~')
  return { id, version: Number(version) }
}
