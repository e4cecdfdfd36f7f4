import { randomBytes, randomInt } from 'node:crypto'
import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import { AppError } from '../errors.ts'
import { SharedLimit } from '../http/limits.ts'
import type { User } from '../http/scope.ts'
import { noticeMail } from './account-mail.ts'
import { recordEvent } from './events.ts'
import { base32, matchingStep, totpAddress } from './totp.ts'

const SECRET_BYTES = 20
const SEAL = 'two-factor secret'
const ATTEMPTS = 10
const ATTEMPT_SECONDS = 900
const RECOVERY_CODES = 10
/** Without characters that look alike. Fifteen of them have 74 bits. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'

type Dependencies = Pick<Context, 'db' | 'sealer' | 'signer' | 'pool' | 'now' | 'log'>

/** Codes of an authenticator app (TOTP, RFC 6238) and recovery codes. */
export class TwoFactor {
  readonly #attempts: SharedLimit

  constructor(private readonly context: Dependencies) {
    const limit = { name: 'code', points: ATTEMPTS, seconds: ATTEMPT_SECONDS }
    this.#attempts = new SharedLimit(context.pool, limit)
  }

  /**
   * Makes a secret, which counts once a code has confirmed it. An earlier one that was never confirmed ends.
   * @throws AppError two_factor_on
   */
  async prepare(user: Pick<User, 'id' | 'email'>): Promise<{ secret: string; qr: string }> {
    const { db, sealer } = this.context
    const secret = randomBytes(SECRET_BYTES)
    const sealed = sealer.seal(SEAL, secret.toString('base64'))
    const row = await db
      .insertInto('two_factor')
      .values({ user_id: user.id, secret: sealed })
      .onConflict((conflict) =>
        conflict.column('user_id').doUpdateSet({ secret: sealed }).where('two_factor.confirmed_at', 'is', null),
      )
      .returning('user_id')
      .executeTakeFirst()
    if (!row) throw new AppError('two_factor_on')
    const address = totpAddress({ secret, account: user.email, issuer: 'Tirage' })
    const { default: QRCode } = await import('qrcode')
    return { secret: base32(secret), qr: await QRCode.toString(address, { type: 'svg', margin: 2 }) }
  }

