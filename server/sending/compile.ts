import type { Context } from '../context.ts'
import { signingKeys } from '../domains/dkim-keys.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { type Language, languages } from '../languages.ts'
import { shortenLinks } from '../links/shorten.ts'
import { messageMark } from '../mail/message-id.ts'
import { domainOf, mailAddress, wireText } from '../mail/mime/address.ts'
import { CompiledMail, newBoundary } from '../mail/mime/compiled-mail.ts'
import { dateTime, type Field, mailbox, words } from '../mail/mime/fields.ts'
import { encodeValue, oneLine } from '../mail/mime/quoted-printable.ts'
import { Placeholders } from '../mail/mime/segments.ts'
import type { Message } from '../mail/relay.ts'
import { leaveAddress, returnPath } from '../mail/return-path.ts'
import { type MailIdentity, mailIdentityOf } from '../newsletters/mail-identity.ts'
import { collectLinks } from '../publications/document/links.ts'
import type { PublicationRow } from '../publications/queries.ts'
import { type Personal, renderable, renderMail } from '../publications/rendering.ts'
import { variantOf } from '../subscribers/audience.ts'

export interface Recipient {
  subscriberId: string
  email: string
  name: string | null
  /** The words around the publication are in it, where we speak it. */
  language: string
}

/** A publication as it goes out: only what is each recipient's own is left to be filled in. */
export interface Compiled {
  /** A promise where it is signed. */
  messageFor(recipient: Recipient): Message | Promise<Message>
  /** The recipient's message was accepted and its bytes may be written over. */
  reuse(recipient: Recipient, message: Message): void
}

/** What is compiled. */
interface Order {
  context: Pick<Context, 'db' | 'config' | 'signer' | 'sealer'>
  newsletter: NewsletterRow
  publication: PublicationRow
  sender: MailIdentity
  slots: Placeholders<Recipient>
}

/**
 * Renders a publication once a variant. Links become its short links; the reader's id, name, way out and pixel become
 * slots. Writes the short links that are missing.
 */
export async function compile(
  context: Order['context'],
  newsletter: NewsletterRow,
  publication: PublicationRow,
): Promise<Compiled> {
  const { db, config } = context
  const at = new Date()
  const order = {
    context,
    newsletter,
    publication,
    sender: mailIdentityOf(config, newsletter),
    slots: new Placeholders<Recipient>(),
  }
  const keys = await signingKeys(context, newsletter.id, order.sender.domain)
  const personal = await personalise(order)
  const fields = fieldsOf(order, personal, at)
  const edition = async (language: Language) => {
    const mail = await renderMail(db, config, newsletter, renderable(publication), personal, language)
    return [
      language,
      new CompiledMail(order.slots, { ...mail, fields, boundary: newBoundary() }, { keys, at }),
    ] as const
  }
  const editions = new Map<string, CompiledMail<Recipient>>(await Promise.all(languages.map(edition)))
  const usual = editions.get(publication.language) as CompiledMail<Recipient>
  const editionOf = (recipient: Recipient) => editions.get(variantOf(recipient)) ?? usual
  return {
    messageFor(recipient) {
      const raw = editionOf(recipient).rawFor(recipient)
      return raw instanceof Promise
        ? raw.then((signed) => enveloped(order, recipient, signed))
        : enveloped(order, recipient, raw)
    },
    reuse: (recipient, { raw }) => editionOf(recipient).reuse(raw),
  }
}

function enveloped({ context, newsletter, publication, sender }: Order, recipient: Recipient, raw: Buffer): Message {
  const { subscriberId, email } = recipient
  const delivery = { newsletterId: newsletter.id, publicationId: publication.id, subscriberId }
  const from = returnPath(context.config, context.signer, delivery) ?? mailAddress(sender.address)
  return { from, to: mailAddress(email), raw, delivery }
}

