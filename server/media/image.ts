import sharp, { type Metadata, type Sharp } from 'sharp'
import { isPng, withoutTexts } from './png.ts'
import {
  MAX_FRAMES,
  MAX_HEIGHT,
  MAX_KEPT_BYTES,
  MAX_PIXELS,
  MAX_SECONDS,
  MAX_WIDTH,
  NARROW_MOVING,
} from './upload-limits.ts'

// Runs in the process of decoder-process.ts only: what decodes the file of a stranger may be exhausted or taken over by it.

export interface StoredImage {
  data: Buffer
  mime: ShownType
  width: number
  height: number
}

/** Of an image as it is kept, and as mail shows it. */
type ImageType = 'image/jpeg' | 'image/png' | 'image/gif'
/** Pages show a still image in a lighter format, which many mail programs do not know. */
export const pageType = 'image/webp'
export type ShownType = ImageType | typeof pageType

/** Why an image is refused: it cannot be decoded, it is too much to be kept, or it moves where none may. */
export type Refusal = 'image_invalid' | 'image_too_heavy' | 'image_moves'

/** A refusal, in words that a program reads. */
export class ImageRefused extends Error {
  readonly code: Refusal

  constructor(code: Refusal) {
    super(code)
    this.code = code
  }
}

/**
 * An uploaded image as it is kept: upright, without what the camera wrote into it, at most 1,600 pixels wide, and in a
 * format that every mail program shows: JPEG, PNG where it is one or is transparent, GIF where it moves.
 *
 * @throws ImageRefused when it has too many pixels or frames, or moves though it must be `still`; errors of the decoder
 */
export async function normalise(
  upload: Buffer<ArrayBufferLike>,
  { still = false }: { still?: boolean } = {},
): Promise<StoredImage> {
  const data = isPng(upload) ? withoutTexts(upload) : upload
  // Asked for without a limit, since only the head is read for it, so that a refusal can say why.
  const metadata = await sharp(data, { limitInputPixels: false, animated: true }).metadata()
  if (still && (metadata.pages ?? 1) > 1) throw new ImageRefused('image_moves')
  const mime = formatFor(metadata)
  const kept = await keep(data, mime, MAX_WIDTH)
  if (kept.data.length <= MAX_KEPT_BYTES) return kept
  const smaller = mime === 'image/gif' ? await keep(data, mime, NARROW_MOVING) : kept
  if (smaller.data.length > MAX_KEPT_BYTES) throw new ImageRefused('image_too_heavy')
  return smaller
}

const keep = (data: Buffer<ArrayBufferLike>, mime: ImageType, width: number) =>
  encode(open(data).autoOrient().resize({ width, height: MAX_HEIGHT, fit: 'inside', withoutEnlargement: true }), mime)

/** The same image, at most so wide. */
export function narrowed(image: Buffer<ArrayBufferLike>, mime: ShownType, width: number): Promise<StoredImage> {
  const narrow = open(image).resize({ width, withoutEnlargement: true })
  return mime === pageType ? lightest(image, narrow) : encode(narrow, mime)
}

/**
 * For a page: photographs and drawings each have a way of encoding that is several times lighter than the others, and which it is one sees by
 * trying. A drawing of a few inks has no more of them when it is narrower.
 */
async function lightest(image: Buffer<ArrayBufferLike>, narrow: Sharp): Promise<StoredImage> {
  const tries = [encodeWebp(narrow.clone().webp({ quality: 80 }))]
  if (isPng(image)) {
    tries.push(encodeWebp(narrow.clone().webp({ nearLossless: true, quality: 40 })))
    if (await hasFewInks(image)) {
      const inked = await narrow.clone().png({ palette: true, colours: INKS, dither: 0 }).toBuffer()
      tries.push(encodeWebp(open(inked).webp({ lossless: true })))
    }
  }
  const made = await Promise.all(tries)
  return made.reduce((best, each) => (each.data.length < best.data.length ? each : best))
}

async function encodeWebp(image: Sharp): Promise<StoredImage> {
  const { data, info } = await image.toBuffer({ resolveWithObject: true })
  return { data, mime: pageType, width: info.width, height: info.height }
}

/** Whether all its pixels have one of so few colours that a palette holds them. */
const INKS = 16
async function hasFewInks(image: Buffer<ArrayBufferLike>): Promise<boolean> {
  const { data, info } = await open(image).raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  const inks = new Set<number>()
  for (let at = 0; at < data.length; at += info.channels) {
    inks.add(data.readUIntBE(at, info.channels))
    if (inks.size > INKS) return false
  }
  return true
}

const open = (data: Buffer<ArrayBufferLike>): Sharp =>
  sharp(data, { limitInputPixels: MAX_PIXELS, animated: true, failOn: 'error' }).timeout({ seconds: MAX_SECONDS })

function formatFor({ pages = 1, width, height, pageHeight, hasAlpha, format }: Metadata): ImageType {
  if (pages > MAX_FRAMES || width * (pageHeight ?? height) * pages > MAX_PIXELS)
    throw new ImageRefused('image_too_heavy')
  if (pages > 1) return 'image/gif'
  return hasAlpha || format === 'png' || format === 'gif' ? 'image/png' : 'image/jpeg'
}

async function encode(image: Sharp, mime: ImageType): Promise<StoredImage> {
  const { data, info } = await inFormat(image, mime).toBuffer({ resolveWithObject: true })
  const { pages, pageHeight, width, height } = info
  return { data, mime, width, height: pageHeight ?? Math.round(height / (pages ?? 1)) }
}

function inFormat(image: Sharp, mime: ImageType): Sharp {
  if (mime === 'image/gif') return image.gif({ effort: 3 })
  return mime === 'image/png' ? image.png({ compressionLevel: 9 }) : image.jpeg({ quality: 82, mozjpeg: true })
}
