import PostalMime from 'postal-mime'
import { StartError } from '../start-error.ts'
import type { Translate } from '../translator.ts'
import type { Outbox } from './outbox.ts'

interface Terminal {
  t: Translate
  say(line: string): void
}

/**
 * `tirage outbox ADDRESS`: the newest caught mail of the server itself to an address, such as a sign-in link. Without a relay it is the
 * way in for an owner who signed out before they confirmed their address: the outbox in the browser is behind the sign-in.
 * @throws StartError without an address, or when no such mail is kept
 */
export async function outboxCommand(outbox: Outbox, args: string[], { t, say }: Terminal): Promise<void> {
  const email = args.join(' ').trim().toLowerCase()
  if (!email) throw new StartError(t('cli.outbox.whose'))
  const mails = await outbox.list()
  const mail = mails.find(({ newsletterId, envelope }) => newsletterId === null && isTo(envelope.to, email))
  const kept = mail && (await outbox.read(mail.id))
  if (!kept) throw new StartError(t('cli.outbox.none', { email }))
  const { subject = '', text = '' } = await PostalMime.parse(kept.source)
  say(`${subject}\n\n${text.trim()}`)
}

const isTo = (addresses: string[], email: string): boolean => addresses.some((one) => one.toLowerCase() === email)
