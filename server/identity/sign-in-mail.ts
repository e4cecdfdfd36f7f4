import type { Context } from '../context.ts'
import { renderSystemMail } from '../email/render.ts'
import { Limit } from '../http/limits.ts'
import { hashToken } from '../http/signing.ts'
import { enqueue } from '../jobs/queue.ts'
import { acceptedLanguage, defaultLanguage, type Language } from '../languages.ts'
import { brandStyle, defaultAccent } from '../newsletters/branding.ts'
import { translator } from '../translator.ts'

interface Addressee {
  email: string
  userId: string | null
  url: string
}

const MAILS_AN_HOUR = 10

/** By database: what one address gets, from whatever networks it is asked for. */
const limits = new WeakMap<object, Limit>()

/**
 * Queues a mail with a link: to verify an address, to set a new password, or to sign in. An address that got many already
 * gets no more for a while, and nobody can tell from outside.
 */
export async function mailSignInLink(
  { db }: Pick<Context, 'db'>,
  kind: 'verify' | 'reset' | 'link',
  { email, userId, url }: Addressee,
  headers: Headers | undefined,
): Promise<void> {
  if (!(await mayGetMore(db, email))) return
  const chosen = userId ? await languageOf(db, userId) : null
  const language = chosen ?? acceptedLanguage(headers?.get('accept-language') ?? undefined, defaultLanguage)
  const warns = kind === 'link' && (await hasUnprovenPassword(db, email))
  await enqueue(db, 'send_mail', { to: email, newsletterId: null, ...signInMail(kind, language, url, warns) })
}

async function mayGetMore(db: Context['db'], email: string): Promise<boolean> {
  const limit = limits.get(db) ?? new Limit(MAILS_AN_HOUR, 3600)
  limits.set(db, limit)
  return limit.take(hashToken(email.toLowerCase()).toString('base64')).then(
    () => true,
    () => false,
  )
}

async function languageOf(db: Context['db'], userId: string): Promise<Language | null> {
  const query = db.selectFrom('profile').select('language').where('user_id', '=', userId)
  return (await query.executeTakeFirst())?.language ?? null
}

/**
 * Whether an account with this address has a password but never proved the address: somebody else may have set it, so
 * the first sign-in by mail removes it.
 */
async function hasUnprovenPassword(db: Context['db'], email: string): Promise<boolean> {
  const row = await db
    .selectFrom('account')
    .innerJoin('user', 'user.id', 'account.user_id')
    .select('account.id')
    .where('user.email', '=', email.toLowerCase())
    .where('user.email_verified', '=', false)
    .where('account.provider_id', '=', 'credential')
    .executeTakeFirst()
  return row !== undefined
}

function signInMail(kind: 'verify' | 'reset' | 'link', language: Language, address: string, warns: boolean) {
  const t = translator(language)
  const { html, text } = renderSystemMail({
    t,
    language,
    style: brandStyle(defaultAccent, 'gazette'),
    from: 'Tirage',
    title: t(`identity.mail.${kind}.title`),
    preheader: t(`identity.mail.${kind}.text`),
    paragraphs: [t(`identity.mail.${kind}.text`), ...(warns ? [t('identity.mail.link.passwordGoes')] : [])],
    action: { label: t(`identity.mail.${kind}.action`), address },
  })
  return { subject: t(`identity.mail.${kind}.subject`), html, text }
}
