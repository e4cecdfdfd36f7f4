import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../database/client.ts'
import { publicId } from '../../../database/ids.ts'
import type { DB } from '../../../database/types.ts'
import { AppError } from '../../../errors.ts'
import type { Recommendation } from '../contract.ts'
import { keepReasons } from '../reasons.ts'
import { oneOf, placeLast, requireRoom } from '../recommendations.ts'
import type { addRemoteRecommendation as adding, FoundNewsletter } from './contract.ts'
import { holdsSince, type ProvenDocument, readRemoteAddress, signedAt } from './document.ts'
import { addressOfRemote, readRemote } from './read.ts'
import { nextAttempt } from './renewal.ts'

type Deps = Pick<Context, 'config' | 'now'> & { db: Kysely<DB> }

/** What a newsletter of another server says of itself. @throws AppError as `readRemote` */
export async function findRemote(context: Deps, address: string): Promise<FoundNewsletter> {
  const document = await readRemote(context, addressOfRemote(context, address))
  const { name, description, language, subscribe, key } = document
  const clocks = { signedAt: signedAt(document).toISOString(), readAt: context.now().toISOString() }
  return { name, description, language, host: new URL(subscribe).host, url: subscribe, key, ...clocks }
}

/**
 * Recommends a newsletter of another server. Its key is kept, and no other one counts until the owner accepts it.
 * @throws AppError as `readRemote`; remote_changed, remote_older, recommended_already, too_many_recommendations
 */
export async function addRemote(
  context: Deps,
  newsletterId: string,
  { address, key, reasons }: z.output<typeof adding.body>,
): Promise<Recommendation> {
  const { db, config, now } = context
  const document = await readRemote(context, addressOfRemote(context, address))
  if (document.key !== key) throw new AppError('remote_changed')
  return db.transaction().execute(async (tx) => {
    await requireRoom(tx, newsletterId)
    const version = await insertOrRevive(tx, { newsletterId, document, now: now() })
    await placeLast(tx, version)
    await keepReasons(tx, version, reasons)
    return oneOf({ db: tx, config, now }, newsletterId, version.campaignId)
  })
}

interface Adding {
  newsletterId: string
  document: ProvenDocument
  now: Date
}

async function insertOrRevive(tx: Db, { newsletterId, document, now }: Adding) {
  const kept = await tx
    .selectFrom('remote_newsletter as m')
    .innerJoin('campaign as c', (join) =>
      join.onRef('c.newsletter_id', '=', 'm.newsletter_id').onRef('c.id', '=', 'm.id'),
    )
    .select(['c.id', 'c.version', 'c.withdrawn_at', 'm.key', 'm.signed_at'])
    .where('m.newsletter_id', '=', newsletterId)
    .where('m.document_url', '=', document.url)
    .executeTakeFirst()
  if (kept && kept.withdrawn_at === null) throw new AppError('recommended_already')
  const name = document.name
  if (kept) {
    refuseOlder(kept, document)
    const version = kept.version + 1
    await tx
      .updateTable('campaign')
      .set({ withdrawn_at: null, version, name })
      .where('newsletter_id', '=', newsletterId)
      .where('id', '=', kept.id)
      .execute()
    await keepDocument(tx, { newsletterId, campaignId: kept.id }, { document, now })
    return { newsletterId, campaignId: kept.id, version }
  }
  const key = { newsletter_id: newsletterId, id: publicId(10) }
  const campaign = { ...key, kind: 'recommendation', name, starts_at: now, created_at: now } as const
  await tx.insertInto('campaign').values(campaign).execute()
  await tx
    .insertInto('recommendation')
    .values({ ...key, position: 0 })
    .execute()
  await tx
    .insertInto('remote_newsletter')
    .values({ ...key, document_url: document.url, ...valuesOf(document, now) })
    .execute()
  return { newsletterId, campaignId: key.id, version: 1 }
}

/** Of the same key nothing older replaces what was read before. With another key its server may have another clock. @throws AppError remote_older */
function refuseOlder(kept: { key: string; signed_at: Date }, document: ProvenDocument): void {
  if (document.key === kept.key && signedAt(document) < kept.signed_at) throw new AppError('remote_older')
}

const valuesOf = ({ name, description, language, subscribe, key, iat }: ProvenDocument, now: Date) => ({
  ...{ name, description, language, key, subscribe_url: subscribe, new_name: null, new_key: null },
  ...{ signed_at: signedAt({ iat }), read_at: now, renewed_at: holdsSince({ iat }, now), refused: null },
  ...{ failures: 0, next_attempt_at: nextAttempt(now, 0, Math.random()) },
})

/** Keeps what a newsletter of another server says, name and key too. */
async function keepDocument(
  tx: Db,
  { newsletterId, campaignId }: { newsletterId: string; campaignId: string },
  { document, now }: { document: ProvenDocument; now: Date },
) {
  await tx
    .updateTable('remote_newsletter')
    .set(valuesOf(document, now))
    .where('newsletter_id', '=', newsletterId)
    .where('id', '=', campaignId)
    .execute()
}

/**
 * Takes over the name and key that the owner was shown, if they are still those of the document.
 * @throws AppError recommendation_not_found, remote_changed, remote_older; as `readRemote`
 */
export async function acceptChange(
  context: Deps,
  { newsletterId, campaignId }: { newsletterId: string; campaignId: string },
  shown: { name: string; key: string },
): Promise<Recommendation> {
  const { db, now } = context
  const kept = await db
    .selectFrom('remote_newsletter as m')
    .innerJoin('campaign as c', (join) =>
      join.onRef('c.newsletter_id', '=', 'm.newsletter_id').onRef('c.id', '=', 'm.id'),
    )
    .select(['m.document_url', 'm.key', 'm.signed_at'])
    .where('m.newsletter_id', '=', newsletterId)
    .where('m.id', '=', campaignId)
    .where('c.withdrawn_at', 'is', null)
    .executeTakeFirst()
  const asked = kept && readRemoteAddress(kept.document_url)
  if (!asked) throw new AppError('recommendation_not_found')
  const document = await readRemote(context, asked)
  if (document.key !== shown.key || document.name !== shown.name) throw new AppError('remote_changed')
  refuseOlder(kept, document)
  return db.transaction().execute(async (tx) => {
    await keepDocument(tx, { newsletterId, campaignId }, { document, now: now() })
    // Receipts and pages that were shown before have the words of their own version.
    await tx
      .updateTable('campaign')
      .set({ name: document.name })
      .where('newsletter_id', '=', newsletterId)
      .where('id', '=', campaignId)
      .execute()
    return oneOf({ ...context, db: tx }, newsletterId, campaignId)
  })
}