  /**
   * Turns two-factor on with a code of the secret that was prepared.
   * @returns the recovery codes, which are not readable again
   * @throws AppError wrong_code, too_many_requests, two_factor_on
   */
  async confirm(user: Pick<User, 'id' | 'email'>, code: string): Promise<string[]> {
    const { db } = this.context
    await this.#attempts.take(user.id)
    const row = await db.selectFrom('two_factor').selectAll().where('user_id', '=', user.id).executeTakeFirst()
    if (!row) throw new AppError('wrong_code', { field: 'code' })
    if (row.confirmed_at) throw new AppError('two_factor_on')
    const at = this.context.now()
    const step = matchingStep(this.#open(row.secret), digitsOf(code), { at, usedStep: row.last_step })
    if (step === null) throw new AppError('wrong_code', { field: 'code' })
    const codes = await db.transaction().execute(async (tx) => {
      const confirmed = await tx
        .updateTable('two_factor')
        .set({ confirmed_at: at, last_step: step })
        .where('user_id', '=', user.id)
        // The secret that was looked at, and not one that was prepared meanwhile.
        .where('secret', '=', row.secret)
        .where('confirmed_at', 'is', null)
        .returning('user_id')
        .executeTakeFirst()
      if (!confirmed) throw new AppError('two_factor_on')
      await noticeMail(tx, { userId: user.id, email: user.email }, 'two_factor_on')
      return this.#replaceCodes(tx, user.id)
    })
    await this.#attempts.forget(user.id)
    await recordEvent(this.context, { event: 'two_factor_on', userId: user.id })
    return codes
  }

  /**
   * Uses up a code of the app or a recovery code. Each works once, also for requests at the same moment.
   * @throws AppError wrong_code, too_many_requests
   */
  async use(userId: string, code: string): Promise<void> {
    await this.#attempts.take(userId)
    const right = /^\d{6}$/.test(digitsOf(code))
      ? await this.#spendStep(userId, digitsOf(code))
      : await this.#spendRecoveryCode(userId, code)
    if (!right) throw new AppError('wrong_code', { field: 'code' })
    await this.#attempts.forget(userId)
  }

  /** Makes new recovery codes, and the old ones end. @throws AppError two_factor_off */
  async renewCodes(userId: string): Promise<string[]> {
    const codes = await this.context.db.transaction().execute(async (tx) => {
      const on = await tx
        .selectFrom('two_factor')
        .select('user_id')
        .where('user_id', '=', userId)
        .where('confirmed_at', 'is not', null)
        .forUpdate()
        .executeTakeFirst()
      if (!on) throw new AppError('two_factor_off')
      return this.#replaceCodes(tx, userId)
    })
    await recordEvent(this.context, { event: 'recovery_codes_made', userId })
    return codes
  }

  async turnOff(user: Pick<User, 'id' | 'email'>): Promise<void> {
    const off = await this.context.db.transaction().execute(async (tx) => {
      await tx.deleteFrom('recovery_code').where('user_id', '=', user.id).execute()
      const removed = await tx
        .deleteFrom('two_factor')
        .where('user_id', '=', user.id)
        .returning('confirmed_at')
        .executeTakeFirst()
      if (!removed?.confirmed_at) return false
      await noticeMail(tx, { userId: user.id, email: user.email }, 'two_factor_off')
      return true
    })
    if (off) await recordEvent(this.context, { event: 'two_factor_off', userId: user.id })
  }

  async #spendStep(userId: string, code: string): Promise<boolean> {
    const { db, now } = this.context
    const row = await db
      .selectFrom('two_factor')
      .select(['secret', 'last_step'])
      .where('user_id', '=', userId)
      .where('confirmed_at', 'is not', null)
      .executeTakeFirst()
    if (!row) return false
    const step = matchingStep(this.#open(row.secret), code, { at: now(), usedStep: row.last_step })
    if (step === null) return false
    const used = await db
      .updateTable('two_factor')
      .set({ last_step: step })
      .where('user_id', '=', userId)
      .where('last_step', '<', step)
      .returning('user_id')
      .executeTakeFirst()
    return used !== undefined
  }

  async #spendRecoveryCode(userId: string, code: string): Promise<boolean> {
    const used = await this.context.db
      .deleteFrom('recovery_code')
      .where('user_id', '=', userId)
      .where('hash', '=', this.#hash(userId, code))
      .returning('user_id')
      .executeTakeFirst()
    if (used) await recordEvent(this.context, { event: 'recovery_code_used', userId })
    return used !== undefined
  }

  async #replaceCodes(tx: Db, userId: string): Promise<string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
    await tx.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
    const rows = codes.map((code) => ({ user_id: userId, hash: this.#hash(userId, code) }))
    await tx.insertInto('recovery_code').values(rows).execute()
    return codes
  }

  #open(sealed: Buffer): Buffer {
    return Buffer.from(this.context.sealer.open(SEAL, sealed), 'base64')
  }

  /** With a key of the instance, so that a stolen database does not let codes be tried. */
  #hash(userId: string, code: string): Buffer {
    return this.context.signer.mac('recovery code', `${userId} ${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`)
  }
}

const digitsOf = (code: string): string => code.replaceAll(/\s/g, '')

function newRecoveryCode(): string {
  const part = () => Array.from({ length: 5 }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  return [part(), part(), part()].join('-')
}

/** Since when two-factor is on, and how many recovery codes are left; null when it is off. */
export async function securityOf(db: Db, userId: string): Promise<{ since: string; recoveryCodes: number } | null> {
  const row = await db
    .selectFrom('two_factor')
    .select((e) => [
      'confirmed_at',
      e
        .selectFrom('recovery_code')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('user_id', '=', userId)
        .as('codes'),
    ])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.confirmed_at ? { since: row.confirmed_at.toISOString(), recoveryCodes: Number(row.codes ?? 0) } : null
}
