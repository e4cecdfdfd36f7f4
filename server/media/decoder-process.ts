import { buffer } from 'node:stream/consumers'
import type { Answer, Order } from './decoder.ts'
import { ImageRefused, narrowed, normalise, type StoredImage } from './image.ts'

// A process of its own for one image: its limits end it, and not the server. Input: the order as JSON, a line end, the
// image. Output: the answer as JSON, a line end, the image as it is kept.

const input = await buffer(process.stdin)
const lineEnd = input.indexOf('\n')
const order: Order = JSON.parse(input.toString('utf8', 0, lineEnd))

try {
  const { data, ...about } = await carryOut(input.subarray(lineEnd + 1))
  answer({ kind: 'image', ...about }, data)
} catch (error) {
  answer({ kind: 'refused', code: error instanceof ImageRefused ? error.code : 'image_invalid', reason: String(error) })
}

function carryOut(image: Buffer<ArrayBufferLike>): Promise<StoredImage> {
  return order.kind === 'normalise' ? normalise(image, order) : narrowed(image, order.mime, order.width)
}

function answer(answered: Answer, data: Buffer<ArrayBufferLike> = Buffer.alloc(0)): void {
  process.stdout.end(Buffer.concat([Buffer.from(`${JSON.stringify(answered)}\n`), data]))
}
