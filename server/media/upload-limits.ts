/** The largest file that may be uploaded. */
export const MAX_UPLOAD_BYTES = 10 * 1024 * 1024

/** Larger images are kept at this size, in pixels. */
export const MAX_WIDTH = 1600
export const MAX_HEIGHT = 12_000

/** In all frames together, since a file of a few kilobytes can claim to be larger than any memory. */
export const MAX_PIXELS = 60_000_000

/** Of a moving image. */
export const MAX_FRAMES = 300

/** An image as it is kept. A moving one that is heavier at its own size is kept narrower. */
export const MAX_KEPT_BYTES = 5 * 1024 * 1024
export const NARROW_MOVING = 600

/** For decoding one image, in all. */
export const MAX_SECONDS = 20

/** By one newsletter, since decoding takes time and each image takes room on the disk. */
export const UPLOADS_AN_HOUR = 300
