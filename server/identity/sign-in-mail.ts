import type { Context } from '../context.ts'
import { SharedLimit } from '../http/limits.ts'
import { acceptedLanguage, defaultLanguage } from '../languages.ts'
import { translator } from '../translator.ts'
import { languageOf, send } from './account-mail.ts'
import { accountKey } from './guessing.ts'

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
  readonly #perAddress: SharedLimit

  constructor(private readonly context: Pick<Context, 'db' | 'pool'>) {
    this.#perAddress = new SharedLimit(context.pool, { name: 'sign-in mail', points: MAILS_AN_HOUR, seconds: 3600 })
  }

  async send(kind: MailKind, { email, userId, url, headers }: SignInLink): Promise<void> {
    const { db } = this.context
    if ((await this.#perAddress.wait(accountKey(email))) > 0) return
    const chosen = userId ? await languageOf(db, userId) : null
    const language = chosen ?? acceptedLanguage(headers?.get('accept-language') ?? undefined, defaultLanguage)
    const warns = kind === 'link' && (await hasUnprovenPassword(db, email))
    const t = translator(language)
    await send(db, email, {
      language,
      subject: t(`identity.mail.${kind}.subject`),
      title: t(`identity.mail.${kind}.title`),
      paragraphs: [t(`identity.mail.${kind}.text`), ...(warns ? [t('identity.mail.link.passwordGoes')] : [])],
      action: { label: t(`identity.mail.${kind}.action`), address: url },
    })
  }
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
