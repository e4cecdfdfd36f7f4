import { randomBytes } from 'node:crypto'
import { type ExpressionBuilder, sql } from 'kysely'
import { addLine } from '../audit/lines.ts'
import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import { publicId } from '../database/ids.ts'
import type { DB } from '../database/types.ts'
import { renderSystemMail } from '../email/render.ts'
import { AppError } from '../errors.ts'
import { hiddenKey, SharedLimit } from '../http/limits.ts'
import type { NewsletterRow, User } from '../http/scope.ts'
import { hashToken } from '../http/signing.ts'
import { languageOf } from '../identity/account-mail.ts'
import { requireRoomInNewsletter } from '../identity/limits-by-standing.ts'
import { enqueue } from '../jobs/queue.ts'
import type { Language } from '../languages.ts'
import type { Role } from '../permissions.ts'
import type { WithRelays } from '../relays/relays.ts'
import { translator } from '../translator.ts'
import { brandStyle, defaultAccent } from './branding.ts'
import { unlinkable } from './unlinkable.ts'

const LASTS_DAYS = 7

/** How often people are invited. Whoever is invited too often gets no mail, and whoever invites does not learn it. */
export class InvitationLimits {
  readonly #ofNewsletter: SharedLimit
  readonly #ofInviter: SharedLimit
  /** Over all newsletters. */
  readonly #ofAddress: SharedLimit

  constructor(private readonly context: Pick<Context, 'pool' | 'signer'>) {
    const { pool } = context
    this.#ofNewsletter = new SharedLimit(pool, { name: 'invitations in newsletter', points: 30, seconds: 3600 })
    this.#ofInviter = new SharedLimit(pool, { name: 'invitations by user', points: 60, seconds: 3600 })
    this.#ofAddress = new SharedLimit(pool, { name: 'invitations to address', points: 5, seconds: 24 * 3600 })
  }

  /** @throws AppError too_many_requests */
  async require(newsletterId: string, inviterId: string): Promise<void> {
    await this.#ofNewsletter.take(newsletterId)
    await this.#ofInviter.take(inviterId)
  }

  mayMail(email: string): Promise<boolean> {
    return this.#ofAddress.admits(hiddenKey(this.context.signer, email.toLowerCase()))
  }
}

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
    .where(isOpen)
    .orderBy('created_at', 'desc')
    .execute()
  return rows.map(present)
}

/**
 * Invites an address. An earlier invitation to it stops working. Only the hash of the token is stored.
 * @param mailed whether its mail is sent
 * @throws AppError already_member, too_many_invitations, too_many_requests
 */
export async function invite(
  { db, config, relays }: Pick<WithRelays, 'db' | 'config' | 'relays'>,
  newsletter: NewsletterRow,
  { email, role, inviterId, mailed }: { email: string; role: Role; inviterId: string; mailed: boolean },
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
    await requireRoomInNewsletter(tx, newsletter.id, 'invitations')
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
    const mail = invitationMail(newsletter, {
      ...{ inviter: await nameOf(tx, inviterId), role, address: link },
      language: (await languageAt(tx, email)) ?? newsletter.language,
    })
    // Sent as the instance's own mail. In the newsletter's name, its other members could read the link in the outbox.
    if (mailed) await enqueue(tx, 'send_mail', { to: email, newsletterId: null, ...mail })
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
  if (member) throw new AppError('already_member', { field: 'email' })
}

async function nameOf(db: Db, userId: string): Promise<string | null> {
  const user = await db.selectFrom('user').select('name').where('id', '=', userId).executeTakeFirst()
  return user?.name || null
}

/** The language of the account with this address, if there is one that chose it. */
async function languageAt(db: Db, email: string): Promise<Language | null> {
  const user = await db.selectFrom('user').select('id').where('email', '=', email.toLowerCase()).executeTakeFirst()
  return user ? languageOf(db, user.id) : null
}

/**
 * A mail of the instance to somebody who did not ask for it. So nothing in it can be chosen but two names, which are short, cannot
 * be clicked, and are not in its subject.
 */
function invitationMail(
  { name }: NewsletterRow,
  { inviter, role, language, address }: { inviter: string | null; role: Role; language: Language; address: string },
) {
  const t = translator(language)
  const names = {
    newsletter: unlinkable(name),
    inviter: unlinkable(inviter ?? '') || t('newsletters.mail.invitation.somebody'),
    role: t(`ui.role.${role}`),
  }
  const { html, text } = renderSystemMail({
    t,
    language,
    style: brandStyle(defaultAccent, 'gazette'),
    from: 'Tirage',
    title: t('newsletters.mail.invitation.title'),
    preheader: t('newsletters.mail.invitation.preheader'),
    paragraphs: [t('newsletters.mail.invitation.text', names), t('newsletters.mail.invitation.lasts')],
    after: [],
    action: { label: t('newsletters.mail.invitation.action'), address },
  })
  return { subject: t('newsletters.mail.invitation.subject'), html, text }
}

/** Not accepted, not expired, and whoever made it is still there. */
const isOpen = (e: ExpressionBuilder<DB, 'invitation'>) =>
  e.and([
    e('invitation.accepted_at', 'is', null),
    e('invitation.expires_at', '>', sql<Date>`now()`),
    e('invitation.invited_by', 'is not', null),
  ])

/** Ends the open invitations that somebody made who may no longer invite. */
export async function endInvitationsOf(tx: Db, newsletterId: string, userId: string): Promise<void> {
  const query = tx.deleteFrom('invitation').where('newsletter_id', '=', newsletterId).where('invited_by', '=', userId)
  await query.where('accepted_at', 'is', null).execute()
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
    .where(isOpen)
    .where('newsletter.deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw new AppError('invitation_not_found')
  return { newsletterName: row.name, email: row.email, role: row.role }
}

/**
 * Makes the user a member. An invitation works once, and only for the address that it was sent to.
 * @throws AppError invitation_not_found, anonymous_cannot, invitation_for_another; address_unproven, except while mail is caught,
 * because then nobody can prove an address
 */
export async function accept(
  { db, relays }: Pick<WithRelays, 'db' | 'relays'>,
  token: string,
  { user, network }: { user: User; network: string },
): Promise<{ newsletterId: string }> {
  if (user.isAnonymous) throw new AppError('anonymous_cannot')
  const { email } = await show(db, token)
  if (email.toLowerCase() !== user.email.toLowerCase())
    throw new AppError('invitation_for_another', { params: { email } })
  if (!user.emailVerified && !(await relays.caught(null))) throw new AppError('address_unproven')
  return db.transaction().execute(async (tx) => {
    const used = await tx
      .updateTable('invitation')
      .from('newsletter')
      .set({ accepted_at: sql`now()` })
      .whereRef('newsletter.id', '=', 'invitation.newsletter_id')
      .where('token_hash', '=', hashToken(token))
      .where('email', '=', email)
      .where(isOpen)
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
