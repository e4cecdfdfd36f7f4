import type { Metadata, Sharp } from 'sharp'
import { AppError } from '../errors.ts'
import { MAX_HEIGHT, MAX_PIXELS, MAX_SECONDS, MAX_WIDTH } from './upload-limits.ts'

export interface StoredImage {
  data: Buffer
  mime: 'image/jpeg' | 'image/png' | 'image/gif'
  width: number
  height: number
}

const accepted: readonly [name: string, looksSo: (head: Buffer) => boolean][] = [
  ['png', (head) => head.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))],
  ['jpeg', (head) => head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff],
  ['gif', (head) => /^GIF8[79]a/.test(head.toString('latin1', 0, 6))],
  ['webp', (head) => head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP'],
  ['avif', (head) => /^ftypavi[fs]/.test(head.toString('latin1', 4, 12))],
]

/**
 * An uploaded image as it is kept: upright, without what the camera wrote into it, at most 1,600 pixels wide, and in a
 * format that every mail program shows: JPEG, PNG where it is one or is transparent, GIF where it moves.
 *
 * @throws AppError unsupported_media_type by its first bytes, whatever its name says; image_invalid
 */
export async function normalise(upload: Buffer): Promise<StoredImage> {
  if (!accepted.some(([, looksSo]) => looksSo(upload))) throw new AppError('unsupported_media_type')
  return decoding(async () => {
    const open = await opener()
    const metadata = await open(upload).metadata()
    const size = { width: MAX_WIDTH, height: MAX_HEIGHT, fit: 'inside', withoutEnlargement: true } as const
    return encode(open(upload).autoOrient().resize(size), formatFor(metadata))
  })
}

/** The same image, narrower. */
export const narrowed = (image: Buffer, mime: StoredImage['mime'], width: number): Promise<StoredImage> =>
  decoding(async () => {
    const open = await opener()
    return encode(open(image).resize({ width, withoutEnlargement: true }), mime)
  })

/** sharp takes 8 MB of memory, so it is loaded when there is an image. */
async function opener(): Promise<(data: Buffer) => Sharp> {
  const { default: sharp } = await import('sharp')
  const options = { limitInputPixels: MAX_PIXELS, animated: true, failOn: 'error' } as const
  return (data) => sharp(data, options).timeout({ seconds: MAX_SECONDS })
}

function formatFor({ pages = 1, width, height, pageHeight, hasAlpha, format }: Metadata): StoredImage['mime'] {
  if (width * (pageHeight ?? height) * pages > MAX_PIXELS) throw new Error('too many pixels')
  if (pages > 1) return 'image/gif'
  return hasAlpha || format === 'png' || format === 'gif' ? 'image/png' : 'image/jpeg'
}

async function encode(image: Sharp, mime: StoredImage['mime']): Promise<StoredImage> {
  const { data, info } = await inFormat(image, mime).toBuffer({ resolveWithObject: true })
  const { pages, pageHeight, width, height } = info
  return { data, mime, width, height: pageHeight ?? Math.round(height / (pages ?? 1)) }
}

function inFormat(image: Sharp, mime: StoredImage['mime']): Sharp {
  if (mime === 'image/gif') return image.gif({ effort: 3 })
  return mime === 'image/png' ? image.png({ compressionLevel: 9 }) : image.jpeg({ quality: 82, mozjpeg: true })
}

async function decoding<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw new AppError('image_invalid', { cause })
  }
}
