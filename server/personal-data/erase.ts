import { type Kysely, sql } from 'kysely'
import { endSubscriptionsOf } from '../charge/change.ts'
import { forgetEventsOf } from '../charge/payment-events/forget.job.ts'
import type { Db } from '../database/client.ts'
import type { DB } from '../database/types.ts'
import { enqueue } from '../jobs/queue.ts'
import { deleteQueuedMail, deleteQueuedMailOf } from '../sending/queued-mail.ts'
import { rememberErased } from '../subscribers/erased-addresses.ts'
import { deleteQueuedMoves } from '../subscribers/own-page/move.ts'
import { type Chaining, markErased } from '../subscribers/receipts/chain.ts'
import { findErased, findUserSubject } from './find.ts'
import { heldOfSubscribers, heldOfUsers } from './register.ts'

/**
 * Erases a subscriber with their receipts, and every mention elsewhere. What is counted stays as a number without a name, a
 * hash of each receipt stays in the chain, and a keyed hash of the address, so that nobody but its owner brings them back.
 *
 * @returns whether there was such a subscriber
 */
export const eraseSubscriber = (
  { db, ...chaining }: Chaining,
  { newsletterId, subscriberId }: { newsletterId: string; subscriberId: string },
): Promise<boolean> =>
  db
    .transaction()
    .execute(async (tx) => (await eraseSubscribers(tx, chaining, { newsletterId, subscriberIds: [subscriberId] })) > 0)

/** The same of several within a transaction, which holds the chain of receipts until it ends. @returns how many there were */
export async function eraseSubscribers(
  tx: Db,
  chaining: Omit<Chaining, 'db'>,
  asked: { newsletterId: string; subscriberIds: string[] },
): Promise<number> {
  const erased = await findErased(tx, asked)
  if (erased.subscriberIds.length === 0) return 0
  await markErased(tx, chaining, erased)
  await endSubscriptionsOf(tx, erased)
  await forgetEventsOf(tx, erased)
  await deleteQueuedMail(tx, erased)
  await deleteQueuedMoves(tx, erased)
  const { newsletterId, emails, subscriberIds } = erased
  await enqueue(tx, 'forget_caught_mail', { newsletterId, emails, subscriberIds, last: false })
  await rememberErased(tx, chaining.signer, erased)
  for (const { erase } of heldOfSubscribers) if (typeof erase === 'function') await erase(tx, erased)
  return erased.subscriberIds.length
}

/**
 * Erases a user. What they made for a newsletter stays with it, without their name. The caller sees to newsletters of
 * which they are the last owner.
 */
export async function eraseUser(tx: Db, userId: string): Promise<void> {
  const subject = await findUserSubject(tx, userId)
  if (!subject) return
  await deleteQueuedMail(tx, { emails: [subject.email], newsletterId: null })
  const caught = { newsletterId: null, emails: [subject.email], subscriberIds: [] }
  await enqueue(tx, 'forget_caught_mail', { ...caught, last: false })
  for (const { erase } of heldOfUsers) if (typeof erase === 'function') await erase(tx, subject)
}

/** Deletes a newsletter with everything in it. */
export function eraseNewsletter(db: Kysely<DB>, newsletterId: string): Promise<void> {
  return db.transaction().execute(async (tx) => {
    for (const { table, deletedWithNewsletter } of heldOfSubscribers) {
      if (deletedWithNewsletter)
        await sql`delete from ${sql.table(table)} where newsletter_id = ${newsletterId}`.execute(tx)
    }
    await deleteQueuedMailOf(tx, newsletterId)
    await enqueue(tx, 'remove_newsletter_files', { newsletterId })
    await tx.deleteFrom('newsletter').where('id', '=', newsletterId).execute()
  })
}
