import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import pg from 'pg'
import type { Db } from '../../database/client.ts'
import { uuidv7 } from '../../database/ids.ts'
import type { DB } from '../../database/types.ts'
import type { Signer } from '../../http/signing.ts'
import { deleteJobs } from '../../jobs/payloads.ts'
import { enqueue, type Jobs } from '../../jobs/queue.ts'
import type { Address } from '../address.ts'
import { insertEvents, insertReceipts, receiptArrays, receiptColumns, type SubscriberKey } from '../change.ts'
import type { Receipt } from '../consent.ts'
import { rememberErased, wasErasedWhileStopped } from '../erased-addresses.ts'
import { MOVE_BACK_DAYS, type MoveKind } from './move-links.ts'

export interface Move extends SubscriberKey {
  /** The normalised address that the subscriber has. */
  from: string
  to: Address
  kind: MoveKind
}

/**
 * SQL that is true when the subscriber `s` may go: they are subscribed, mail to neither address was stopped, and the new one is nobody's
 * here. While a move can be taken back, there is no other: whoever had read the mail of the first address for a moment could else
 * move on to where its owner's link does not reach.
 */
function mayMove(signer: Signer, { newsletterId, subscriberId, from, to, kind }: Move): RawBuilder<SqlBool> {
  const stopped = wasErasedWhileStopped(signer, {
    newsletterId: sql`${newsletterId}::text`,
    normalised: sql`${to.normalised}::text`,
  })
  return sql`s.email_normalised = ${from} and s.status = 'active'
    and not exists (select from suppression x where x.newsletter_id = ${newsletterId}
      and x.email_normalised in (${from}, ${to.normalised}))
    and not exists (select from subscriber o where o.newsletter_id = ${newsletterId} and o.email_normalised = ${to.normalised})
    and not ${stopped}
    and (${kind === 'back'} or not exists (select from event e where e.newsletter_id = ${newsletterId}
      and e.subscriber_id = ${subscriberId} and e.kind = 'moved' and e.at > now() - ${MOVE_BACK_DAYS} * interval '24 hours'))`
}

/** Whether a subscription can go to an address now. */
export async function canMove(db: Db, signer: Signer, move: Move): Promise<boolean> {
  const { rows } = await sql`
    select from subscriber s
    where s.newsletter_id = ${move.newsletterId} and s.id = ${move.subscriberId} and ${mayMove(signer, move)}`.execute(
    db,
  )
  return rows.length > 0
}

/**
 * Takes a subscription with all its history to another address, with a receipt and an event, and has the address before told. That one
 * is remembered as an erased one is, so that no file with it brings it back.
 *
 * @returns whether it went: the address may have become somebody's, or mail to it may have been stopped
 */
export async function moveSubscriber(
  db: Kysely<DB>,
  signer: Signer,
  { told, ...move }: Move & { at: Date; receipt: Receipt; told: Jobs['mail_move'] },
): Promise<boolean> {
  try {
    return await db.transaction().execute(async (tx) => {
      const moved = await change(tx, signer, move)
      if (!moved) return false
      await rememberErased(tx, signer, { newsletterId: move.newsletterId, normalised: [move.from] })
      await enqueue(tx, 'mail_move', told)
      return true
    })
  } catch (error) {
    // Somebody subscribed with it at this moment.
    if (error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION) return false
    throw error
  }
}

const UNIQUE_VIOLATION = '23505'

async function change(
  tx: Db,
  signer: Signer,
  { at, receipt, ...move }: Move & { at: Date; receipt: Receipt },
): Promise<boolean> {
  const { newsletterId, subscriberId, to } = move
  const { rows } = await sql`
    with requested as (
      select r.*, null::text as publication_id from unnest(
        ${[newsletterId]}::text[], ${[subscriberId]}::uuid[], ${[at.toISOString()]}::timestamptz[],
        ${[uuidv7(at.getTime())]}::uuid[], ${[uuidv7(at.getTime())]}::uuid[], ${receiptArrays([{ receipt }])}
      ) as r (newsletter_id, subscriber_id, at, consent_id, event_id, ${receiptColumns})
    ),
    changed as (
      update subscriber s set email = ${to.typed}, email_normalised = ${to.normalised} from requested r
      where s.newsletter_id = r.newsletter_id and s.id = r.subscriber_id and ${mayMove(signer, move)}
      returning r.*
    ),
    receipts as (${insertReceipts('given', 'changed')}),
    events as (${insertEvents('moved', 'changed')})
    select subscriber_id from changed`.execute(tx)
  return rows.length > 0
}

/** Removes from the job queue what was to be mailed about moves of people. */
export const deleteQueuedMoves = (
  db: Db,
  { newsletterId, subscriberIds }: { newsletterId: string; subscriberIds: string[] },
): Promise<void> =>
  deleteJobs(
    db,
    'mail_move',
    sql<SqlBool>`payload ->> 'newsletterId' = ${newsletterId} and payload ->> 'subscriberId' = any(${subscriberIds}::text[])`,
  )
