import { AppError } from '../errors.ts'

/** One call that runs. It may be left more than once. */
export interface Place {
  leave(): void
}

interface Waiting {
  who: string
  most: number
  admit(): void
}

/** The waiting calls of one person. Each may keep a body of some megabytes in memory. */
const MOST_WAITING = 24
/** Those of everybody. */
const MOST_WAITING_IN_ALL = 48
const PATIENCE_MS = 60_000

/** Lets a few calls run at the same time: so many in all, and so many for each person. Others wait, not too many and not for long. */
export class Gate {
  readonly #running = new Map<string, number>()
  readonly #waiting: Waiting[] = []
  #all = 0

  constructor(
    private readonly inAll: number,
    private readonly patienceMs = PATIENCE_MS,
  ) {}

  /**
   * @param most the calls of this person at the same time
   * @throws AppError too_many_requests when too many calls of this person wait, busy when too many wait or one waits too long
   */
  async enter(who: string, most: number): Promise<Place> {
    if (this.#isOpen(who, most)) return this.#admit(who)
    if (this.#waiting.filter((each) => each.who === who).length >= MOST_WAITING) {
      throw new AppError('too_many_requests', { params: { seconds: Math.ceil(this.patienceMs / 1000) } })
    }
    if (this.#waiting.length >= MOST_WAITING_IN_ALL) throw new AppError('busy')
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        who,
        most,
        admit: () => {
          clearTimeout(timer)
          resolve(this.#admit(who))
        },
      }
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        reject(new AppError('busy'))
      }, this.patienceMs)
      this.#waiting.push(waiting)
    })
  }

  #isOpen(who: string, most: number): boolean {
    return this.#all < this.inAll && (this.#running.get(who) ?? 0) < most
  }

  #admit(who: string): Place {
    this.#all += 1
    this.#running.set(who, (this.#running.get(who) ?? 0) + 1)
    let left = false
    return {
      leave: () => {
        if (left) return
        left = true
        this.#leave(who)
      },
    }
  }

  #leave(who: string): void {
    this.#all -= 1
    const still = (this.#running.get(who) ?? 1) - 1
    if (still > 0) this.#running.set(who, still)
    else this.#running.delete(who)
    const next = this.#waiting.findIndex((each) => this.#isOpen(each.who, each.most))
    if (next >= 0) this.#waiting.splice(next, 1)[0]?.admit()
  }
}
