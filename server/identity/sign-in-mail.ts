import type { Context } from '../context.ts'
import { renderSystemMail } from '../email/render.ts'
import { Limit } from '../http/limits.ts'
import { hashToken } from '../http/signing.ts'
import { enqueue } from '../jobs/queue.ts'
import { acceptedLanguage, defaultLanguage, type Language } from '../languages.ts'
import { brandStyle, defaultAccent } from '../newsletters/branding.ts'
import { translator } from '../translator.ts'

type MailKind = 'verify' | 'reset' | 'link'

interface SignInLink {
  email: string
  userId: string | null
  url: string
  /** Of the request that asked for the mail. */
  headers: Headers | undefined
}

const MAILS_AN_HOUR = 10

/**
 * Queues mails with a link: to verify an address, to set a new password, or to sign in. An address gets a limited number in an
 * hour, whatever networks ask for them. The caller does not learn when the limit is reached.
 */
export class SignInMailer {
  readonly #perAddress = new Limit(MAILS_AN_HOUR, 3600)

  constructor(private readonly context: Pick<Context, 'db'>) {}

  async send(kind: MailKind, { email, userId, url, headers }: SignInLink): Promise<void> {
    const { db } = this.context
    if (!(await this.#mayGetMore(email))) return
    const chosen = userId ? await languageOf(db, userId) : null
    const language = chosen ?? acceptedLanguage(headers?.get('accept-language') ?? undefined, defaultLanguage)
    const warns = kind === 'link' && (await hasUnprovenPassword(db, email))
    await enqueue(db, 'send_mail', { to: email, newsletterId: null, ...signInMail({ kind, language, url, warns }) })
  }

  #mayGetMore(email: string): Promise<boolean> {
    return this.#perAddress.take(hashToken(email.toLowerCase()).toString('base64')).then(
      () => true,
      () => false,
    )
  }
}

async function languageOf(db: Context['db'], userId: string): Promise<Language | null> {
  const query = db.selectFrom('profile').select('language').where('user_id', '=', userId)
  return (await query.executeTakeFirst())?.language ?? null
}

/**
 * Whether the account of this address has a password and the address was never proven. Somebody else may have set that
 * password, so the first sign-in by mail removes it.
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

interface SignInMail {
  kind: MailKind
  language: Language
  url: string
  /** Whether the mail warns that the password of this account will be removed. */
  warns: boolean
}

function signInMail({ kind, language, url, warns }: SignInMail) {
  const t = translator(language)
  const { html, text } = renderSystemMail({
    t,
    language,
    style: brandStyle(defaultAccent, 'gazette'),
    from: 'Tirage',
    title: t(`identity.mail.${kind}.title`),
    preheader: t(`identity.mail.${kind}.text`),
    paragraphs: [t(`identity.mail.${kind}.text`), ...(warns ? [t('identity.mail.link.passwordGoes')] : [])],
    action: { label: t(`identity.mail.${kind}.action`), address: url },
  })
  return { subject: t(`identity.mail.${kind}.subject`), html, text }
}
