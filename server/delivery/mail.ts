import MailComposer from 'nodemailer/lib/mail-composer'
import type { Context } from '../context.ts'
import { uuidv7 } from '../database/ids.ts'
import type { Job } from '../jobs/queue.ts'
import { findNewsletter } from '../newsletters/membership.ts'
import { instanceSender, type Sender, senderOf } from '../newsletters/sender.ts'
import type { Outcome } from './relay.ts'

/** One mail to one person: a confirmation, a sign-in link, an invitation, a test. */
export interface Mail {
  to: string
  subject: string
  html: string
  text: string
  /** The newsletter it comes from, in its name and readable in its outbox; null for the instance's own mail. */
  newsletterId: string | null
  replyTo?: string
  headers?: Record<string, string>
}

declare module '../jobs/queue.ts' {
  interface Jobs {
    send_mail: Mail
  }
}

/** Sends one mail; tried again for hours while the relay says later or cannot be reached. */
export function sendMailJob(context: Context): Job<'send_mail'> {
  return async (mail) => {
    const outcome = await sendMail(context, mail)
    if (outcome.kind === 'answered' && outcome.code < 400) return
    const refusal = `The mail “${mail.subject}” was not accepted: ${outcome.text}`
    // An answer that will not change is no reason to ask again.
    if (outcome.kind === 'answered' && outcome.code >= 500) context.log.error(refusal)
    else throw new Error(refusal)
  }
}

/** Hands one mail to the relay now and says what became of it. */
export async function sendMail({ config, db, mail: relays }: Context, mail: Mail): Promise<Outcome> {
  const newsletter = mail.newsletterId ? await findNewsletter(db, mail.newsletterId) : null
  const sender = newsletter ? senderOf(config, newsletter) : instanceSender(config)
  const raw = await compose(mail, sender)
  return relays.send(mail.newsletterId, { from: sender.address, to: mail.to, raw })
}

function compose({ to, subject, html, text, newsletterId, replyTo, headers }: Mail, sender: Sender): Promise<Buffer> {
  const answerTo = replyTo ?? sender.replyTo
  const composer = new MailComposer({
    from: { name: sender.name, address: sender.address },
    to,
    subject,
    html,
    text,
    ...(answerTo && { replyTo: answerTo }),
    messageId: `<${uuidv7()}@${sender.domain}>`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(newsletterId && { 'X-Tirage-Newsletter': newsletterId }),
      ...headers,
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return composer.compile().build() as Promise<Buffer>
}
