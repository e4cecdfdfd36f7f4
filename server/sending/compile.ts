import type { Context } from '../context.ts'
import { signingKeys } from '../domains/dkim-keys.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { languages } from '../languages.ts'
import { shortenLinks } from '../links/shorten.ts'
import { messageIdMac } from '../mail/message-id.ts'
import { domainOf, mailAddress, wireText } from '../mail/mime/address.ts'
import { CompiledMail } from '../mail/mime/compiled-mail.ts'
import { dateTime, type Field, mailbox, words } from '../mail/mime/fields.ts'
import { encodeValue, oneLine } from '../mail/mime/quoted-printable.ts'
import { Placeholders } from '../mail/mime/segments.ts'
import type { Message } from '../mail/relay.ts'
import { returnPath, unsubscribeMailbox } from '../mail/return-path.ts'
import { type MailIdentity, mailIdentityOf } from '../newsletters/mail-identity.ts'
import { mailsJob, mergeTagKey, type PersonalText, personalPartsJob } from '../publications/mails.ts'
import type { RenderableText } from '../publications/rendering.ts'
import { siteOf } from '../publications/site.ts'
import { variantOf } from '../subscribers/audience.ts'
import { OwnPageLinks, ownPageAddress } from '../subscribers/own-page/links.ts'

export interface Recipient {
  subscriberId: string
  email: string
  name: string | null
  /** The language of the words around the publication, when it is one of ours. */
  language: string
}

/** A publication as mail, in which only what differs between recipients is left to be filled in. */
export interface Compiled {
  /** A promise where it is signed. */
  messageFor(recipient: Recipient): Message | Promise<Message>
  /** The recipient's message was accepted and its bytes may be written over. */
  reuse(recipient: Recipient, message: Message): void
}

/** A publication as `findRenderable` reads it. */
export type MailedPublication = RenderableText & { subject: string }

interface Source {
  context: Pick<Context, 'db' | 'config' | 'signer' | 'sealer' | 'threads'>
  newsletter: NewsletterRow
  publication: MailedPublication
  sender: MailIdentity
  placeholders: Placeholders<Recipient>
}

/**
 * Renders a publication once for each variant. Links become its short links. The subscriber’s id, name, address for
 * leaving and pixel become placeholders, those of links and pixel as the newsletter's privacy allows. Writes the short links that are
 * missing.
 */
export async function compile(
  context: Source['context'],
  newsletter: NewsletterRow,
  publication: MailedPublication,
): Promise<Compiled> {
  const { config, threads } = context
  const at = new Date()
  const source = {
    context,
    newsletter,
    publication,
    sender: mailIdentityOf(config, newsletter),
    placeholders: new Placeholders<Recipient>(),
  }
  const keys = await signingKeys(context, newsletter.id, source.sender.domain)
  const personal = await personalise(source)
  const fields = fieldsOf(source, personal, at)
  const site = await siteOf(context, newsletter, [publication])
  const { placeholders } = source
  const order = { site, publication, personal, marks: placeholders.marks, readerLanguages: languages }
  const bodies = await threads.run(mailsJob, order, publication.content.length * languages.length)
  const variants = new Map<string, CompiledMail<Recipient>>(
    [...bodies].map(([language, body]) => [language, new CompiledMail(placeholders, { fields, body }, { keys, at })]),
  )
  const mailFor = (recipient: Recipient): CompiledMail<Recipient> => {
    const mail = variants.get(variantOf(recipient)) ?? variants.get(publication.language)
    if (!mail) throw new Error(`no mail was compiled in ${publication.language}`)
    return mail
  }
  return {
    messageFor(recipient) {
      const raw = mailFor(recipient).rawFor(recipient)
      return raw instanceof Promise
        ? raw.then((signed) => enveloped(source, recipient, signed))
        : enveloped(source, recipient, raw)
    },
    reuse: (recipient, { raw }) => mailFor(recipient).reuse(raw),
  }
}

function enveloped({ context, newsletter, publication, sender }: Source, recipient: Recipient, raw: Buffer): Message {
  const { subscriberId, email } = recipient
  const delivery = { newsletterId: newsletter.id, publicationId: publication.id, subscriberId }
  const from = returnPath(context.config, context.signer, delivery) ?? mailAddress(sender.address)
  return { from, to: mailAddress(email), raw, delivery }
}

