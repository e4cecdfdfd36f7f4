import { join } from 'node:path'
import type { Context } from '../context.ts'
import type { Db } from '../database/client.ts'
import { heldBy, record } from './deliveries.ts'
import { type Account, readJournals } from './journal.ts'
import type { Result } from './sending.ts'
import { reopenSending } from './state.ts'

export const journalFolder = (dataDir: string): string => join(dataDir, 'journal')

/** Puts into the database what processes that were killed left in this machine's journals. */
export const recoverJournals = ({ config, db }: Pick<Context, 'config' | 'db'>): Promise<void> =>
  readJournals(
    journalFolder(config.dataDir),
    (worker) => leaseIsOver(db, worker),
    (account) => settle(db, account),
  )

/** Who was answered has their answer, who was being written to is uncertain, all others go back to the queue. */
async function settle(db: Db, { sending, worker, results, begun, complete }: Account): Promise<void> {
  const told = new Set([...begun, ...results.map(({ subscriberId }) => subscriberId)])
  const others = (await heldBy(db, sending, worker)).filter((id) => !told.has(id))
  const unheard = [...begun.map(uncertain), ...others.map(complete ? untouched : uncertain)]
  await record(db, sending, { worker, results: [...results, ...unheard] })
  await reopenSending(db, sending)
}

const untouched = (subscriberId: string): Result => ({
  subscriberId,
  state: 'queued',
  answer: null,
  delaySeconds: 0,
  tried: false,
  hardBounce: false,
})

const uncertain = (subscriberId: string): Result => ({
  ...untouched(subscriberId),
  state: 'uncertain',
  answer: 'process_ended',
  tried: true,
})

async function leaseIsOver(db: Db, worker: string): Promise<boolean> {
  const held = await db
    .selectFrom('delivery')
    .select('subscriber_id')
    .where('claimed_by', '=', worker)
    .where('state', '=', 'claimed')
    .where('due_at', '>', new Date())
    .executeTakeFirst()
  return held === undefined
}