async function personalise({ context, newsletter, publication, slots }: Order): Promise<Personal> {
  const { publicUrl } = context.config
  const newsletterId = newsletter.id
  const targets = collectLinks(renderable(publication).document).filter((href) => /^https?:/i.test(href))
  const ids = await shortenLinks(context.db, { newsletterId, publicationId: publication.id, targets })
  const reader = readerMark(slots)
  return {
    link: (href) => {
      const id = ids.get(href)
      return id ? `${publicUrl}/r/${id}?s=${reader}` : href
    },
    mergeTag: (medium, field, fallback) =>
      slots.mark(`${medium} ${field} ${fallback}`, (recipient) => {
        const value = oneLine(mergeValue(recipient, field) ?? '').trim() || fallback
        return encodeValue(medium === 'html' ? escapeHtml(value) : value)
      }),
    unsubscribeAddress: `${publicUrl}/unsub/${newsletterId}/${reader}?p=${publication.id}`,
    pixelAddress: `${publicUrl}/o/${newsletterId}/${publication.id}/${reader}.gif`,
  }
}

const UUID_LENGTH = 36
const readerMark = (slots: Placeholders<Recipient>) =>
  slots.mark('reader', ({ subscriberId }) => subscriberId, UUID_LENGTH)

function mergeValue({ name, email }: Recipient, field: string): string | null {
  if (field === 'name') return name
  if (field === 'first_name') return name?.trim().split(/\s+/)[0] ?? null
  return field === 'email' ? email : null
}

/** RFC 5322, with RFC 2369 and RFC 8058 for leaving and RFC 2919 for sorting. */
function fieldsOf(order: Order, { unsubscribeAddress }: Personal, at: Date): Field[] {
  const { newsletter, publication, sender, slots } = order
  const from = mailAddress(sender.address)
  const domain = domainOf(from)
  return [
    ['From', mailbox('From', sender.name, from)],
    ...(sender.replyTo ? ([['Reply-To', mailbox('Reply-To', '', mailAddress(sender.replyTo))]] satisfies Field[]) : []),
    ['To', slots.mark('to', ({ email }) => wireText(mailAddress(email)))],
    ['Subject', words('Subject', publication.subject || publication.title)],
    ['Date', dateTime(at)],
    ['Message-ID', `<${messageName(order)}@${domain}>`],
    ['List-Id', mailbox('List-Id', newsletter.name, `${newsletter.id}.${domain}`)],
    ['List-Unsubscribe', `<${unsubscribeAddress}>,\r\n <${leaveByMail(order)}>`],
    ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
    ['Feedback-ID', `${publication.id}:${newsletter.id}:newsletter:tirage`],
    ['Precedence', 'bulk'],
    ['X-Tirage-Newsletter', newsletter.id],
  ]
}

/** Marked as ours where complaints may come back by mail: whoever brings one names the copy by it. */
function messageName({ context: { config, signer }, publication, slots }: Order): string {
  const ids = `${publication.id}.${readerMark(slots)}`
  if (config.bounceDomain === null) return ids
  const mark = ({ subscriberId }: Recipient) => messageMark(signer, { publicationId: publication.id, subscriberId })
  return `${ids}.${slots.mark('message mark', mark)}`
}

/** An address that we read ourselves, where there is one; else people's own, with the reader's id as the subject. */
function leaveByMail({ context, newsletter, publication, sender, slots }: Order): string {
  const { config, signer } = context
  if (config.bounceDomain !== null) {
    const ids = { newsletterId: newsletter.id, publicationId: publication.id }
    const address = ({ subscriberId }: Recipient) => leaveAddress(config, signer, { ...ids, subscriberId }) ?? ''
    return `mailto:${slots.mark('leave', address)}`
  }
  const to = mailAddress(sender.replyTo ?? sender.address)
  const local = encodeURIComponent(to.slice(0, to.lastIndexOf('@')))
  return `mailto:${local}@${domainOf(to)}?subject=unsubscribe%20${readerMark(slots)}`
}

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
