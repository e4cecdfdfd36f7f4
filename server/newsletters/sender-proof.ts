import { timingSafeEqual } from 'node:crypto'
import { type Kysely, type SqlBool, sql } from 'kysely'
import type { Config } from '../config.ts'
import type { Db } from '../database/client.ts'
import { publicId } from '../database/ids.ts'
import type { DB } from '../database/types.ts'
import { renderSystemMail } from '../email/render.ts'
import { AppError } from '../errors.ts'
import type { NewsletterRow } from '../http/scope.ts'
import { hashToken } from '../http/signing.ts'
import { enqueue } from '../jobs/queue.ts'
import type { WithRelays } from '../relays/relays.ts'
import { readAddress } from '../subscribers/address.ts'
import { translator } from '../translator.ts'
import { brandStyle, defaultAccent } from './branding.ts'
import { instanceMailIdentity, type MailIdentity, mailDomain, mailIdentityOf } from './mail-identity.ts'
import { unlinkable } from './unlinkable.ts'

/**
 * How an address is proven for a newsletter: it is an owner's own proven address, the newsletter has a DKIM record in its domain, or
 * somebody who reads its mail gave the code that was sent there.
 */
type SenderProof = 'own' | 'domain' | 'mail'

export type SenderContext = Pick<WithRelays, 'db' | 'config' | 'relays'>
type Sender = Pick<NewsletterRow, 'id' | 'sender_address' | 'reply_to'>

const CODE_LENGTH = 8
const CODE_HOURS = 24
const MAX_ATTEMPTS = 10

const normalised = (address: string): string => readAddress(address)?.normalised ?? address.toLowerCase()
const domainIn = (address: string): string => address.slice(address.lastIndexOf('@') + 1)
const isWithin = (domain: string, other: string): boolean => domain === other || domain.endsWith(`.${other}`)

/**
 * Whether an address is the instance's own, or in its domain: that of PUBLIC_URL, and that of MAIL_FROM when PUBLIC_URL lies in it. A
 * provider of mail for everybody, as in `MAIL_FROM=me@gmail.com`, is not its domain.
 */
function isOfTheHouse(config: Config, address: string): boolean {
  const own = normalised(instanceMailIdentity(config).address)
  if (address === own) return true
  const domain = domainIn(address)
  const host = mailDomain(new URL(config.publicUrl).hostname)
  return isWithin(domain, host) || (isWithin(host, domainIn(own)) && isWithin(domain, domainIn(own)))
}

/** SQL: whether the address is the proven one of an owner of the newsletter. */
const isOwners = (newsletterId: unknown, address: unknown) => sql<SqlBool>`exists (
  select from member m join "user" u on u.id = m.user_id
  where m.newsletter_id = ${newsletterId} and m.role = 'owner' and u.email_verified and u.is_anonymous is not true
    and lower(u.email) = ${address})`

/** SQL: whether DNS was seen to hold a key of the newsletter for the domain. */
const isInDomain = (newsletterId: unknown, domain: unknown) => sql<SqlBool>`exists (
  select from dkim_key k where k.newsletter_id = ${newsletterId} and k.domain = ${domain}
    and k.verified_at is not null and k.retired_at is null)`

interface Proven {
  own: boolean
  domain: boolean
  mail: boolean
}

/** How an address is proven now, or null. */
async function proofOf(
  { db, config }: Pick<SenderContext, 'db' | 'config'>,
  newsletterId: string,
  typed: string,
): Promise<SenderProof | null> {
  const address = normalised(typed)
  const { rows } = await sql<Proven>`select ${isOwners(newsletterId, address)} as own,
    ${isInDomain(newsletterId, domainIn(address))} as domain,
    exists (select from sender_proof p where p.newsletter_id = ${newsletterId} and p.address = ${address}
      and p.proved_at is not null) as mail`.execute(db)
  const proven = rows[0]
  if (proven?.own) return 'own'
  if (proven?.domain && address !== normalised(instanceMailIdentity(config).address)) return 'domain'
  return proven?.mail && !isOfTheHouse(config, address) ? 'mail' : null
}

const addressesOf = ({ sender_address, reply_to }: Sender): string[] => [
  ...new Set([sender_address, reply_to].filter((address) => address !== null)),
]

async function listSenders(context: SenderContext, newsletter: Sender) {
  const senders = addressesOf(newsletter).map(async (address) => ({
    address,
    proof: await proofOf(context, newsletter.id, address),
  }))
  return { senders: await Promise.all(senders), needed: !(await context.relays.caught(newsletter.id)) }
}

/** The same, the address that mail comes from meanwhile, and what is scheduled. */
export async function presentSenders(context: SenderContext, newsletter: NewsletterRow) {
  const [found, { address }, scheduled] = await Promise.all([
    listSenders(context, newsletter),
    provenIdentityOf(context, newsletter),
    countScheduled(context.db, newsletter.id),
  ])
  return { ...found, comesFrom: address, scheduled }
}

async function countScheduled(db: Db, newsletterId: string): Promise<{ count: number; first: string | null }> {
  const { rows } = await sql<{ count: number; first: Date | null }>`
    select count(*)::integer as count, min(scheduled_at) as first from publication
    where newsletter_id = ${newsletterId} and state = 'scheduled' and channel = 'everywhere'`.execute(db)
  return { count: rows[0]?.count ?? 0, first: rows[0]?.first?.toISOString() ?? null }
}

/** Whether the newsletter may send in the name of its addresses. Also true while mail is caught: nothing leaves. */
export async function maySendAs(context: SenderContext, newsletter: Sender): Promise<boolean> {
  const { senders, needed } = await listSenders(context, newsletter)
  return !needed || senders.every(({ proof }) => proof !== null)
}

