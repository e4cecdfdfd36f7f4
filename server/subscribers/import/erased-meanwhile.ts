import { sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import type { Signer } from '../../http/signing.ts'
import { wasErasedIfAny } from '../erased-addresses.ts'

/** Somebody was erased, or moved to another address, at the moment at which a batch added the address that they had. */
class ErasedMeanwhile extends Error {}

/**
 * Looks once more for erased addresses among those that the transaction has added. An erasure removes a subscriber and remembers their
 * address in one transaction, and whoever adds the address meanwhile waits for it at the unique key of addresses. The statement that
 * waited does not see what was remembered; this one, which begins afterwards, does.
 *
 * @throws ErasedMeanwhile
 */
export async function requireNobodyErased(
  tx: Db,
  signer: Signer,
  { newsletterId, normalised }: { newsletterId: string; normalised: string[] },
): Promise<void> {
  const address = { newsletterId: sql`${newsletterId}::text`, normalised: sql`a.normalised` }
  const { rows } = await sql`
    select from unnest(${normalised}::text[]) as a (normalised) where ${wasErasedIfAny(signer, address)} limit 1`.execute(
    tx,
  )
  if (rows.length > 0) throw new ErasedMeanwhile()
}

/** Tries a batch again that was rolled back because of it: then it finds that they are gone. */
export async function againIfErased(batch: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await batch()
    } catch (error) {
      if (!(error instanceof ErasedMeanwhile)) throw error
    }
  }
}
