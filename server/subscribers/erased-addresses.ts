import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../database/client.ts'
import type { Signer } from '../http/signing.ts'

/** An address of a newsletter, in its normal form; both are SQL. */
interface Address {
  newsletterId: RawBuilder<unknown>
  normalised: RawBuilder<unknown>
}

/** What stays of an erased address: SHA-256 of a key from SECRET, the newsletter and the address. */
const hashOf = (signer: Signer, { newsletterId, normalised }: Address): RawBuilder<Buffer> =>
  sql`sha256(${signer.mac('erased address', '')}::bytea || convert_to(${newsletterId} || ' ' || ${normalised}, 'UTF8'))`

/** SQL that is true for an address whose subscriber was erased. */
export const wasErased = (signer: Signer, address: Address): RawBuilder<SqlBool> =>
  sql`exists (select from erased_address e where e.newsletter_id = ${address.newsletterId} and e.hash = ${hashOf(signer, address)})`

/** The same for one of many addresses: where nobody was erased, none is hashed. */
export const wasErasedIfAny = (signer: Signer, address: Address): RawBuilder<SqlBool> =>
  sql`((select exists (select from erased_address where newsletter_id = ${address.newsletterId})) and ${wasErased(signer, address)})`

/** SQL that is true for an address whose subscriber was erased after mail to it had been stopped. */
export const wasErasedWhileStopped = (signer: Signer, address: Address): RawBuilder<SqlBool> =>
  sql`exists (select from erased_address e where e.newsletter_id = ${address.newsletterId} and e.hash = ${hashOf(signer, address)}
    and e.reason is not null)`

/** Whether the subscriber with this address was erased. */
export async function isErased(
  db: Db,
  signer: Signer,
  { newsletterId, normalised }: { newsletterId: string; normalised: string },
): Promise<boolean> {
  const address = { newsletterId: sql`${newsletterId}::text`, normalised: sql`${normalised}::text` }
  const { rows } = await sql<{ erased: boolean }>`select ${wasErased(signer, address)} as erased`.execute(db)
  return rows[0]?.erased ?? false
}

/** Keeps the hashes in place of the addresses: their suppressions go, and the reasons stay. */
export async function rememberErased(
  tx: Db,
  signer: Signer,
  { newsletterId, normalised }: { newsletterId: string; normalised: string[] },
): Promise<void> {
  const address = { newsletterId: sql`${newsletterId}::text`, normalised: sql`a.normalised` }
  await sql`
    with address as (
      select distinct normalised from unnest(${normalised}::text[]) as a (normalised)
    ),
    stopped as (
      delete from suppression x using address a
      where x.newsletter_id = ${newsletterId} and x.email_normalised = a.normalised returning a.normalised, x.reason
    )
    insert into erased_address (newsletter_id, hash, reason)
    select ${newsletterId}, ${hashOf(signer, address)}, s.reason
    from address a left join stopped s on s.normalised = a.normalised order by 2
    on conflict (newsletter_id, hash) do update set reason = coalesce(excluded.reason, erased_address.reason), at = now()`.execute(
    tx,
  )
}