/** @throws AppError sender_unproven */
export async function requireSenders(context: SenderContext, newsletter: Sender): Promise<void> {
  if (!(await maySendAs(context, newsletter))) throw new AppError('sender_unproven')
}

/** The sender of mail that must not wait, such as confirmations: what is not proven is left out, and the instance sends in its place. */
export async function provenIdentityOf(context: SenderContext, newsletter: NewsletterRow): Promise<MailIdentity> {
  const { senders, needed } = await listSenders(context, newsletter)
  const proven = (address: string | null) =>
    !needed || senders.some((sender) => sender.address === address && sender.proof !== null) ? address : null
  const { sender_address, reply_to } = newsletter
  return mailIdentityOf(context.config, {
    ...newsletter,
    sender_address: proven(sender_address),
    reply_to: proven(reply_to),
  })
}

/**
 * Refuses the address of somebody else on this server: of the instance, or of a newsletter that has proven it and has other owners.
 * @throws AppError sender_reserved, sender_taken
 */
export async function refuseForeignSender(
  { db, config }: Pick<SenderContext, 'db' | 'config'>,
  newsletterId: string,
  { field, typed }: { field: string; typed: string },
): Promise<void> {
  const proof = await proofOf({ db, config }, newsletterId, typed)
  if (proof === 'own') return
  if (isOfTheHouse(config, normalised(typed)) && proof === null) throw new AppError('sender_reserved', { field })
  if (await isTaken(db, newsletterId, normalised(typed))) throw new AppError('sender_taken', { field })
}

async function isTaken(db: Db, newsletterId: string, address: string): Promise<boolean> {
  const id = sql.ref('n.id')
  const { rows } = await sql`select from newsletter n
    where n.id <> ${newsletterId} and n.deleted_at is null
      and not exists (select from member a join member b on b.user_id = a.user_id and b.newsletter_id = ${newsletterId}
        where a.newsletter_id = n.id and a.role = 'owner' and b.role = 'owner')
      and (exists (select from sender_proof p where p.newsletter_id = n.id and p.address = ${address} and p.proved_at is not null)
        or ${address} in (lower(n.sender_address), lower(n.reply_to))
          and (${isOwners(id, address)} or ${isInDomain(id, domainIn(address))}))
    limit 1`.execute(db)
  return rows.length > 0
}

/** Mails a code to a sender address. Only its hash is stored. One that belongs to others gets no mail, and nobody learns it. */
export async function askForProof(
  context: SenderContext,
  newsletter: NewsletterRow,
  { address: typed, mailed }: { address: string; mailed: boolean },
): Promise<void> {
  const address = normalised(typed)
  if (!addressesOf(newsletter).map(normalised).includes(address)) throw new AppError('not_found')
  const { db, config } = context
  if (!mailed || isOfTheHouse(config, address) || (await isTaken(db, newsletter.id, address))) return
  const code = publicId(CODE_LENGTH)
  await db.transaction().execute(async (tx) => {
    await sql`insert into sender_proof (newsletter_id, address, code_hash) values (${newsletter.id}, ${address}, ${hashToken(code)})
      on conflict (newsletter_id, address) do update set code_hash = excluded.code_hash, asked_at = now(), attempts = 0`.execute(
      tx,
    )
    await enqueue(tx, 'send_mail', { to: address, newsletterId: null, ...codeMail(newsletter, { address, code }) })
  })
}

/** Who only gets the answers of readers is asked about that: nothing is sent from there. */
function codeMail(newsletter: NewsletterRow, { address, code }: { address: string; code: string }) {
  const { name, language, sender_address } = newsletter
  const t = translator(language)
  const use = sender_address !== null && normalised(sender_address) === address ? 'sender' : 'replies'
  const { html, text } = renderSystemMail({
    t,
    language,
    style: brandStyle(defaultAccent, 'gazette'),
    from: 'Tirage',
    title: t('newsletters.mail.sender.title'),
    preheader: t(`newsletters.mail.${use}.preheader`),
    paragraphs: [t(`newsletters.mail.${use}.text`, { newsletter: unlinkable(name) }), code],
    after: [t(`newsletters.mail.${use}.warning`)],
  })
  return { subject: t('newsletters.mail.sender.subject'), html, text }
}

/** @throws AppError code_wrong, also for an old code and after ten wrong ones; sender_taken */
export function giveProof(
  db: Kysely<DB>,
  newsletterId: string,
  { address: typed, code }: { address: string; code: string },
): Promise<void> {
  const address = normalised(typed)
  return db.transaction().execute(async (tx) => {
    // Two newsletters with a code for one address would otherwise both see that no other has it.
    await sql`select pg_advisory_xact_lock(hashtextextended(${address}, 27))`.execute(tx)
    const { rows } = await sql<{ hash: Buffer }>`select code_hash as hash from sender_proof
      where newsletter_id = ${newsletterId} and address = ${address} and code_hash is not null and attempts <= ${MAX_ATTEMPTS}
        and asked_at > now() - make_interval(hours => ${CODE_HOURS})`.execute(tx)
    const hash = rows[0]?.hash
    if (!hash || !timingSafeEqual(hash, hashToken(code.trim()))) throw new AppError('code_wrong', { field: 'code' })
    if (await isTaken(tx, newsletterId, address)) throw new AppError('sender_taken')
    await sql`update sender_proof set proved_at = now(), code_hash = null
      where newsletter_id = ${newsletterId} and address = ${address}`.execute(tx)
  })
}

/** Counts a code that is about to be tried, whatever becomes of it. */
export async function countAttempt(db: Db, newsletterId: string, typed: string): Promise<void> {
  await sql`update sender_proof set attempts = least(attempts + 1, 100)
    where newsletter_id = ${newsletterId} and address = ${normalised(typed)}`.execute(db)
}