async function personalise({ context, newsletter, publication, placeholders }: Source): Promise<PersonalText> {
  const { publicUrl } = context.config
  const newsletterId = newsletter.id
  const { content } = publication
  const { targets, mergeTags: tags } = await context.threads.run(personalPartsJob, content, content.length)
  const counted = newsletter.click_privacy === 'off' ? [] : targets
  const ids = await shortenLinks(context.db, { newsletterId, publicationId: publication.id, targets: counted })
  const subscriberId = subscriberMark(placeholders)
  const reader = newsletter.click_privacy === 'person' ? `?s=${subscriberId}` : ''
  const mergeTags = new Map<string, string>()
  for (const { field, fallback } of tags) {
    for (const medium of ['html', 'text'] as const) {
      const key = mergeTagKey(medium, field, fallback)
      const mark = placeholders.mark(key, (recipient) => {
        const value = oneLine(mergeValue(recipient, field) ?? '').trim() || fallback
        return encodeValue(medium === 'html' ? escapeHtml(value) : value)
      })
      mergeTags.set(key, mark)
    }
  }
  return {
    links: new Map([...ids].map(([href, id]) => [href, `${publicUrl}/r/${id}${reader}`])),
    mergeTags,
    unsubscribeAddress: `${publicUrl}/unsub/${newsletterId}/${subscriberId}?p=${publication.id}`,
    dataAddress: ownPageAddress(context.config, `${newsletterId}.${ownPageCode(context, placeholders)}`),
    pixelAddress: pixelAddresses[newsletter.open_privacy](
      `${publicUrl}/o/${newsletterId}/${publication.id}`,
      subscriberId,
    ),
  }
}

const pixelAddresses: Record<
  NewsletterRow['open_privacy'],
  (publication: string, subscriberId: string) => string | null
> = {
  off: () => null,
  counted: (publication) => `${publication}.gif`,
  person: (publication, subscriberId) => `${publication}/${subscriberId}.gif`,
}

const UUID_LENGTH = 36
const subscriberMark = (placeholders: Placeholders<Recipient>) =>
  placeholders.mark('subscriber', ({ subscriberId }) => subscriberId, UUID_LENGTH)

/** In place of the second half of a token of `OwnPageLinks`, which is another one for each subscriber. */
function ownPageCode({ config, signer }: Source['context'], placeholders: Source['placeholders']): string {
  const links = new OwnPageLinks(config.secret, signer)
  return placeholders.mark('own page', ({ subscriberId }) => links.code(subscriberId), UUID_LENGTH)
}

function mergeValue({ name, email }: Recipient, field: string): string | null {
  if (field === 'name') return name
  if (field === 'first_name') return name?.trim().split(/\s+/)[0] ?? null
  return field === 'email' ? email : null
}

/** RFC 5322, with RFC 2369 and RFC 8058 for leaving and RFC 2919 for sorting. */
function fieldsOf(source: Source, { unsubscribeAddress }: Pick<PersonalText, 'unsubscribeAddress'>, at: Date): Field[] {
  const { newsletter, publication, sender, placeholders } = source
  const from = mailAddress(sender.address)
  const domain = domainOf(from)
  return [
    ['From', mailbox('From', sender.name, from)],
    ...(sender.replyTo ? ([['Reply-To', mailbox('Reply-To', '', mailAddress(sender.replyTo))]] satisfies Field[]) : []),
    ['To', placeholders.mark('to', ({ email }) => wireText(mailAddress(email)))],
    ['Subject', words('Subject', publication.subject || publication.title)],
    ['Date', dateTime(at)],
    ['Message-ID', `<${messageName(source)}@${domain}>`],
    ['List-Id', mailbox('List-Id', newsletter.name, `${newsletter.id}.${domain}`)],
    ['List-Unsubscribe', `<${unsubscribeAddress}>,\r\n <${leaveByMail(source)}>`],
    ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
    ['Feedback-ID', `${publication.id}:${newsletter.id}:newsletter:tirage`],
    ['Precedence', 'bulk'],
    ['X-Tirage-Newsletter', newsletter.id],
  ]
}

/** With a signed mark where complaints may come back by mail: a complaint names its delivery by the Message-ID. */
function messageName({ context: { config, signer }, publication, placeholders }: Source): string {
  const ids = `${publication.id}.${subscriberMark(placeholders)}`
  if (config.bounceDomain === null) return ids
  const mark = ({ subscriberId }: Recipient) => messageIdMac(signer, { publicationId: publication.id, subscriberId })
  return `${ids}.${placeholders.mark('message mark', mark)}`
}

/** An address whose mail this server reads; without one, the owner’s address, with the subscriber’s id in the subject. */
function leaveByMail({ context, newsletter, publication, sender, placeholders }: Source): string {
  const { config, signer } = context
  if (config.bounceDomain !== null) {
    const ids = { newsletterId: newsletter.id, publicationId: publication.id }
    const address = ({ subscriberId }: Recipient) => unsubscribeMailbox(config, signer, { ...ids, subscriberId }) ?? ''
    return `mailto:${placeholders.mark('leave', address)}`
  }
  const to = mailAddress(sender.replyTo ?? sender.address)
  const local = encodeURIComponent(to.slice(0, to.lastIndexOf('@')))
  return `mailto:${local}@${domainOf(to)}?subject=unsubscribe%20${subscriberMark(placeholders)}`
}

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
