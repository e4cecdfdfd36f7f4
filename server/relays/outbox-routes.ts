import PostalMime from 'postal-mime'
import { AppError } from '../errors.ts'
import { on, type Route } from '../http/routes.ts'
import { framed } from '../page/framed.ts'
import { listOutbox, readOutboxMail } from './contract.ts'
import type { CaughtMail } from './outbox.ts'
import type { WithRelays } from './relays.ts'

/** Mail that was caught on this machine because no relay is set. */
export const outboxRoutes = ({ relays }: Pick<WithRelays, 'relays'>): Route[] => [
  on(listOutbox, async ({ newsletterId, query, request }) => {
    const member = { newsletterId, email: request.caller?.user?.email ?? null }
    const readable = (await relays.outbox.list()).filter((mail) => mayRead(mail, member) && matches(mail, query.search))
    const after = query.cursor ? readable.filter(({ id }) => id < (query.cursor ?? '')) : readable
    const rows = after.slice(0, query.limit)
    const next = after.length > rows.length ? (rows.at(-1)?.id ?? null) : null
    return { rows: rows.map(shown), next, caught: await relays.caught(newsletterId), total: readable.length }
  }),
  on(readOutboxMail, async ({ newsletterId, params, request }) => {
    const found = await relays.outbox.read(params.mailId)
    const member = { newsletterId, email: request.caller?.user?.email ?? null }
    if (!found || !mayRead(found.mail, member)) throw new AppError('mail_not_found')
    const { html, text, headers } = await PostalMime.parse(found.source)
    return {
      ...shown(found.mail),
      html: html ? framed(html) : null,
      text: text ?? null,
      headers: headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
      source: found.source.toString('utf8'),
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
function mayRead({ newsletterId, envelope }: CaughtMail, member: SignedInMember): boolean {
  if (newsletterId !== null && newsletterId === member.newsletterId) return true
  const [only, ...more] = envelope.to
  return member.email !== null && more.length === 0 && only?.toLowerCase() === member.email.toLowerCase()
}

function matches({ to, subject }: CaughtMail, search = ''): boolean {
  const wanted = search.toLowerCase()
  return to.toLowerCase().includes(wanted) || subject.toLowerCase().includes(wanted)
}

const shown = ({ id, from, to, subject, at, bytes }: CaughtMail) => ({ id, from, to, subject, at, bytes })
