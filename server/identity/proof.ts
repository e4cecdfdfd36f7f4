import { randomInt, timingSafeEqual } from 'node:crypto'
import type { Context } from '../context.ts'
import { uuidv7 } from '../database/ids.ts'
import { AppError } from '../errors.ts'
import { SharedLimit } from '../http/limits.ts'
import type { User } from '../http/scope.ts'
import { proofMail } from './account-mail.ts'
import { listPasskeys } from './passkeys.ts'
import type { TwoFactor } from './two-factor.ts'

const CODE_MS = 15 * 60_000
const DIGITS = 8

/** What somebody can prove with that it is them. A passkey proves by signing in with it again. */
export type ProofMethod = 'passkey' | 'code' | 'password' | 'mail'

interface Prover {
  user: Pick<User, 'id' | 'email' | 'isAnonymous'>
  sessionId: string
}

type Dependencies = Pick<Context, 'db' | 'pool' | 'signer' | 'now'> & {
  twoFactor: TwoFactor
  isPassword: (userId: string, password: string) => Promise<boolean>
}

/** Takes the fresh proof that acts with `freshProof` in their contract ask for (`http/fresh-proof.ts`). */
export class FreshProofs {
  readonly #attempts: SharedLimit
  readonly #mails: SharedLimit

  constructor(private readonly context: Dependencies) {
    this.#attempts = new SharedLimit(context.pool, { name: 'proof', points: 10, seconds: 900 })
    this.#mails = new SharedLimit(context.pool, { name: 'proof mail', points: 6, seconds: 3600 })
  }

  /** With two-factor on, a password alone proves nothing. A code by mail is for those who have nothing else. */
  async methodsOf({ id }: Pick<User, 'id'>): Promise<ProofMethod[]> {
    const { db } = this.context
    const has = await db
      .selectFrom('user')
      .select((e) => [
        e
          .exists(
            e
              .selectFrom('two_factor')
              .select('user_id')
              .where('user_id', '=', id)
              .where('confirmed_at', 'is not', null),
          )
          .as('codes'),
        e
          .exists(
            e
              .selectFrom('account')
              .select('id')
              .where('user_id', '=', id)
              .where('provider_id', '=', 'credential')
              .where('password', 'is not', null),
          )
          .as('password'),
      ])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const passkeys = await listPasskeys(db, id)
    return [
      ...(passkeys.length > 0 ? (['passkey'] as const) : []),
      has.codes ? 'code' : has.password ? 'password' : 'mail',
    ]
  }

  /** Mails a code that proves this session, in place of earlier ones. @throws AppError too_many_requests, other_proof */
  async mailCode({ user, sessionId }: Prover): Promise<void> {
    if (!(await this.methodsOf(user)).includes('mail')) throw new AppError('other_proof')
    await this.#mails.take(user.id)
    const { db, now } = this.context
    const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0')
    await db.transaction().execute(async (tx) => {
      await tx.deleteFrom('verification').where('identifier', '=', identifierOf(sessionId)).execute()
      const value = JSON.stringify({ email: user.email, hash: this.#hash(sessionId, code).toString('base64') })
      const expires_at = new Date(now().getTime() + CODE_MS)
      await tx
        .insertInto('verification')
        .values({ id: uuidv7(), identifier: identifierOf(sessionId), value, expires_at })
        .execute()
      await proofMail(tx, { userId: user.id, email: user.email }, `${code.slice(0, 4)} ${code.slice(4)}`)
    })
  }

  /** @throws AppError wrong_proof, wrong_code, too_many_requests, other_proof for a method that is not the user's */
  async prove({ user, sessionId }: Prover, { method, secret }: { method: ProofMethod; secret: string }): Promise<void> {
    if (!(await this.methodsOf(user)).includes(method)) throw new AppError('other_proof')
    await this.#attempts.take(user.id)
    if (method === 'code') await this.context.twoFactor.use(user.id, secret)
    else if (!(await this.#isRight({ user, sessionId }, { method, secret })))
      throw new AppError('wrong_proof', { field: 'secret' })
    await this.#attempts.forget(user.id)
    await this.context.db
      .updateTable('session')
      .set({ proven_at: this.context.now() })
      .where('id', '=', sessionId)
      .execute()
  }

  #isRight({ user, sessionId }: Prover, { method, secret }: { method: ProofMethod; secret: string }): Promise<boolean> {
    if (method === 'password') return this.context.isPassword(user.id, secret)
    if (method === 'mail') return this.#spendMailedCode(sessionId, secret)
    return Promise.resolve(false)
  }

  async #spendMailedCode(sessionId: string, code: string): Promise<boolean> {
    const { db, now } = this.context
    const row = await db
      .selectFrom('verification')
      .select(['id', 'value'])
      .where('identifier', '=', identifierOf(sessionId))
      .where('expires_at', '>', now())
      .executeTakeFirst()
    if (!row) return false
    const kept: unknown = JSON.parse(row.value)
    const hash = kept && typeof kept === 'object' && 'hash' in kept ? Buffer.from(String(kept.hash), 'base64') : null
    const given = this.#hash(sessionId, code.replaceAll(/\s/g, ''))
    if (!hash || hash.length !== given.length || !timingSafeEqual(hash, given)) return false
    const used = await db.deleteFrom('verification').where('id', '=', row.id).returning('id').executeTakeFirst()
    return used !== undefined
  }

  #hash(sessionId: string, code: string): Buffer {
    return this.context.signer.mac('mailed proof', `${sessionId} ${code}`)
  }
}

const identifierOf = (sessionId: string): string => `proof ${sessionId}`
