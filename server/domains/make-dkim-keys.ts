import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { publicId } from '../database/ids.ts'
import { AppError } from '../errors.ts'
import { SEAL_PURPOSE } from './dkim-keys.ts'
import { type Algorithm, publicKeyText } from './dkim-record.ts'

/** The size of new RSA keys. RFC 8301 requires at least 1024 bits; longer ones than 2048 do not fit every provider's form. */
const RSA_BITS = 2048

/** Four pairs: those in use, those that replace them, and the same for one more domain. */
export const MAX_KEYS = 8

// In the thread pool, since an RSA pair takes about 100 ms of one core.
const generatePair = promisify(generateKeyPair)

const formats = {
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
} as const

/**
 * Makes two keys for a domain: RSA, which every receiver reads, and Ed25519, which is stronger but which some receivers
 * do not read yet (RFC 8463). Neither signs before its record has been seen in DNS.
 *
 * @param newsletterId null: for the instance's own mail
 * @throws AppError too_many_dkim_keys
 */
export async function makeKeys(
  { db, sealer, now }: Pick<Context, 'db' | 'sealer' | 'now'>,
  newsletterId: string | null,
  domain: string,
): Promise<void> {
  const [rsa, ed25519] = await Promise.all([
    generatePair('rsa', { modulusLength: RSA_BITS, ...formats }),
    generatePair('ed25519', formats),
  ])
  const name = publicId(6).toLowerCase()
  const created_at = now()
  const row = (algorithm: Algorithm, selector: string, pair: typeof rsa) => ({
    newsletter_id: newsletterId,
    id: publicId(),
    domain,
    selector,
    algorithm,
    public_key: publicKeyText(algorithm, pair.publicKey),
    private_key: sealer.seal(SEAL_PURPOSE, pair.privateKey),
    created_at,
  })
  const rows = [row('rsa-sha256', `tirage-${name}`, rsa), row('ed25519-sha256', `tirage-${name}-ed`, ed25519)]
  await db.transaction().execute(async (tx) => {
    // The lock makes concurrent requests count each other's keys.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`dkim keys ${newsletterId ?? ''}`}, 0))`.execute(tx)
    const { count } = await tx
      .selectFrom('dkim_key')
      .select((e) => e.fn.countAll<string>().as('count'))
      .where('newsletter_id', 'is not distinct from', newsletterId)
      .executeTakeFirstOrThrow()
    if (Number(count) + rows.length > MAX_KEYS)
      throw new AppError('too_many_dkim_keys', { params: { count: MAX_KEYS } })
    await tx.insertInto('dkim_key').values(rows).execute()
  })
}
