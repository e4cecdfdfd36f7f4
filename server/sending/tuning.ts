/** The numbers that decide how a process sends. */
export interface Tuning {
  /** Deliveries claimed at once. A machine that lost its power may be unsure of twice as many for each relay. */
  batch: number
  leaseSeconds: number
  /** How long a relay may be out of reach, or the layout of its mail be refused, before the sending is paused and its owner is told. */
  patienceMs: number
  /** How often a process looks whether a sending was begun, paused or cancelled. */
  pollMs: number
  /** How often the results of a batch under way are written to the database. */
  recordMs: number
  /** Senders at the same time in one process. Each has up to two batches a relay, and they share its connections. */
  senders: number
  /** How long a sender may run while another sending waits. */
  sliceMs: number
}

export const defaultTuning: Tuning = {
  batch: 500,
  leaseSeconds: 60,
  patienceMs: 5 * 60_000,
  pollMs: 1_000,
  recordMs: 500,
  senders: 50,
  sliceMs: 30_000,
}
