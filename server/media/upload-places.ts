import { AppError } from '../errors.ts'
import { FETCHES_AT_ONCE, SPONSOR_UPLOADS_AT_ONCE, UPLOADS_AT_ONCE } from './upload-limits.ts'

interface Uploader {
  newsletterId: string
  /** Null for a key whose maker is gone. */
  personId: string | null
  isProven: boolean
}

/** What is taken, and how many may be at the same time. */
type Place = [name: string, most: number]

const RETRY_SECONDS = 10

/**
 * The uploads that this process has in memory. Who finds no place is refused before a byte of theirs is read, and people who have
 * proven no address can never take all of them.
 */
export class UploadPlaces {
  readonly #taken = new Map<string, number>()

  /**
   * Takes a place, and returns what gives it back.
   * @throws AppError too_many_requests
   */
  take({ newsletterId, personId, isProven }: Uploader): () => void {
    return this.#take([
      ['process', UPLOADS_AT_ONCE.process],
      [`newsletter ${newsletterId}`, UPLOADS_AT_ONCE.newsletter],
      ...(personId ? [[`person ${personId}`, UPLOADS_AT_ONCE.person] satisfies Place] : []),
      ...(isProven ? [] : [['unproven', UPLOADS_AT_ONCE.unproven] satisfies Place]),
    ])
  }

  /**
   * The same for an image that is fetched from another server, however slow that is.
   * @throws AppError too_many_requests
   */
  takeForFetch(newsletterId: string): () => void {
    return this.#take([
      ['fetches', FETCHES_AT_ONCE.process],
      [`fetches of ${newsletterId}`, FETCHES_AT_ONCE.newsletter],
    ])
  }

  /**
   * The same for a sponsor, whose places are apart from those of members.
   * @throws AppError too_many_requests
   */
  takeForSponsor({ newsletterId, bookingId }: { newsletterId: string; bookingId: string }): () => void {
    return this.#take([
      ['sponsors', SPONSOR_UPLOADS_AT_ONCE.process],
      [`sponsors of ${newsletterId}`, SPONSOR_UPLOADS_AT_ONCE.newsletter],
      [`sponsor ${bookingId}`, SPONSOR_UPLOADS_AT_ONCE.booking],
    ])
  }

  #take(places: Place[]): () => void {
    if (places.some(([name, most]) => this.#count(name) >= most)) {
      throw new AppError('too_many_requests', { params: { seconds: RETRY_SECONDS } })
    }
    for (const [name] of places) this.#taken.set(name, this.#count(name) + 1)
    return () => {
      for (const [name] of places) this.#release(name)
    }
  }

  #count = (name: string): number => this.#taken.get(name) ?? 0

  #release(name: string): void {
    if (this.#count(name) > 1) this.#taken.set(name, this.#count(name) - 1)
    else this.#taken.delete(name)
  }
}
