import { OptInCodes } from '../campaigns/opt-in/address.ts'
import { optInTargets } from '../campaigns/opt-in/mailed-links.ts'
import { mailedToken, ReadLinks, readAddress } from '../charge/readers/links.ts'
import type { Context } from '../context.ts'
import { signingKeys } from '../domains/dkim-keys.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { languages } from '../languages.ts'
import { CODE } from '../links/lead-on.ts'
import { canaryLink, shortenLinks } from '../links/shorten.ts'
import { messageIdMac } from '../mail/message-id.ts'
import { domainOf, mailAddress, wireText } from '../mail/mime/address.ts'
import { CompiledMail } from '../mail/mime/compiled-mail.ts'
import { dateTime, type Field, mailbox, words } from '../mail/mime/fields.ts'
import { encodeValue, oneLine } from '../mail/mime/quoted-printable.ts'
import { Placeholders } from '../mail/mime/segments.ts'
import type { Message } from '../mail/relay.ts'
import { returnPath, unsubscribeMailbox } from '../mail/return-path.ts'
import { type MailIdentity, mailIdentityOf } from '../newsletters/mail-identity.ts'
import type { Gate } from '../publications/document/gate-nodes.ts'
import { typeset } from '../publications/document/typography.ts'
import { mailsJob, mergeTagKey, type PersonalText, personalPartsJob } from '../publications/mails.ts'
import type { RenderableText } from '../publications/rendering.ts'
import { siteOf } from '../publications/site.ts'
import { variantOf } from '../subscribers/audience.ts'
import { firstName } from '../subscribers/first-name.ts'
import { ownPageAddress, SubscriberLinks } from '../subscribers/subscriber-links.ts'

export interface Recipient {
  subscriberId: string
  email: string
  name: string | null
  /** The language of the words around the publication, when it is one of ours. */
  language: string
  /** Ids of the plans that they have; none: they read what everybody may read. */
  plans?: readonly number[]
}

/** A publication as mail, in which only what differs between recipients is left to be filled in. */
export interface Compiled {
  /** What readers with different plans see differently. Its recipients need their plans when there are some. */
  gates: readonly Gate[]
  /** A promise where it is signed. */
  messageFor(recipient: Recipient): Message | Promise<Message>
  /** The recipient's message was accepted and its bytes may be written over. */
  reuse(recipient: Recipient, message: Message): void
}

/** A publication as `findRenderable` reads it. */
export type MailedPublication = RenderableText & {
  subject: string
  /** Its recipients are no subscribers: its links and pixel say so, also where those of readers name nobody. */
  isTest?: true
}

interface Source {
  context: Pick<Context, 'db' | 'config' | 'signer' | 'sealer' | 'threads'>
  newsletter: NewsletterRow
  publication: MailedPublication
  sender: MailIdentity
  placeholders: Placeholders<Recipient>
}

/**
 * Renders a publication for everybody, and once more for readers who may read other parts of it, when the first of them comes. Links become its short links. The subscriber’s id, name, address for
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
  const { personal, gates } = await personalise(source)
  const fields = fieldsOf(source, personal, at)
  const site = await siteOf(context, newsletter, [publication])
  const { placeholders } = source
  const order = { site, publication, personal, marks: placeholders.marks, readerLanguages: languages }
  const variants = new Map<string, CompiledMail<Recipient>>()
  const addVariants = async (plans: readonly number[]): Promise<void> => {
    const access = { plans: new Set(plans) }
    const bodies = await threads.run(mailsJob, { ...order, access }, publication.content.length * languages.length)
    for (const [language, body] of bodies)
      variants.set(
        variantOf({ language, plans }, gates),
        new CompiledMail(placeholders, { fields, body }, { keys, at }),
      )
  }
  await addVariants([])
  const onTheWay = new Map<string, Promise<void>>()
  /** Readers who come at the same time wait for one rendering. */
  const addOnce = (recipient: Recipient): Promise<void> => {
    const variant = variantIn(publication.language, recipient)
    const adding = onTheWay.get(variant) ?? addVariants(recipient.plans ?? []).finally(() => onTheWay.delete(variant))
    onTheWay.set(variant, adding)
    return adding
  }
  const variantIn = (language: string, { plans = [] }: Recipient): string => variantOf({ language, plans }, gates)
  const mailFor = (recipient: Recipient): CompiledMail<Recipient> | undefined =>
    variants.get(variantIn(recipient.language, recipient)) ?? variants.get(variantIn(publication.language, recipient))
  const write = (recipient: Recipient): Message | Promise<Message> => {
    const raw = mailFor(recipient)?.rawFor(recipient)
    if (!raw) throw new Error(`no mail was compiled in ${publication.language}`)
    return raw instanceof Promise
      ? raw.then((signed) => enveloped(source, recipient, signed))
      : enveloped(source, recipient, raw)
  }
  return {
    gates,
    messageFor: (recipient) =>
      mailFor(recipient) ? write(recipient) : addOnce(recipient).then(() => write(recipient)),
    reuse: (recipient, { raw }) => mailFor(recipient)?.reuse(raw),
  }
}

