import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { verifyPassword as isByScrypt, hashPassword as scrypt } from 'better-auth/crypto'
import type { Db } from '../database/client.ts'

const argon2id = promisify(argon2)

/** Of RFC 9106 section 4, as OWASP advises for 19 MiB: memory in KiB, passes, lanes. A hash and a salt have 32 and 16 bytes. */
const MEMORY = 19_456
const PASSES = 2
const LANES = 1
const HASH_BYTES = 32
const SALT_BYTES = 16
const PREFIX = `$argon2id$v=19$m=${MEMORY},t=${PASSES},p=${LANES}$`

/** So many are computed at the same time, and take 19 MiB each; those of earlier versions took 32. */
const AT_ONCE = 2

/** The slow hashes of passwords: Argon2id, and scrypt of those that were set before (docs/decisions/password-hashes.md). */
export class PasswordHashes {
  #running = 0
  readonly #waiting: (() => void)[] = []

  constructor(private readonly db: Db) {}

  /** In the form of the PHC strings: `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. */
  readonly hash = (password: string): Promise<string> =>
    this.#inTurn(async () => {
      if (await this.#areSomeOld()) await scrypt(password)
      return argon(password, randomBytes(SALT_BYTES))
    })

  /** Takes as long for an old hash, for a new one, and as `hash` does, so that the time does not tell who has an account. */
  readonly verify = ({ hash, password }: { hash: string; password: string }): Promise<boolean> =>
    this.#inTurn(async () => {
      if (isOld(hash)) {
        await argon(password, randomBytes(SALT_BYTES))
        return isByScrypt({ hash, password })
      }
      if (await this.#areSomeOld()) await scrypt(password)
      const salt = Buffer.from(hash.slice(PREFIX.length).split('$')[0] ?? '', 'base64')
      return isSame(await argon(password, salt), hash)
    })

  /** Replaces the old hash of a password that was right a moment ago. One that was changed meanwhile stays. */
  async renew(email: string, password: string): Promise<void> {
    const account = await this.db
      .selectFrom('account')
      .innerJoin('user', 'user.id', 'account.user_id')
      .select(['account.id', 'account.password'])
      .where('user.email', '=', email.trim().toLowerCase())
      .where('account.provider_id', '=', 'credential')
      .executeTakeFirst()
    if (!account?.password || !isOld(account.password)) return
    const hash = await this.hash(password)
    const query = this.db.updateTable('account').set({ password: hash }).where('id', '=', account.id)
    await query.where('password', '=', account.password).execute()
  }

  async #areSomeOld(): Promise<boolean> {
    const query = this.db.selectFrom('account').select('id').where('provider_id', '=', 'credential')
    return (await query.where('password', 'not like', `${PREFIX}%`).limit(1).executeTakeFirst()) !== undefined
  }

  async #inTurn<T>(compute: () => Promise<T>): Promise<T> {
    if (this.#running < AT_ONCE) this.#running++
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await compute()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}

const isOld = (hash: string): boolean => !hash.startsWith(PREFIX)

async function argon(password: string, salt: Buffer): Promise<string> {
  const given = { message: password.normalize('NFKC'), nonce: salt, tagLength: HASH_BYTES }
  const hash = await argon2id('argon2id', { ...given, memory: MEMORY, passes: PASSES, parallelism: LANES })
  return `${PREFIX}${base64(salt)}$${base64(hash)}`
}

const base64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
