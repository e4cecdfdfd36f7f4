import { Transform } from 'node:stream'
import { IdCipher } from './id-cipher.ts'

const HEX = /^[0-9a-f]{32}$/
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi
/** The local parts of `mail/return-path.ts`, which contain a subscriber's id in base32. */
const SIGNED_MAILBOX = /([bu])-[a-z2-7]{61}/gi

/**
 * Subscribers' ids as members see them. The id itself opens the subscriber's own pages (`/unsub/{newsletterId}/{subscriberId}`),
 * so no member, API key or export may learn it. The shown id is its one block of AES-256, with a key from the instance's secret:
 * the same for the same subscriber, found without a query, and useless in any link.
 */
export class ShownIds {
  readonly #cipher: IdCipher

  constructor(secret: string) {
    this.#cipher = new IdCipher(secret, 'shown ids')
  }

  /** @param id a UUID @returns 32 hexadecimal digits */
  show(id: string): string {
    return this.#cipher.encrypt(id)
  }

  /** The UUID of a shown id. Any 32 hexadecimal digits have one, which need not be a subscriber's. @throws Error for another form */
  read(shown: string): string {
    if (!HEX.test(shown)) throw new Error('not a shown id')
    return this.#cipher.decrypt(shown)
  }

  /** A text of another server, such as its answer, in which it may have repeated an id that we had sent. */
  hideIn(text: string): string {
    return text.replaceAll(UUID, (id) => this.show(id)).replaceAll(SIGNED_MAILBOX, '$1-…')
  }

  /** Hides ids in a stream of lines in UTF-8, however it is cut into chunks. */
  hideInLines(): Transform {
    const hide = (text: string) => this.hideIn(text)
    const decoder = new TextDecoder()
    let rest = ''
    return new Transform({
      transform(chunk: Buffer, _encoding, done) {
        const text = rest + decoder.decode(chunk, { stream: true })
        const end = text.lastIndexOf('\n') + 1
        rest = text.slice(end)
        done(null, hide(text.slice(0, end)))
      },
      flush(done) {
        done(null, hide(rest + decoder.decode()))
      },
    })
  }
}

/** A soft line break of quoted-printable (RFC 2045 section 6.7), which may be in the middle of an id. */
const SOFT_BREAK = '(?:=\\r?\\n)?'
const ID_IN_MAIL = new RegExp(
  [8, 4, 4, 4, 12].map((length) => Array(length).fill('[0-9a-f]').join(SOFT_BREAK)).join(`${SOFT_BREAK}-${SOFT_BREAK}`),
  'gi',
)

/** A token of `SealedLinks`. */
const SEALED_IN_MAIL = new RegExp(`~${SOFT_BREAK}(?:[\\w-]${SOFT_BREAK}){60,}`, 'g')

/**
 * The source of a mail whose links do nothing for its recipient: every id in it is `standIn`, and what is sealed opens nothing. So ids stand
 * in links as UUIDs, in no shorter form.
 */
export const disarmMail = (source: string, standIn: string): string =>
  source.replaceAll(ID_IN_MAIL, standIn).replaceAll(SEALED_IN_MAIL, '~hidden').replaceAll(SIGNED_MAILBOX, '$1-hidden')
