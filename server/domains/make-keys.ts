import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import type { Context } from '../context.ts'
import { publicId } from '../database/ids.ts'
import { AppError } from '../errors.ts'
import { type Algorithm, publicKeyText } from './key-record.ts'
import { PURPOSE } from './keys.ts'

/** Four pairs: a domain in use, its next keys, and room for a change of domain. */
export const MAX_KEYS = 8

// Kept from the event loop: an RSA pair takes some 100 ms of a core, in the thread pool.
const generate = promisify(generateKeyPair)

const formats = {
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
} as const

/**
 * Makes a pair of keys for a domain: RSA of 2048 bits, which every receiver reads, and Ed25519, which is stronger and
 * which some do not read yet (RFC 8463). Neither signs before its record was seen.
 *
 * @throws AppError too_many_dkim_keys
 */
export async function makeKeys(
  { db, sealer, now }: Pick<Context, 'db' | 'sealer' | 'now'>,
  newsletterId: string,
  domain: string,
): Promise<void> {
  const [rsa, ed25519] = await Promise.all([
    generate('rsa', { modulusLength: 2048, ...formats }),
    generate('ed25519', formats),
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
    private_key: sealer.seal(PURPOSE, pair.privateKey),
    created_at,
  })
  const rows = [row('rsa-sha256', `tirage-${name}`, rsa), row('ed25519-sha256', `tirage-${name}-ed`, ed25519)]
  await db.transaction().execute(async (tx) => {
    // Whoever else makes keys for it now is counted.
    await tx.selectFrom('newsletter').select('id').where('id', '=', newsletterId).forUpdate().execute()
    const { count } = await tx
      .selectFrom('dkim_key')
      .select((e) => e.fn.countAll<string>().as('count'))
      .where('newsletter_id', '=', newsletterId)
      .executeTakeFirstOrThrow()
    if (Number(count) + rows.length > MAX_KEYS)
      throw new AppError('too_many_dkim_keys', { params: { count: MAX_KEYS } })
    await tx.insertInto('dkim_key').values(rows).execute()
  })
}
