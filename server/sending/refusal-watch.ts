/** Refusals and acceptances of earlier sendings. */
export interface History {
  accepted: number
  refused: number
}

/** Where nothing is known of a newsletter, a tenth of its addresses may be wrong. */
const USUAL_SHARE = 0.1
/** A newsletter whose addresses are often wrong is judged by its own history, up to this share. */
const MAX_USUAL_SHARE = 0.25
/** Earlier answers that count as much as one newsletter's history. */
const ENOUGH_HISTORY = 200
/** Natural logarithm of the odds at which a sending stops: nine million to one. */
const THRESHOLD = 16

/** So many answers without a suspicion prove a sending as one acceptance does: a relay may ask everybody to wait first. */
const PROVING_ANSWERS = 20

/** So many copies put off, without one that was taken, are evidence that the relay takes none. */
const TURNED_AWAY = 50

/** What a refusal speaks of. */
export type Refusal = 'address' | 'other'

/**
 * Says when the refusals of a sending are too many to be about its subscribers. A cumulative sum (E. S. Page, “Continuous
 * inspection schemes”, Biometrika 41, 1954) compares two explanations: the usual share of wrong addresses, and a share
 * halfway between that and all. A refusal adds the logarithm of their ratio, an acceptance takes some away, and the sum
 * never falls below zero, so that trouble is noticed in the middle of a million as quickly as at its beginning. A refusal
 * in words that speak of the address adds half as much as another.
 *
 * Without a history it takes 10 refusals in a row, or 19 that speak of the address. docs/feedback.md gives the odds.
 */
export class RefusalWatch {
  #sum = 0
  #answers = 0
  #accepted = false
  #turnedAway = 0
  #turnedAwaySince = 0
  readonly #refusalAdds: number
  readonly #acceptanceTakes: number
  readonly #trusting: boolean

  /** @param trusting refusals that speak of the address are believed, however many */
  constructor({ accepted, refused }: History, { trusting = false } = {}) {
    const known = accepted + refused
    const share = known < ENOUGH_HISTORY ? 0 : (2 * refused) / known
    const usual = Math.min(MAX_USUAL_SHARE, Math.max(USUAL_SHARE, share))
    const abnormal = (1 + usual) / 2
    this.#refusalAdds = Math.log(abnormal / usual)
    this.#acceptanceTakes = Math.log((1 - usual) / (1 - abnormal))
    this.#trusting = trusting
  }

  /** The sending has shown that its relay takes mail, so many may leave at once. */
  get isProven(): boolean {
    return this.#accepted || (this.#answers >= PROVING_ANSWERS && this.#sum === 0)
  }

  accepted(): void {
    this.#accepted = true
    this.#turnedAway = 0
    this.#sum = Math.max(0, this.#sum - this.#acceptanceTakes)
  }

  deferred(): void {
    this.#answers += 1
  }

  /**
   * Counts a copy that the relay turned away for now.
   *
   * @returns whether it has taken none of at least 50 for that long
   */
  turnedAway(nowMs: number, patienceMs: number): boolean {
    if (this.#turnedAway === 0) this.#turnedAwaySince = nowMs
    this.#turnedAway += 1
    return this.#turnedAway >= TURNED_AWAY && nowMs - this.#turnedAwaySince >= patienceMs
  }

  /** @returns whether the refusals are abnormal now */
  refused(of: Refusal): boolean {
    this.#answers += 1
    if (of === 'address' && this.#trusting) return false
    this.#sum += of === 'address' ? this.#refusalAdds / 2 : this.#refusalAdds
    return this.#sum >= THRESHOLD
  }
}
