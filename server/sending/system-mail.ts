import { uuidv7 } from '../database/ids.ts'
import { signingKeys } from '../domains/dkim-keys.ts'
import type { NewsletterRow } from '../http/scope.ts'
import type { Job } from '../jobs/queue.ts'
import { readAnswer } from '../mail/answers/read-answer.ts'
import { domainOf, mailAddress, wireText } from '../mail/mime/address.ts'
import { CompiledMail } from '../mail/mime/compiled-mail.ts'
import { dateTime, type Field, mailbox, words } from '../mail/mime/fields.ts'
import { mailBody } from '../mail/mime/mail-body.ts'
import { Placeholders } from '../mail/mime/segments.ts'
import type { Message, Outcome } from '../mail/relay.ts'
import { instanceMailIdentity, type MailIdentity } from '../newsletters/mail-identity.ts'
import { findNewsletter } from '../newsletters/membership.ts'
import { provenIdentityOf } from '../newsletters/sender-proof.ts'
import { subscriberMark } from '../relays/forget-caught.job.ts'
import type { WithRelays } from '../relays/relays.ts'

/** One mail to one person: a sign-in link, an invitation. Confirmations have a queue of their own. */
export interface SystemMail {
  to: string
  subject: string
  html: string
  text: string
  /** The newsletter it comes from, in its name and readable in its outbox; null for the instance's own mail. */
  newsletterId: string | null
  /** The subscriber whom it is about: it is erased with them, wherever it went and whatever their address is by then. */
  subscriberId?: string
}

declare module '../jobs/queue.ts' {
  interface Jobs {
    send_mail: SystemMail
  }
}

/** Sends one mail. The queue tries it again for hours while the relay defers it or cannot be reached. */
export function sendMailJob(context: WithRelays): Job<'send_mail'> {
  return async (mail) => {
    if (isOfNobody(mail.to)) return
    const outcome = await sendSystemMail(context, mail)
    if (outcome.kind === 'answered' && outcome.code < 400) return
    const refusal = `The mail “${mail.subject}” was not accepted: ${outcome.text}`
    if (isRefusedForGood(outcome)) context.log.error(refusal)
    else throw new Error(refusal)
  }
}

/** A guest has no address yet; what stands in its place is below a name that never exists (RFC 6761). */
const isOfNobody = (address: string): boolean => domainOf(address).toLowerCase().endsWith('.invalid')

/** Whether it is the recipient who is refused, so that no later attempt can succeed. The relay or its quota may be mended. */
export function isRefusedForGood(outcome: Outcome): boolean {
  if (outcome.kind !== 'answered' || outcome.code < 500) return false
  const { code, text, command } = outcome
  const stage = command === 'MAIL FROM' || command === 'RCPT TO' ? command : 'DATA'
  const { concerns, lasting } = readAnswer({ stage, code, text })
  return concerns === 'recipient' && lasting === 'permanent'
}

/**
 * Sends one mail now.
 * @param send by which relay; without it, by the one that the balancer chooses
 * @returns the relay’s answer
 */
export async function sendSystemMail(
  context: WithRelays,
  mail: SystemMail,
  send = (message: Message) => context.relays.send(mail.newsletterId, message),
): Promise<Outcome> {
  const newsletter = mail.newsletterId ? await findNewsletter(context.db, mail.newsletterId) : null
  const placeholders = new Placeholders<string>()
  const compiled = await compileSystemMail(context, newsletter, {
    ...mail,
    ...(mail.subscriberId && { about: subscriberMark(context.signer, mail.subscriberId) }),
    placeholders,
    addressOf: (to) => to,
  })
  return send({ ...(await compiled.messageFor(mail.to)), urgent: true })
}

/** A mail in which only what differs between its recipients is left to be filled in. */
export interface CompiledSystemMail<Recipient> {
  /** A promise where it is signed. */
  messageFor(recipient: Recipient): Message | Promise<Message>
  /** The message was accepted and its bytes may be written over. */
  reuse(message: Message): void
}

interface Template<Recipient> extends Pick<SystemMail, 'subject' | 'html' | 'text'> {
  /** The mark of the subscriber whom it is about. */
  about?: string
  /** Those that `html` and `text` contain. */
  placeholders: Placeholders<Recipient>
  addressOf(recipient: Recipient): string
}

/** Makes a mail ready for any number of people. @param newsletter in whose name it is sent; null: the instance's */
export async function compileSystemMail<Recipient>(
  context: Pick<WithRelays, 'config' | 'db' | 'sealer' | 'relays'>,
  newsletter: NewsletterRow | null,
  template: Template<Recipient>,
): Promise<CompiledSystemMail<Recipient>> {
  const { config } = context
  const { text, html, placeholders, addressOf } = template
  const sender = newsletter ? await provenIdentityOf(context, newsletter) : instanceMailIdentity(config)
  const keys = await signingKeys(context, newsletter?.id ?? null, sender.domain)
  const fields = fieldsOf(template, sender, newsletter?.id ?? null)
  const body = mailBody({ text, html }, placeholders.marks)
  const mail = new CompiledMail(placeholders, { fields, body }, { keys, at: new Date() })
  const from = mailAddress(sender.address)
  const enveloped = (recipient: Recipient, raw: Buffer): Message => ({
    from,
    to: mailAddress(addressOf(recipient)),
    raw,
  })
  return {
    messageFor(recipient) {
      const raw = mail.rawFor(recipient)
      return raw instanceof Promise ? raw.then((signed) => enveloped(recipient, signed)) : enveloped(recipient, raw)
    },
    reuse: ({ raw }) => mail.reuse(raw),
  }
}

/** RFC 5322, with RFC 3834 against automatic answers. */
function fieldsOf<Recipient>(
  { subject, about, placeholders, addressOf }: Template<Recipient>,
  sender: MailIdentity,
  newsletterId: string | null,
): Field[] {
  const from = mailAddress(sender.address)
  return [
    ['From', mailbox('From', sender.name, from)],
    ...(sender.replyTo ? ([['Reply-To', mailbox('Reply-To', '', mailAddress(sender.replyTo))]] satisfies Field[]) : []),
    ['To', placeholders.mark('to', (recipient) => wireText(mailAddress(addressOf(recipient))))],
    ['Subject', words('Subject', subject)],
    ['Date', placeholders.mark('date', () => dateTime(new Date()))],
    ['Message-ID', `<${placeholders.mark('message id', () => uuidv7())}@${domainOf(from)}>`],
    ['Auto-Submitted', 'auto-generated'],
    ...(newsletterId ? ([['X-Tirage-Newsletter', newsletterId]] satisfies Field[]) : []),
    ...(about ? ([['X-Tirage-Subscriber', about]] satisfies Field[]) : []),
  ]
}
