import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { addLine } from '../audit/lines.ts'
import type { Config } from '../config.ts'
import type { Db } from '../database/client.ts'
import { publicId } from '../database/ids.ts'
import type { DB } from '../database/types.ts'
import { renderSystemMail } from '../email/render.ts'
import { AppError } from '../errors.ts'
import type { NewsletterRow, User } from '../http/scope.ts'
import { hashToken } from '../http/signing.ts'
import { enqueue } from '../jobs/queue.ts'
import type { Role } from '../permissions.ts'
import type { WithRelays } from '../relays/relays.ts'
import { translator } from '../translator.ts'
import { logoOf } from './branded-page.tsx'
import { brandStyle } from './branding.ts'

const LASTS_DAYS = 7

interface InvitationRow {
  id: string
  email: string
  role: Role
  expires_at: Date
}

const present = ({ id, email, role, expires_at }: InvitationRow) => ({
  id,
  email,
  role,
  expiresAt: expires_at.toISOString(),
})

export async function listOpen(db: Db, newsletterId: string) {
  const rows = await db
    .selectFrom('invitation')
    .select(['id', 'email', 'role', 'expires_at'])
    .where('newsletter_id', '=', newsletterId)
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('created_at', 'desc')
    .execute()
  return rows.map(present)
}

/**
 * Invites an address. An earlier invitation to it stops working. Only the hash of the token is stored.
 * @throws AppError already_member
 */
export async function invite(
  { db, config, relays }: Pick<WithRelays, 'db' | 'config' | 'relays'>,
  newsletter: NewsletterRow,
  { email, role, inviterId }: { email: string; role: Role; inviterId: string | null },
) {
  const token = randomBytes(32).toString('base64url')
  const caught = await relays.caught(null)
  return db.transaction().execute(async (tx) => {
    // Locked, because two invitations of one address at the same moment would both stay open.
    await tx.selectFrom('newsletter').select('id').where('id', '=', newsletter.id).forUpdate().execute()
    await refuseMember(tx, newsletter.id, email)
    await tx
      .deleteFrom('invitation')
      .where('newsletter_id', '=', newsletter.id)
      .where(sql`lower(email)`, '=', email.toLowerCase())
      .where('accepted_at', 'is', null)
      .execute()
    const row = await tx
      .insertInto('invitation')
      .values({
        newsletter_id: newsletter.id,
        id: publicId(),
        email,
        role,
        token_hash: hashToken(token),
        invited_by: inviterId,
        expires_at: sql`now() + make_interval(days => ${LASTS_DAYS})`,
      })
      .returning(['id', 'email', 'role', 'expires_at'])
      .executeTakeFirstOrThrow()
    const link = `${config.publicUrl}/invitation/${token}`
    const mail = invitationMail(config, newsletter, { inviter: await nameOf(tx, inviterId), address: link })
    // Sent as the instance's own mail. In the newsletter's name, its other members could read the link in the outbox.
    await enqueue(tx, 'send_mail', { to: email, newsletterId: null, ...mail })
    return { ...present(row), link: caught ? link : null }
  })
}

async function refuseMember(db: Db, newsletterId: string, email: string): Promise<void> {
  const member = await db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.user_id')
    .select('user.id')
    .where('member.newsletter_id', '=', newsletterId)
    .where('user.email', '=', email.toLowerCase())
    .executeTakeFirst()
  if (member) throw new AppError('already_member')
}

async function nameOf(db: Db, userId: string | null): Promise<string | null> {
  if (!userId) return null
  const user = await db.selectFrom('user').select('name').where('id', '=', userId).executeTakeFirst()
  return user?.name || null
}

function invitationMail(
  config: Config,
  newsletter: NewsletterRow,
  { inviter, address }: { inviter: string | null; address: string },
) {
  const language = newsletter.language
  const t = translator(language)
  const names = { newsletter: newsletter.name, inviter: inviter ?? t('newsletters.mail.invitation.somebody') }
  const { html, text } = renderSystemMail({
    t,
    language,
    style: brandStyle(newsletter.accent, newsletter.pairing),
    from: newsletter.name,
    logo: logoOf(config, newsletter),
    title: t('newsletters.mail.invitation.title', names),
    preheader: t('newsletters.mail.invitation.text', names),
    paragraphs: [t('newsletters.mail.invitation.text', names)],
    action: { label: t('newsletters.mail.invitation.action'), address },
    postalAddress: newsletter.postal_address || null,
  })
  return { subject: t('newsletters.mail.invitation.subject', names), html, text }
}

/** @throws AppError invitation_not_found */
export async function withdraw(db: Db, newsletterId: string, id: string): Promise<{ email: string }> {
  const query = db.deleteFrom('invitation').where('newsletter_id', '=', newsletterId).where('id', '=', id)
  const withdrawn = await query.where('accepted_at', 'is', null).returning('email').executeTakeFirst()
  if (!withdrawn) throw new AppError('invitation_not_found')
  return withdrawn
}

/** The newsletter and role of an open invitation. @throws AppError invitation_not_found */
export async function show(db: Db, token: string) {
  const row = await db
    .selectFrom('invitation')
    .innerJoin('newsletter', 'newsletter.id', 'invitation.newsletter_id')
    .select(['newsletter.name', 'invitation.email', 'invitation.role'])
    .where('token_hash', '=', hashToken(token))
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .where('newsletter.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw new AppError('invitation_not_found')
  return { newsletterName: row.name, email: row.email, role: row.role }
}

/** Makes the user a member. An invitation works once. @throws AppError invitation_not_found, anonymous_cannot */
export function accept(
  db: Kysely<DB>,
  token: string,
  { user, network }: { user: User; network: string },
): Promise<{ newsletterId: string }> {
  if (user.isAnonymous) throw new AppError('anonymous_cannot')
  return db.transaction().execute(async (tx) => {
    const used = await tx
      .updateTable('invitation')
      .from('newsletter')
      .set({ accepted_at: sql`now()` })
      .whereRef('newsletter.id', '=', 'invitation.newsletter_id')
      .where('token_hash', '=', hashToken(token))
      .where('accepted_at', 'is', null)
      .where('expires_at', '>', sql<Date>`now()`)
      .where('newsletter.deleted_at', 'is', null)
      .returning(['invitation.newsletter_id', 'invitation.role'])
      .executeTakeFirst()
    if (!used) throw new AppError('invitation_not_found')
    await tx
      .insertInto('member')
      .values({ newsletter_id: used.newsletter_id, user_id: user.id, role: used.role })
      // Somebody who is a member already keeps their role.
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const line = {
      newsletterId: used.newsletter_id,
      act: 'invitation_accepted',
      actor: 'member',
      userId: user.id,
    } as const
    await addLine(tx, { ...line, network, detail: { role: used.role } })
    return { newsletterId: used.newsletter_id }
  })
}
