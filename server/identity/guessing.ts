import type { Config } from '../config.ts'
import type { Context } from '../context.ts'
import { publicId } from '../database/ids.ts'
import { AppError } from '../errors.ts'
import { cookiePrefix } from '../http/cookie-prefix.ts'
import { SharedLimit } from '../http/limits.ts'
import { hashToken, type Signer } from '../http/signing.ts'

const YEAR_SECONDS = 365 * 24 * 3600
const DAY_MS = 24 * 3_600_000

/** What an account is counted under: the hash of its address, whether it exists or not. */
export const accountKey = (email: string): string => hashToken(email.trim().toLowerCase()).toString('base64url')

/**
 * Recognises devices on which somebody has signed in to an account before, by a signed cookie. Nothing is stored. Strangers who
 * guess cannot lock the owner out of such a device.
 */
export class KnownDevices {
  readonly cookieName: string
  readonly cookieOptions: { path: '/'; httpOnly: true; sameSite: 'lax'; secure: boolean; maxAge: number }

  constructor(
    private readonly signer: Signer,
    config: Pick<Config, 'publicUrl'>,
    private readonly now: () => Date,
  ) {
    this.cookieName = `${cookiePrefix(config)}.device`
    const secure = config.publicUrl.startsWith('https:')
    this.cookieOptions = { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge: YEAR_SECONDS }
  }

  /** The cookie of a device on which this account was signed in. */
  issue(email: string): string {
    const day = Math.floor(this.now().getTime() / DAY_MS)
    return this.signer.sign('known device', `${accountKey(email)}.${publicId(12)}.${day}`)
  }

  /** The device's id when this cookie was issued for the account within the last year, else null. */
  find(email: string, cookie: string | null | undefined): string | null {
    const value = cookie ? this.signer.open('known device', cookie) : null
    const [account, id, day] = value?.split('.') ?? []
    const age = this.now().getTime() / DAY_MS - Number(day)
    return account === accountKey(email) && id && age < YEAR_SECONDS / (24 * 3600) ? id : null
  }
}

const GUESSES = 10
const ACCOUNT_SECONDS = 3600
const DEVICE_SECONDS = 900

/**
 * Limits the passwords that are tried for one account, whatever networks they come from: ten an hour from devices that are not known,
 * and ten in fifteen minutes from each that is. An attempt is counted before the password is looked at, so attempts at the same
 * moment count too.
 */
export class PasswordGuesses {
  readonly #unknown: SharedLimit
  readonly #known: SharedLimit

  constructor(
    { pool }: Pick<Context, 'pool'>,
    private readonly devices: KnownDevices,
  ) {
    this.#unknown = new SharedLimit(pool, { name: 'password', points: GUESSES, seconds: ACCOUNT_SECONDS })
    this.#known = new SharedLimit(pool, { name: 'password on device', points: GUESSES, seconds: DEVICE_SECONDS })
  }

  /**
   * Counts one attempt.
   * @returns what to call when the password was right
   * @throws AppError too_many_guesses
   */
  async begin(email: string, cookie: string | null | undefined): Promise<() => Promise<void>> {
    const device = this.devices.find(email, cookie)
    const limit = device ? this.#known : this.#unknown
    const key = device ?? accountKey(email)
    const seconds = await limit.wait(key)
    if (seconds > 0) throw new AppError('too_many_guesses', { params: { seconds } })
    return () => limit.forget(key)
  }
}
