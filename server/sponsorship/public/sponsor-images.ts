import type { Context } from '../../context.ts'
import { AppError, type ErrorCode } from '../../errors.ts'
import type { SentFile } from '../../http/form-with-file.ts'
import { SharedLimit } from '../../http/limits.ts'
import { deleteRows } from '../../media/remove.ts'
import type { Uploading } from '../../media/routes.ts'
import { SPONSOR_UPLOADS } from '../../media/upload-limits.ts'
import type { BookingKey } from '../bookings/bookings.ts'
import { holdImage } from '../bookings/creative-image.ts'

const DAY_SECONDS = 86_400
const HOUR_SECONDS = 3_600

/** Why an image was not taken, as the page of a booking says it. */
export type ImageProblem = 'large' | 'type' | 'damaged' | 'heavy' | 'moves' | 'full' | 'busy' | 'limit' | 'away'

const problems: Partial<Record<ErrorCode, ImageProblem>> = {
  unsupported_media_type: 'type',
  image_invalid: 'damaged',
  image_too_heavy: 'heavy',
  image_moves: 'moves',
  media_full: 'full',
  too_many_requests: 'busy',
  storage_refuses: 'away',
  storage_away: 'away',
}

/** Images that sponsors upload without an account. They are those of the newsletter, and count in its quota. */
export class SponsorImages {
  readonly #uploading: Uploading
  readonly #counts: [SharedLimit, (key: BookingKey) => string][]

  constructor(
    private readonly context: Context,
    uploading: Uploading,
  ) {
    const { booking, newsletter, all } = SPONSOR_UPLOADS
    const limit = (name: string, points: number, seconds: number) =>
      new SharedLimit(context.pool, { name: `sponsor images ${name}`, points, seconds })
    this.#uploading = uploading
    this.#counts = [
      [limit('booking', booking, DAY_SECONDS), ({ bookingId }) => bookingId],
      [limit('newsletter', newsletter, HOUR_SECONDS), ({ newsletterId }) => newsletterId],
      [limit('all', all, HOUR_SECONDS), () => 'all'],
    ]
  }

  /** Takes a place for a file in memory, and returns what gives it back; null when too many are under way. */
  takePlace(key: BookingKey): (() => void) | null {
    try {
      return this.#uploading.places.takeForSponsor(key)
    } catch (error) {
      if (error instanceof AppError) return null
      throw error
    }
  }

  /** Stores an image, re-encoded, and returns its id, or why it was not taken. */
  async store(key: BookingKey, { data, name, isCut }: SentFile): Promise<{ mediaId: string } | ImageProblem> {
    if (isCut) return 'large'
    for (const [limit, keyOf] of this.#counts) if (!(await limit.admits(keyOf(key)))) return 'limit'
    try {
      const row = await this.#uploading.library.add({ ...key, personId: null, data, name })
      return { mediaId: row.id }
    } catch (error) {
      const problem = error instanceof AppError ? problems[error.code] : undefined
      if (problem) return problem
      throw error
    }
  }

  /** Keeps one for a booking until the words beside it are right. */
  async hold(key: BookingKey, mediaId: string): Promise<void> {
    const { db, now } = this.context
    await db.transaction().execute((tx) => holdImage(tx, key, { mediaId, shown: null, now: now() }))
  }

  /** Removes one whose words were not taken. */
  async remove({ newsletterId }: BookingKey, mediaId: string): Promise<void> {
    await this.context.db.transaction().execute((tx) => deleteRows(tx, newsletterId, [mediaId]))
  }
}
