import { join } from 'node:path'
import type { Context } from '../context.ts'
import { answerDeliveries, heldBy, isLeaseOver } from './claims.ts'
import { type JournalRecord, readJournals } from './journal.ts'
import type { Result } from './sending.ts'
import { reopenSending } from './state.ts'

export const journalFolder = (dataDir: string): string => join(dataDir, 'journal')

/** Records the journals that killed processes have left on this machine. */
export const recoverJournals = ({ config, db }: Pick<Context, 'config' | 'db'>): Promise<void> =>
  readJournals(
    journalFolder(config.dataDir),
    (worker) => isLeaseOver(db, worker),
    (record) => recover(db, record),
  )

/** Answers are recorded. Messages that were begun become uncertain. All others go back to the queue. */
async function recover(db: Context['db'], { sending, worker, results, begun, complete }: JournalRecord): Promise<void> {
  const known = new Set([...begun, ...results.map(({ subscriberId }) => subscriberId)])
  const others = (await heldBy(db, sending, worker)).filter((id) => !known.has(id))
  const unanswered = [...begun.map(uncertain), ...others.map(complete ? backToQueue : uncertain)]
  await answerDeliveries(db, sending, { worker, results: [...results, ...unanswered] })
  await reopenSending(db, sending)
}

const backToQueue = (subscriberId: string): Result => ({
  subscriberId,
  state: 'queued',
  answer: null,
  delaySeconds: 0,
  tried: false,
  gone: false,
})

const uncertain = (subscriberId: string): Result => ({
  ...backToQueue(subscriberId),
  state: 'uncertain',
  answer: 'process_ended',
  tried: true,
})
