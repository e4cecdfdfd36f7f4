import type { Db } from '../database/client.ts'
import { renderSystemMail } from '../email/render.ts'
import { enqueue } from '../jobs/queue.ts'
import { defaultLanguage, type Language } from '../languages.ts'
import { brandStyle, defaultAccent } from '../newsletters/branding.ts'
import { translator } from '../translator.ts'

/** The language that a user chose, or null. */
export async function languageOf(db: Db, userId: string): Promise<Language | null> {
  const query = db.selectFrom('profile').select('language').where('user_id', '=', userId)
  return (await query.executeTakeFirst())?.language ?? null
}

interface Addressee {
  userId: string
  email: string
}

/** Tells who has proven an address what was in the account before, so that nothing of a stranger's stays unseen. */
export async function takenBackMail(tx: Db, { userId, email }: Addressee): Promise<void> {
  const newsletters = await tx
    .selectFrom('newsletter')
    .innerJoin('member', 'member.newsletter_id', 'newsletter.id')
    .select('newsletter.name')
    .where('member.user_id', '=', userId)
    .where('newsletter.deleted_at', 'is', null)
    .orderBy('newsletter.name')
    .limit(20)
    .execute()
  const language = (await languageOf(tx, userId)) ?? defaultLanguage
  const t = translator(language)
  const names = newsletters.map(({ name }) => name).join(', ')
  await send(tx, email, {
    language,
    subject: t('identity.mail.takenBack.subject'),
    title: t('identity.mail.takenBack.title'),
    paragraphs: [
      t('identity.mail.takenBack.text'),
      ...(names ? [t('identity.mail.takenBack.newsletters', { names })] : []),
    ],
  })
}

/** Mails the code with which somebody without a password proves afresh who they are. */
export async function proofMail(db: Db, { userId, email }: Addressee, code: string): Promise<void> {
  const language = (await languageOf(db, userId)) ?? defaultLanguage
  const t = translator(language)
  await send(db, email, {
    language,
    subject: t('identity.mail.proof.subject'),
    title: code,
    paragraphs: [t('identity.mail.proof.text')],
  })
}

const notices = {
  two_factor_on: 'twoFactorOn',
  two_factor_off: 'twoFactorOff',
  passkey_added: 'passkeyAdded',
  passkey_removed: 'passkeyRemoved',
  password_changed: 'passwordChanged',
} as const

/** Tells a user that a way into their account has changed, in case it was not them. */
export async function noticeMail(db: Db, { userId, email }: Addressee, what: keyof typeof notices): Promise<void> {
  const language = (await languageOf(db, userId)) ?? defaultLanguage
  const t = translator(language)
  await send(db, email, {
    language,
    subject: t('identity.mail.notice.subject'),
    title: t('identity.mail.notice.title'),
    paragraphs: [t(`identity.mail.notice.${notices[what]}`), t('identity.mail.notice.notYou')],
  })
}

/** Tells an address that the account it opened was deleted. */
export async function deletedMail(db: Db, to: string, language: Language | null): Promise<void> {
  const t = translator(language ?? defaultLanguage)
  await send(db, to, {
    language: language ?? defaultLanguage,
    subject: t('identity.mail.deleted.subject'),
    title: t('identity.mail.deleted.title'),
    paragraphs: [t('identity.mail.deleted.text')],
  })
}

interface Letter {
  language: Language
  subject: string
  title: string
  paragraphs: string[]
  action?: { label: string; address: string }
}

/** Queues a mail of the instance itself. */
export async function send(
  db: Db,
  to: string,
  { language, subject, title, paragraphs, action }: Letter,
): Promise<void> {
  const { html, text } = renderSystemMail({
    t: translator(language),
    language,
    style: brandStyle(defaultAccent, 'gazette'),
    from: 'Tirage',
    title,
    preheader: paragraphs[0] ?? title,
    paragraphs,
    ...(action ? { action } : { after: [] }),
  })
  await enqueue(db, 'send_mail', { to, newsletterId: null, subject, html, text })
}
