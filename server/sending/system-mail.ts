import { uuidv7 } from '../database/ids.ts'
import { signingKeys } from '../domains/dkim-keys.ts'
import type { Job } from '../jobs/queue.ts'
import { domainOf, mailAddress, wireText } from '../mail/mime/address.ts'
import { CompiledMail, newBoundary } from '../mail/mime/compiled-mail.ts'
import { dateTime, type Field, mailbox, words } from '../mail/mime/fields.ts'
import { Placeholders } from '../mail/mime/segments.ts'
import type { Message, Outcome } from '../mail/relay.ts'
import { instanceMailIdentity, type MailIdentity, mailIdentityOf } from '../newsletters/mail-identity.ts'
import { findNewsletter } from '../newsletters/membership.ts'
import type { WithRelays } from '../relays/relays.ts'

/** One mail to one person: a confirmation, a sign-in link, an invitation. */
export interface SystemMail {
  to: string
  subject: string
  html: string
  text: string
  /** The newsletter it comes from, in its name and readable in its outbox; null for the instance's own mail. */
  newsletterId: string | null
}

declare module '../jobs/queue.ts' {
  interface Jobs {
    send_mail: SystemMail
  }
}

/** Sends one mail. The queue tries it again for hours while the relay defers it or cannot be reached. */
export function sendMailJob(context: WithRelays): Job<'send_mail'> {
  return async (mail) => {
    const outcome = await sendSystemMail(context, mail)
    if (outcome.kind === 'answered' && outcome.code < 400) return
    const refusal = `The mail “${mail.subject}” was not accepted: ${outcome.text}`
    // A permanent refusal (5xx) is not tried again.
    if (outcome.kind === 'answered' && outcome.code >= 500) context.log.error(refusal)
    else throw new Error(refusal)
  }
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
  const { config, db } = context
  const newsletter = mail.newsletterId ? await findNewsletter(db, mail.newsletterId) : null
  const sender = newsletter ? mailIdentityOf(config, newsletter) : instanceMailIdentity(config)
  const keys = newsletter ? await signingKeys(context, newsletter.id, sender.domain) : []
  const at = new Date()
  const written = { fields: fieldsOf(mail, sender, at), text: mail.text, html: mail.html, boundary: newBoundary() }
  const raw = await new CompiledMail(new Placeholders(), written, { keys, at }).rawFor(null)
  return send({ from: mailAddress(sender.address), to: mailAddress(mail.to), raw })
}

/** RFC 5322, with RFC 3834 against automatic answers. */
function fieldsOf({ to, subject, newsletterId }: SystemMail, sender: MailIdentity, at: Date): Field[] {
  const from = mailAddress(sender.address)
  return [
    ['From', mailbox('From', sender.name, from)],
    ...(sender.replyTo ? ([['Reply-To', mailbox('Reply-To', '', mailAddress(sender.replyTo))]] satisfies Field[]) : []),
    ['To', wireText(mailAddress(to))],
    ['Subject', words('Subject', subject)],
    ['Date', dateTime(at)],
    ['Message-ID', `<${uuidv7()}@${domainOf(from)}>`],
    ['Auto-Submitted', 'auto-generated'],
    ...(newsletterId ? ([['X-Tirage-Newsletter', newsletterId]] satisfies Field[]) : []),
  ]
}
