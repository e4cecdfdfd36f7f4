import { randomBytes } from 'node:crypto'
import MimeNode from 'nodemailer/lib/mime-node'
import { encode, wrap } from 'nodemailer/lib/qp'
import type { Config } from '../config.ts'
import type { Db } from '../database/client.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { shortenLinks } from '../links/shorten.ts'
import { type Sender, senderOf } from '../newsletters/sender.ts'
import { collectLinks } from '../publications/document/render.ts'
import type { PublicationRow } from '../publications/queries.ts'
import { type Personal, renderable, renderMail } from '../publications/rendering.ts'
import type { Message } from './relay.ts'

export interface Recipient {
  subscriberId: string
  email: string
  name: string | null
}

type Slot = (recipient: Recipient) => string

/** A text cut at its slots: what everybody gets, already encoded, and what is each recipient's own. */
type Pieces = (string | Slot)[]

/** A publication as it goes to all who get the same: only the slots are filled for each of them. */
export interface Variant {
  messageFor(recipient: Recipient): Message
}

/**
 * Renders a publication once. Links become its short links; the reader's id, name, way out and pixel become slots.
 * Writes the short links that are missing.
 */
export async function compile(
  db: Db,
  config: Pick<Config, 'publicUrl'>,
  newsletter: NewsletterRow,
  publication: PublicationRow,
): Promise<Variant> {
  const slots = new Slots()
  const sender = senderOf(config, newsletter)
  const whole = renderable(publication)
  const targets = collectLinks(whole.document).filter((href) => /^https?:/i.test(href))
  const ids = await shortenLinks(db, newsletter.id, publication.id, targets)
  const personal = personalise(config, newsletter.id, publication.id, ids, slots)
  const mail = await renderMail(db, config, newsletter, whole, personal)
  const boundary = `=_tirage_${randomBytes(12).toString('hex')}`
  const part = (type: string, body: string): Pieces => [
    `--${boundary}\r\nContent-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n`,
    ...slots.cut(body, encodeStatic, encodeSlot),
    '\r\n',
  ]
  const pieces = merged([
    ...slots.cut(
      headers(newsletter, publication, sender, personal, slots, boundary),
      (text) => text,
      (slot) => slot,
    ),
    '\r\n',
    ...part('text/plain', mail.text),
    ...part('text/html', mail.html),
    `--${boundary}--\r\n`,
  ])
  return { messageFor: (recipient) => ({ from: sender.address, to: recipient.email, raw: fill(pieces, recipient) }) }
}

function personalise(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  newsletterId: string,
  publicationId: string,
  ids: Map<string, string>,
  slots: Slots,
): Personal {
  const reader = slots.add(({ subscriberId }) => subscriberId)
  return {
    link: (href) => {
      const id = ids.get(href)
      return id ? `${publicUrl}/r/${id}?s=${reader}` : href
    },
    mergeTag: (medium, field, fallback) =>
      slots.add((recipient) => {
        const value = mergeValue(recipient, field) || fallback
        return medium === 'html' ? escapeHtml(value) : value
      }),
    unsubscribeAddress: `${publicUrl}/unsub/${newsletterId}/${reader}?p=${publicationId}`,
    pixelAddress: `${publicUrl}/o/${newsletterId}/${publicationId}/${reader}.gif`,
  }
}

function mergeValue({ name, email }: Recipient, field: string): string | null {
  if (field === 'name') return name
  if (field === 'first_name') return name?.trim().split(/\s+/)[0] ?? null
  return field === 'email' ? email : null
}

/** RFC 5322, with RFC 2369 and RFC 8058 for leaving and RFC 2919 for sorting. */
function headers(
  newsletter: NewsletterRow,
  publication: PublicationRow,
  sender: Sender,
  { unsubscribeAddress }: Personal,
  slots: Slots,
  boundary: string,
): string {
  const to = slots.add(({ email }) => email)
  const reader = slots.add(({ subscriberId }) => subscriberId)
  const leave = `mailto:${sender.replyTo ?? sender.address}?subject=unsubscribe%20${reader}`
  const listName = newsletter.name.replaceAll(/["<>\r\n]/g, '')
  const node = new MimeNode('multipart/alternative', { baseBoundary: boundary })
  node.setHeader({
    From: { name: sender.name, address: sender.address },
    ...(sender.replyTo && { 'Reply-To': sender.replyTo }),
    Subject: publication.subject || publication.title,
    'Message-ID': `<${publication.id}.${reader}@${sender.domain}>`,
    'List-Id': { prepared: true, value: `${quoted(listName)} <${newsletter.id}.${sender.domain}>` },
    'List-Unsubscribe': { prepared: true, value: `<${unsubscribeAddress}>,\r\n <${leave}>` },
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    'Feedback-ID': `${publication.id}:${newsletter.id}:newsletter:tirage`,
    Precedence: 'bulk',
    'X-Tirage-Newsletter': newsletter.id,
  })
  const lines = node
    .buildHeaders()
    .replaceAll(/^(Content-Type|Content-Transfer-Encoding|To):.*(\r\n[ \t].*)*\r\n/gim, '')
  const type = `Content-Type: multipart/alternative;\r\n boundary="${boundary}"`
  return `${lines.trimEnd()}\r\nTo: ${to}\r\n${type}\r\n`
}

/** A phrase outside ASCII would have to be encoded; the address alone identifies the list. */
const quoted = (name: string): string => (/^[\x20-\x7e]+$/.test(name) ? `"${name.replaceAll('\\', '')}"` : '')

/** Marks for what differs, which no author can guess, and the cutting of a text at them. */
class Slots {
  readonly #nonce = randomBytes(8).toString('hex')
  readonly #slots: Slot[] = []

  /** Text that stands for what `slot` gives, and survives escaping and wrapping. */
  add(slot: Slot): string {
    return `slot${this.#nonce}x${this.#slots.push(slot) - 1}x`
  }

  cut(text: string, fixed: (text: string) => string, own: (slot: Slot) => Slot): Pieces {
    const parts = text.split(new RegExp(`slot${this.#nonce}x(\\d+)x`))
    return parts.map((part, index) => (index % 2 === 0 ? fixed(part) : own(this.#slots[Number(part)] as Slot)))
  }
}

const quotedPrintable = (text: string): string => wrap(encode(text.replaceAll(/\r?\n/g, '\r\n')), 75)

/** Each stretch ends its line softly, so that stretches and slots are encoded apart and no line grows too long. */
const encodeStatic = (text: string): string => (text === '' ? '' : `${quotedPrintable(text)}=\r\n`)

const encodeSlot =
  (slot: Slot): Slot =>
  (recipient) =>
    encodeStatic(slot(recipient))

const merged = (pieces: Pieces): Pieces =>
  pieces.reduce<Pieces>((joined, piece) => {
    const last = joined.at(-1)
    if (typeof piece === 'string' && typeof last === 'string') joined[joined.length - 1] = last + piece
    else joined.push(piece)
    return joined
  }, [])

function fill(pieces: Pieces, recipient: Recipient): Buffer {
  let text = ''
  for (const piece of pieces) text += typeof piece === 'string' ? piece : piece(recipient)
  return Buffer.from(text)
}

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
