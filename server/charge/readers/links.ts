import type { Context } from '../../context.ts'
import type { SubscriberRow } from '../../subscribers/queries.ts'
import { type OpenedToken, SubscriberLinks } from '../../subscribers/subscriber-links.ts'

/** How long the link of a mail opens its publication, from the day it appeared. */
export const MAILED_LINK_DAYS = 60

/** What the token of `/read/{token}` says. */
interface ReadToken extends OpenedToken {
  /** The publication whose mail it was in, which may have been passed on; null when it was asked for at `/signin`. */
  publicationId: string | null
}

/**
 * The tokens of `/read/{token}`. The one of a mail is `{newsletter}.{publication}.{code}`: the code is encrypted for this publication, so
 * that it opens no other and its age is that of the publication. The one that was asked for goes to the subscriber’s address alone, and
 * is fresh for an hour.
 */
export class ReadLinks {
  readonly #asked: SubscriberLinks

  constructor(private readonly context: Pick<Context, 'config' | 'signer'>) {
    this.#asked = this.#linksFor('reader')
  }

  asked(subscriber: SubscriberRow, now: Date): string {
    return this.#asked.fresh(subscriber, now)
  }

  /** What encrypts the codes of readers for the mail of a publication (`mailedToken`). */
  ofPublication(publicationId: string): SubscriberLinks {
    return this.#linksFor(`reader ${publicationId}`)
  }

  /** Null for what has not the form of a token. Whether its subscriber exists is another question. */
  read(token: string): ReadToken | null {
    const [newsletterId = '', publicationId = '', code = '', ...more] = token.split('.')
    if (more.length === 0) {
      const opened = this.ofPublication(publicationId).read(`${newsletterId}.${code}`)
      return opened && { ...opened, publicationId }
    }
    const opened = this.#asked.read(token)
    return opened?.fresh ? { ...opened, publicationId: null } : null
  }

  /** Whether a token was sent to the address that the subscriber has now, within the last hour. */
  proves(token: ReadToken, subscriber: SubscriberRow, now: Date): boolean {
    return token.publicationId === null && this.#asked.proves(token, subscriber, now)
  }

  #linksFor(purpose: string): SubscriberLinks {
    return new SubscriberLinks(this.context.config.secret, this.context.signer, purpose)
  }
}

/** The token in the mail of a publication. `code` is its reader's, 36 characters. */
export const mailedToken = (publication: { newsletterId: string; publicationId: string }, code: string): string =>
  `${publication.newsletterId}.${publication.publicationId}.${code}`

export const readAddress = ({ publicUrl }: { publicUrl: string }, token: string): string => `${publicUrl}/read/${token}`
