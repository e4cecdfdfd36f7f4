import PostalMime from 'postal-mime'
import { isLoopback } from '../config.ts'
import { containing } from '../database/containing.ts'
import { testRecipientId } from '../database/ids.ts'
import { AppError } from '../errors.ts'
import { on, type Route } from '../http/routes.ts'
import { disarmMail } from '../http/shown-ids.ts'
import { framed } from '../page/framed.ts'
import { listOutbox, readOutboxMail } from './contract.ts'
import type { CaughtMail } from './outbox.ts'
import type { WithRelays } from './relays.ts'
import { uncounted } from './uncounted.ts'

/**
 * Mail that was caught on this machine because no relay is set. Its links act for its recipient, and so they work only for the
 * recipient, and for everybody on an instance that only this machine can open: there its owner tries out what subscribers see. Nobody who
 * reads it here is counted as its reader. The source is the mail as it was caught.
 */
export const outboxRoutes = ({ relays, config }: Pick<WithRelays, 'relays' | 'config'>): Route[] => [
  on(listOutbox, async ({ newsletterId, query, request }) => {
    const member = { newsletterId, email: request.caller?.user?.email ?? null }
    const readable = (await relays.outbox.list()).filter((mail) => mayRead(mail, member))
    const found = query.search ? readable.filter(having(query.search)) : readable
    const after = query.cursor ? found.filter(({ id }) => id < (query.cursor ?? '')) : found
    const rows = after.slice(0, query.limit)
    const next = after.length > rows.length ? (rows.at(-1)?.id ?? null) : null
    return {
      rows: rows.map(shown),
      next,
      caught: await relays.caught(newsletterId),
      total: found.length,
      kept: readable.length,
    }
  }),
  on(readOutboxMail, async ({ newsletterId, params, request }) => {
    const found = await relays.outbox.read(params.mailId)
    const member = { newsletterId, email: request.caller?.user?.email ?? null }
    if (!found || !mayRead(found.mail, member)) throw new AppError('mail_not_found')
    const whole = found.source.toString('utf8')
    const isTheirs = isOnlyTo(found.mail, member.email) || isLoopback(config.publicUrl)
    const source = isTheirs ? whole : disarmMail(whole, testRecipientId())
    const { html, text, headers } = await PostalMime.parse(source)
    return {
      ...shown(found.mail),
      html: html ? framed(uncounted(html, config)) : null,
      text: text ? uncounted(text, config) : null,
      headers: headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
      source,
    }
  }),
]

interface SignedInMember {
  newsletterId: string
  email: string | null
}

/**
 * A member may read the newsletter's own mail and mail that is addressed to the member alone. So nobody reads another
 * newsletter's mail or another person's sign-in link.
 */
const mayRead = (mail: CaughtMail, { newsletterId, email }: SignedInMember): boolean =>
  (mail.newsletterId !== null && mail.newsletterId === newsletterId) || isOnlyTo(mail, email)

function isOnlyTo({ envelope }: CaughtMail, email: string | null): boolean {
  const [only, ...more] = envelope.to
  return email !== null && more.length === 0 && only?.toLowerCase() === email.toLowerCase()
}

function having(search: string): (mail: CaughtMail) => boolean {
  const wanted = new RegExp(containing(search), 'iu')
  return ({ to, subject }) => [to, subject].some((text) => wanted.test(text.normalize('NFC')))
}

const shown = ({ id, from, to, subject, at, bytes }: CaughtMail) => ({ id, from, to, subject, at, bytes })
