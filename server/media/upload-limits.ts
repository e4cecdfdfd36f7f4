import { uploadLimits } from './contract.ts'

/** The largest file that may be uploaded. */
export const MAX_UPLOAD_BYTES = uploadLimits.bytes

/** Larger images are kept at this size, in pixels. */
export const MAX_WIDTH = 1600
export const MAX_HEIGHT = 12_000

/** In all frames together. */
export const MAX_PIXELS = uploadLimits.pixels

/** Of a moving image. */
export const MAX_FRAMES = 300

/** An image as it is kept. A moving one that is heavier at its own size is kept narrower. */
export const MAX_KEPT_BYTES = 5 * 1024 * 1024
export const NARROW_MOVING = 600

/** For decoding one image, in all. */
export const MAX_SECONDS = 20

/** By one newsletter, since decoding takes time and each image takes room on the disk. */
export const UPLOADS_AN_HOUR = 300

/** What may be in memory at the same time: uploads of this process, of one newsletter, of one person, of all who proved no address. */
export const UPLOADS_AT_ONCE = { process: 12, newsletter: 4, person: 4, unproven: 6 } as const

/** Of images that are fetched from another server: for one newsletter in an hour, and how long one may take. */
export const FETCHES_AN_HOUR = 120
export const FETCH_MS = 10_000

/** How many are fetched at the same time: by this process, for one newsletter. Slow servers must not hold up uploads. */
export const FETCHES_AT_ONCE = { process: 8, newsletter: 2 } as const

/** The same of sponsors, who have no account: of this process, of one newsletter, of one booking. */
export const SPONSOR_UPLOADS_AT_ONCE = { process: 4, newsletter: 2, booking: 1 } as const

/** What sponsors upload, counted by all processes together: for one booking in a day, for one newsletter and in all in an hour. */
export const SPONSOR_UPLOADS = { booking: 20, newsletter: 40, all: 200 } as const

/** Nobody uses an image for so long before it is removed. */
export const UNUSED_DAYS = 30

/** The values that the sentences of refusals name. */
export const limitsInWords = {
  megapixels: MAX_PIXELS / 1_000_000,
  frames: MAX_FRAMES,
  megabytes: MAX_KEPT_BYTES / 1024 ** 2,
} as const
