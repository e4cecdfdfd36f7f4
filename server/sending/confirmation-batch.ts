import { setTimeout as sleep } from 'node:timers/promises'
import type { Outcome } from '../mail/relay.ts'
import type { Grant } from '../relays/grant.ts'
import { failsForAll } from '../relays/health.ts'
import type { WithRelays } from '../relays/relays.ts'
import { messageOf } from '../start-error.ts'
import { confirmationState } from '../subscribers/confirm.ts'
import type { ConfirmationKind } from '../subscribers/confirmation.email.ts'
import {
  type ClaimedConfirmation,
  deferConfirmation,
  renewClaims,
  returnConfirmations,
} from '../subscribers/confirmation-queue.ts'
import type { CompiledConfirmations } from './compile-confirmations.ts'
import { isRefusedForGood } from './system-mail.ts'

/** An attempt more than these, and the mail is given up: about 16 hours after the request. */
const MAX_ATTEMPTS = 12
/** How long a claim lasts. It is renewed while its batch goes on, so it ends only with its process. */
export const LEASE_SECONDS = 60
const RENEW_MS = 20_000

/** Seconds until the next attempt: 3 seconds after the first, 6 hours after the tenth, as for other single mails. */
const retryDelay = (attempts: number): number => Math.exp(Math.min(10, attempts + 1))

interface Owner {
  /** Resolves when the mail is out of the queue. */
  accepted(mail: ClaimedConfirmation): Promise<unknown>
  /** From then on nothing more is begun. */
  signal: AbortSignal
}

/** Confirmation mails of one newsletter that are sent through one relay, side by side. */
export class ConfirmationBatch {
  #next = 0
  #startedAt = 0
  #relayFailed = false
  #leaseEnds: number
  readonly #returned: ClaimedConfirmation[] = []
  readonly #recording: Promise<unknown>[] = []

  constructor(
    private readonly context: WithRelays,
    private readonly grant: Grant,
    private readonly mails: ClaimedConfirmation[],
  ) {
    this.#leaseEnds = performance.now() + LEASE_SECONDS * 1000
  }

  /** Resolves when every result is in the database. */
  async run(compiled: CompiledConfirmations, owner: Owner): Promise<void> {
    this.#startedAt = performance.now()
    const renewing = setInterval(() => void this.#renew(), RENEW_MS)
    try {
      const lanes = Math.min(this.grant.relay.capacity, this.mails.length)
      const ended = await Promise.allSettled(Array.from({ length: lanes }, () => this.#sendOneByOne(compiled, owner)))
      if (this.#returned.length > 0) await returnConfirmations(this.context.db, this.#returned)
      await this.context.relays.release(this.grant, this.#returned.length)
      await Promise.all(this.#recording)
      const failed = ended.find((lane) => lane.status === 'rejected')
      if (failed) throw failed.reason
    } finally {
      clearInterval(renewing)
    }
  }

  async #sendOneByOne(compiled: CompiledConfirmations, owner: Owner): Promise<void> {
    for (let mail = this.mails[this.#next]; mail; mail = this.mails[this.#next]) {
      const index = this.#next
      this.#next += 1
      if (this.grant.everyMs > 0) await this.#waitForRate(index, owner)
      if (this.#mayBegin(owner)) await this.#send(mail, compiled, owner)
      else this.#returned.push(mail)
    }
  }

  /** The n-th message of a relay with a limit a second leaves when n of them may have left. */
  async #waitForRate(index: number, owner: Owner): Promise<void> {
    const wait = this.#startedAt + index * this.grant.everyMs - performance.now()
    if (wait > 1 && this.#mayBegin(owner)) await sleep(wait)
  }

  #mayBegin({ signal }: Owner): boolean {
    return !this.#relayFailed && !signal.aborted && performance.now() < this.#leaseEnds
  }

  async #send(mail: ClaimedConfirmation, compiled: CompiledConfirmations, owner: Owner): Promise<void> {
    const state = confirmationState(mail, this.context.now())
    // Who left, or was suppressed, after the request waits for no mail.
    if (state === 'expired') return this.#done(mail, owner)
    const template = await compiled.of(kindOf(state, mail), mail)
    const message = await template.messageFor(mail)
    const outcome = await this.grant.relay.send(message, () => this.#begin(owner))
    const result = this.#resultOf(mail, outcome)
    if (result === 'accepted') template.reuse(message)
    if (result === 'returned') this.#returned.push(mail)
    else if (result === 'deferred') this.#record(deferConfirmation(this.context.db, mail, retryDelay(mail.attempts)))
    else this.#done(mail, owner)
  }

  /** @throws Error when it must not be sent any more, which may be long after the relay was given the message */
  #begin({ signal }: Owner): void {
    if (signal.aborted || performance.now() >= this.#leaseEnds) throw new Error('The claim has ended')
  }

  #resultOf(mail: ClaimedConfirmation, outcome: Outcome): 'accepted' | 'returned' | 'deferred' | 'given up' {
    this.context.relays.recordOutcome(this.grant, outcome)
    if (outcome.kind === 'answered' && outcome.code < 400) return 'accepted'
    if (failsForAll(outcome)) {
      this.#relayFailed = true
      return 'returned'
    }
    if (!isRefusedForGood(outcome) && mail.attempts + 1 < MAX_ATTEMPTS) return 'deferred'
    this.context.log.error(`A confirmation mail was not accepted: ${outcome.text}`)
    return 'given up'
  }

  #done(mail: ClaimedConfirmation, owner: Owner): void {
    this.#record(owner.accepted(mail))
  }

  #record(recorded: Promise<unknown>): void {
    this.#recording.push(recorded)
    // Reported when the batch ends; until then nobody awaits it.
    recorded.catch(() => {})
  }

  async #renew(): Promise<void> {
    const leaseEnds = performance.now() + LEASE_SECONDS * 1000
    try {
      await renewClaims(this.context.db, this.mails, LEASE_SECONDS)
      this.#leaseEnds = leaseEnds
    } catch (error) {
      this.context.log.warn({ reason: messageOf(error) }, 'claims on confirmation mails could not be renewed')
    }
  }
}

const kindOf = (
  state: 'open' | 'confirmed',
  { is_added, is_members, opened }: ClaimedConfirmation,
): ConfirmationKind => {
  if (state === 'confirmed') return 'already'
  if (opened) return 'reads'
  if (is_added) return is_members ? 'member' : 'added'
  return 'confirm'
}
