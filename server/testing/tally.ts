import type { Entry } from './faulty-relay.ts'

/** What the ledger says of one recipient. */
export interface DeliveryRow {
  subscriberId: string
  email: string
  state: string
  attempts: number
}

/** Where the relay's own record and the ledger contradict each other: nothing, when all promises are kept. */
export interface Tally {
  /** Left behind, accepted without having arrived, or given up without a refusal. */
  lost: string[]
  /** Arrived whole once more after an arrival that was not refused. */
  repeated: string[]
  /** The relay said yes, and the ledger says neither accepted nor uncertain. */
  denied: string[]
  /** The text that arrived was another one's. */
  swapped: string[]
  uncertain: string[]
  /** More attempts are counted than were answered for the sake of the message: a limit of a connection is none. */
  overcounted: string[]
}

export function tally(publicationId: string, rows: DeliveryRow[], record: Entry[]): Tally {
  const entries = Map.groupBy(record, ({ to }) => to)
  const told = rows.map((row) => ({ ...row, entries: entries.get(row.email) ?? [] }))
  const emails = (found: DeliveryRow[]) => found.map(({ email }) => email)
  const saidYes = (heard: Entry[]) => heard.some(({ messageId, code }) => messageId !== null && code === 250)
  return {
    lost: emails(told.filter(({ state, entries: heard }) => isLost(state, heard, saidYes(heard)))),
    repeated: emails(told.filter(({ entries: heard }) => isRepeated(heard))),
    denied: emails(told.filter(({ state, entries: heard }) => saidYes(heard) && !/accepted|uncertain/.test(state))),
    swapped: emails(
      told.filter(({ subscriberId, entries: heard }) =>
        heard.some(({ messageId }) => messageId !== null && !messageId.startsWith(`${publicationId}.${subscriberId}@`)),
      ),
    ),
    uncertain: emails(told.filter(({ state }) => state === 'uncertain')),
    overcounted: emails(told.filter(({ state, attempts, entries: heard }) => isOvercounted(state, attempts, heard))),
  }
}

function isLost(state: string, heard: Entry[], saidYes: boolean): boolean {
  if (state === 'accepted') return !saidYes
  if (state === 'failed') return !heard.some(({ code, about }) => code !== null && code >= 500 && about === 'message')
  return state !== 'uncertain'
}

function isRepeated(heard: Entry[]): boolean {
  const whole = heard.filter(({ messageId }) => messageId !== null)
  const taken = whole.findIndex(({ code }) => code === null || code === 250)
  return taken >= 0 && taken < whole.length - 1
}

/** An uncertain one may have been cut before the whole text arrived, and the record knows nothing of it. */
const isOvercounted = (state: string, attempts: number, heard: Entry[]): boolean =>
  state !== 'uncertain' && attempts > heard.filter(({ about }) => about !== 'connection').length
