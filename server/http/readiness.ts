import { setTimeout as sleep } from 'node:timers/promises'

/** What keeps a process from doing all of its work. */
export type Hindrance = 'database' | 'storage_full' | 'read_only' | 'descriptors' | 'storage_refuses' | 'storage_away'

export interface Probe {
  /** For so long its last result holds, however often it is asked for. */
  holdsMs: number
  /** What is reported when it does not answer in time. */
  late: Hindrance
  /** Tries it, and takes back what it has written. */
  try(): Promise<Hindrance | null>
}

const LONGEST_MS = 3_000

/** Whether the process can do its work now: what each probe found, asked again when its result is old. */
export class Readiness {
  readonly #results = new Map<Probe, { at: number; hindrance: Promise<Hindrance | null> }>()

  constructor(
    private readonly probes: Probe[],
    private readonly clock: () => number = () => performance.now(),
  ) {}

  /** Every hindrance once; empty when there is none. Answers within 3 seconds. */
  async hindrances(): Promise<Hindrance[]> {
    const found = await Promise.all(this.probes.map((probe) => this.#resultOf(probe)))
    return [...new Set(found.filter((each) => each !== null))]
  }

  #resultOf(probe: Probe): Promise<Hindrance | null> {
    const last = this.#results.get(probe)
    if (last && this.clock() - last.at < probe.holdsMs) return last.hindrance
    const hindrance = inTime(probe)
    this.#results.set(probe, { at: this.clock(), hindrance })
    return hindrance
  }
}

async function inTime(probe: Probe): Promise<Hindrance | null> {
  const over = new AbortController()
  const late = sleep(LONGEST_MS, probe.late, { signal: over.signal, ref: false }).catch(() => null)
  try {
    return await Promise.race([probe.try().catch(() => probe.late), late])
  } finally {
    over.abort()
  }
}
