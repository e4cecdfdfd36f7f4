import type { Entry } from './faulty-relay.ts'

/** What the ledger says of one recipient. */
export interface DeliveryRow {
  subscriberId: string
  email: string
  state: string
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
  }
}

function isLost(state: string, heard: Entry[], saidYes: boolean): boolean {
  if (state === 'accepted') return !saidYes
  if (state === 'failed') return !heard.some(({ code }) => code !== null && code >= 500)
  return state !== 'uncertain'
}

function isRepeated(heard: Entry[]): boolean {
  const whole = heard.filter(({ messageId }) => messageId !== null)
  const taken = whole.findIndex(({ code }) => code === null || code === 250)
  return taken >= 0 && taken < whole.length - 1
}
