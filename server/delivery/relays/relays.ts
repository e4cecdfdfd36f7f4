import type { Config } from '../../config.ts'
import type { Outbox } from '../outbox.ts'
import type { Message, Outcome, Relay } from '../relay.ts'
import { afterFailure, type Health, isResting, nothingLeft, well } from './health.ts'
import type { Choice, Turn } from './turn.ts'
import { CatchingRelay, environmentRelay } from './way-out.ts'

const BUSY_MS = 1_000

/** The ways out for every mail, bulk or single. */
export class Relays {
  readonly #catching: CatchingRelay
  readonly #environment: Relay | null
  #health: Health = well

  constructor(config: Pick<Config, 'smtpUrl' | 'dataDir' | 'publicUrl'>) {
    this.#catching = new CatchingRelay(config)
    this.#environment = config.smtpUrl ? environmentRelay(config.smtpUrl, config.publicUrl) : null
  }

  /** Mail that was caught on this machine. */
  get outbox(): Outbox {
    return this.#catching.outbox
  }

  /** Whether mail of this newsletter, or of the instance itself, has no way out and is caught. */
  async caught(_newsletterId: string | null): Promise<boolean> {
    return this.#environment === null
  }

  /** @param busy relays that the caller has no use for just now */
  async choose(_newsletterId: string | null, wanted: number, busy: ReadonlySet<Relay> = new Set()): Promise<Choice> {
    const now = Date.now()
    const { restingUntilMs, refused, answer, failures } = this.#health
    if (restingUntilMs !== null && isResting(this.#health, now)) {
      return { kind: 'wait', untilMs: restingUntilMs, reason: 'resting', refused, answer }
    }
    const relay = this.#environment ?? this.#catching
    if (busy.has(relay)) return { kind: 'wait', untilMs: now + BUSY_MS, reason: 'limit', refused: false, answer: null }
    return { kind: 'turn', turn: { relay, relayId: null, permits: failures > 0 ? 1 : wanted, everyMs: 0 } }
  }

  async giveBack(_turn: Turn, _unused: number): Promise<void> {}

  /** Health: what cannot be reached or refuses us rests; an answer heals. */
  told(_turn: Turn, outcome: Outcome): void {
    if (nothingLeft(outcome)) this.#health = afterFailure(this.#health, outcome, Date.now())
    else if (outcome.kind === 'answered') this.#health = well
  }

  /** What may go to each domain now; a domain that is not named has no limit. */
  async domainPermits(
    _turn: Turn,
    _wanted: ReadonlyMap<string, number>,
  ): Promise<Map<string, { permits: number; nextMs: number }>> {
    return new Map()
  }

  /** One mail, now: through another relay when nothing of it left. */
  async send(_newsletterId: string | null, message: Message): Promise<Outcome> {
    return (this.#environment ?? this.#catching).send(message)
  }

  async stop(): Promise<void> {
    this.#environment?.close()
    await this.#catching.stop()
  }
}