function enveloped({ context, newsletter, publication, sender }: Source, recipient: Recipient, raw: Buffer): Message {
  const { subscriberId, email } = recipient
  const delivery = { newsletterId: newsletter.id, publicationId: publication.id, subscriberId }
  const from = returnPath(context.config, context.signer, delivery) ?? mailAddress(sender.address)
  return { from, to: mailAddress(email), raw, delivery }
}

async function personalise({
  context,
  newsletter,
  publication,
  placeholders,
}: Source): Promise<{ personal: PersonalText; gates: Gate[] }> {
  const { publicUrl } = context.config
  const newsletterId = newsletter.id
  const { content, isTest = false } = publication
  const {
    targets,
    sponsors,
    mergeTags: tags,
    gates,
  } = await context.threads.run(personalPartsJob, content, content.length)
  const counted = newsletter.click_privacy === 'off' ? [] : targets
  const of = { newsletterId, publicationId: publication.id }
  const ids = await shortenLinks(context.db, { ...of, targets: counted, isTest })
  const subscriberId = subscriberMark(placeholders)
  const namesReader = newsletter.click_privacy === 'person'
  const reader = namesReader || isTest ? `?s=${subscriberId}` : ''
  const links = new Map([...ids].map(([href, id]) => [href, `${publicUrl}/r/${id}${reader}`]))
  const led = [...targets, ...sponsors.map(({ target }) => target)]
  const optIns = new Set(await optInTargets(context, newsletterId, led))
  const coded = (address: string, target: string) =>
    optIns.has(target) ? withCode(address, optInCode(context, placeholders)) : address
  for (const href of targets) if (optIns.has(href)) links.set(href, coded(links.get(href) ?? href, href))
  const isCounted = newsletter.click_privacy !== 'off'
  const sponsorLinks = new Map(
    sponsors.map(({ linkId, target }) => [
      linkId,
      coded(isCounted ? `${publicUrl}/r/${linkId}${reader}` : target, target),
    ]),
  )
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
  const personal = {
    links,
    sponsorLinks,
    mergeTags,
    unsubscribeAddress: `${publicUrl}/unsub/${newsletterId}/${subscriberId}?p=${publication.id}`,
    readAddress:
      gates.length > 0
        ? readAddress(context.config, readToken({ context, newsletter, publication, placeholders }))
        : null,
    dataAddress: ownPageAddress(context.config, `${newsletterId}.${ownPageCode(context, placeholders)}`),
    canaryAddress:
      namesReader && ids.size + sponsorLinks.size > 0
        ? `${publicUrl}/r/${await canaryLink(context, { newsletterId, publicationId: publication.id })}${reader}`
        : null,
    pixelAddress: pixelAddresses[isTest && newsletter.open_privacy === 'counted' ? 'person' : newsletter.open_privacy](
      `${publicUrl}/o/${newsletterId}/${publication.id}`,
      subscriberId,
    ),
  }
  return { personal, gates }
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

/** In place of the second half of a token of `SubscriberLinks`, which is another one for each subscriber. */
function ownPageCode({ config, signer }: Source['context'], placeholders: Source['placeholders']): string {
  const links = new SubscriberLinks(config.secret, signer)
  return placeholders.mark('own page', ({ subscriberId }) => links.code(subscriberId), UUID_LENGTH)
}

/** Says whose mail it is to the page of a campaign, and to no other page. */
function optInCode({ config, signer }: Source['context'], placeholders: Source['placeholders']): string {
  const codes = new OptInCodes({ config, signer })
  return placeholders.mark('opt-in', ({ subscriberId }) => codes.code(subscriberId), UUID_LENGTH)
}

const withCode = (href: string, code: string): string => {
  const [address = '', hash] = href.split('#', 2)
  return `${address}${address.includes('?') ? '&' : '?'}${CODE}=${code}${hash === undefined ? '' : `#${hash}`}`
}

/** A token of `ReadLinks` in which only the code of the reader differs. */
function readToken({ context, newsletter, publication, placeholders }: Omit<Source, 'sender'>): string {
  const links = new ReadLinks(context).ofPublication(publication.id)
  const code = placeholders.mark('reader', ({ subscriberId }) => links.code(subscriberId), UUID_LENGTH)
  return mailedToken({ newsletterId: newsletter.id, publicationId: publication.id }, code)
}

function mergeValue({ name, email }: Recipient, field: string): string | null {
  if (field === 'name') return name
  if (field === 'first_name') return name && firstName(name)
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
    ['Subject', words('Subject', typeset(publication.subject || publication.title, publication.language))],
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
