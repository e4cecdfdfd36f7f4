import { uploadLimits } from '../../server/media/contract.ts'

/** Twice the width that is kept, so that the server still has something to choose from. */
const WIDEST = 3200
const HIGHEST = 16_000
/** What travels in a moment on a slow line is left as it is. */
const HEAVY_BYTES = 4 * 1024 * 1024
const QUALITY = 0.92

/**
 * The same picture, at most 3,200 pixels wide and upright, when it is large; else the file itself. What moves and what the browser
 * cannot read is left to the server, whose refusal says why.
 */
export async function smaller(file: File): Promise<File> {
  if (!(await isStill(file))) return file
  const address = URL.createObjectURL(file)
  try {
    const image = await loaded(address)
    const size = sizeFor(image)
    if (size.scale === 1 && file.size <= HEAVY_BYTES) return file
    const data = await encoded(draw(image, size), file.type)
    return data && (data.size < file.size || size.scale < 1) ? new File([data], file.name, { type: data.type }) : file
  } catch {
    return file
  } finally {
    URL.revokeObjectURL(address)
  }
}

/** Reads the head of the file. The pixels are decoded as it is drawn, at once in the smaller size where the format allows it. */
function loaded(address: string): Promise<HTMLImageElement> {
  return new Promise((resolve, reject) => {
    const image = new Image()
    image.onload = () => resolve(image)
    image.onerror = reject
    image.src = address
  })
}

interface Size {
  scale: number
  width: number
  height: number
}

/** The size is that of the upright picture, as the camera held it. */
function sizeFor({ naturalWidth: width, naturalHeight: height }: HTMLImageElement): Size {
  const scale = Math.min(1, WIDEST / width, HIGHEST / height, Math.sqrt(uploadLimits.pixels / (width * height)))
  return { scale, width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) }
}

function draw(image: HTMLImageElement, { width, height }: Size): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d')
  if (!context) throw new Error('There is no canvas')
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, 0, 0, width, height)
  return canvas
}

/** In its own kind as long as that is light enough. What may be transparent never becomes a JPEG. */
async function encoded(canvas: HTMLCanvasElement, type: string): Promise<Blob | null> {
  const first = await blobOf(canvas, type === 'image/jpeg' || type === 'image/png' ? type : 'image/webp')
  return first && first.size <= uploadLimits.bytes ? first : blobOf(canvas, 'image/webp')
}

const blobOf = (canvas: HTMLCanvasElement, type: string): Promise<Blob | null> =>
  new Promise((resolve) => canvas.toBlob(resolve, type, QUALITY))

/** GIFs are left alone, as is what says in its head that it moves: WebP (RFC 9649, section 2.7), PNG (third edition, 11.3.6.1) and AVIF. */
async function isStill(file: File): Promise<boolean> {
  const head = new Uint8Array(await file.slice(0, 64 * 1024).arrayBuffer())
  const text = new TextDecoder('latin1').decode(head)
  if (file.type === 'image/jpeg') return true
  if (file.type === 'image/png') return !text.includes('acTL')
  if (file.type === 'image/webp') return !(text.startsWith('VP8X', 12) && ((head[20] ?? 0) & 2) !== 0)
  return file.type === 'image/avif' && !text.startsWith('ftypavis', 4)
}
