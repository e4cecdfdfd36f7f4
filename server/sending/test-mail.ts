import { AppError } from '../errors.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { nobodysExit } from '../publications/preview.ts'
import { findPublication } from '../publications/queries.ts'
import { impersonal, renderable, renderMail } from '../publications/rendering.ts'
import type { WithRelays } from '../relays/relays.ts'
import { translator } from '../translator.ts'
import { sendSystemMail } from './system-mail.ts'

/**
 * Sends the saved version to members, now.
 *
 * @throws AppError invalid when an address is no member's, relay_refused or relay_unreachable with the relay's own words
 */
export async function sendTestMail(
  context: WithRelays,
  newsletter: NewsletterRow,
  { publicationId, addresses }: { publicationId: string; addresses: string[] },
): Promise<void> {
  const { db, config } = context
  await requireMembers(context, newsletter.id, addresses)
  const publication = await findPublication(db, newsletter.id, publicationId)
  const exit = nobodysExit(config, newsletter.id)
  const mail = await renderMail({ db, config, newsletter }, renderable(publication), { personal: impersonal(exit) })
  const t = translator(publication.language)
  const title = publication.subject || publication.title || t('publications.untitled')
  for (const to of addresses) {
    const { html, text } = mail
    const subject = t('publications.testSubject', { title })
    const outcome = await sendSystemMail(context, { to, subject, html, text, newsletterId: newsletter.id })
    if (outcome.kind !== 'answered' || outcome.code >= 400) {
      const code = outcome.kind === 'unreachable' ? 'relay_unreachable' : 'relay_refused'
      throw new AppError(code, { params: { answer: outcome.text } })
    }
  }
}

async function requireMembers({ db }: WithRelays, newsletterId: string, addresses: string[]): Promise<void> {
  const members = await db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.user_id')
    .select('user.email')
    .where('member.newsletter_id', '=', newsletterId)
    .execute()
  const known = new Set(members.map(({ email }) => email.toLowerCase()))
  const strangers = addresses.flatMap((to, index) => (known.has(to.toLowerCase()) ? [] : [`to.${index}`]))
  if (strangers.length > 0) {
    throw new AppError('invalid', { fields: Object.fromEntries(strangers.map((path) => [path, 'not_a_member'])) })
  }
}
