import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { AppError } from '../errors.ts'
import type { ImageType, Refusal, StoredImage } from './image.ts'
import { MAX_KEPT_BYTES, MAX_SECONDS } from './upload-limits.ts'

export type Order = { kind: 'normalise' } | { kind: 'narrow'; mime: ImageType; width: number }

export type Answer =
  | { kind: 'image'; mime: ImageType; width: number; height: number }
  | { kind: 'refused'; code: Refusal; reason: string }

/** Images decoded at the same time. */
const AT_ONCE = 2
/** More that wait are refused at once: each keeps its upload in memory. */
const MAX_WAITING = 20
/** Of memory that it may write to, in kilobytes. Node itself reserves 570 MB and uses 40. */
const MAX_MEMORY_KB = 1_100_000
const program = import.meta.filename.endsWith('.ts')
  ? join(import.meta.dirname, 'decoder-process.ts')
  : join(import.meta.dirname, 'decoder-process.js')

const waiting: (() => void)[] = []
let running = 0

/**
 * Decodes and encodes one image in a process of its own, with limits on its memory and its time, and few of them at once.
 *
 * @throws AppError image_invalid, image_too_heavy; too_many_requests when too many wait
 */
export async function decode(order: Order, image: Buffer): Promise<StoredImage> {
  await takePlace()
  try {
    return await decodeNow(order, image)
  } finally {
    givePlace()
  }
}

async function takePlace(): Promise<void> {
  if (running < AT_ONCE) {
    running += 1
    return
  }
  if (waiting.length >= MAX_WAITING) throw new AppError('too_many_requests', { params: { seconds: MAX_SECONDS } })
  await new Promise<void>((resolve) => waiting.push(resolve))
}

/** To who waits longest, or to whoever comes next. */
function givePlace(): void {
  const next = waiting.shift()
  if (next) next()
  else running -= 1
}

async function decodeNow(order: Order, image: Buffer): Promise<StoredImage> {
  // The shell sets the limits, which Node cannot. They hold for the process that takes its place.
  const limits = `ulimit -d ${MAX_MEMORY_KB}; ulimit -t ${MAX_SECONDS}; ulimit -f 0; exec "$0" "$@"`
  const child = spawn('/bin/sh', ['-c', limits, process.execPath, '--max-old-space-size=64', program], {
    stdio: ['pipe', 'pipe', 'ignore'],
    // None of our secrets, one thread for each image, and nothing on the disk.
    env: { NODE_ENV: 'production', VIPS_CONCURRENCY: '1', UV_THREADPOOL_SIZE: '1', VIPS_DISC_THRESHOLD: '2g' },
    timeout: MAX_SECONDS * 1_000,
    killSignal: 'SIGKILL',
  })
  // A process that ended early takes no more input.
  child.stdin.on('error', () => {})
  child.stdin.write(`${JSON.stringify(order)}\n`)
  child.stdin.end(image)
  const [output] = await Promise.all([
    readAll(child.stdout).catch(() => {
      child.kill('SIGKILL')
      return Buffer.alloc(0)
    }),
    once(child, 'close'),
  ])
  const lineEnd = output.indexOf('\n')
  if (lineEnd < 0) throw new AppError('image_invalid')
  const answer: Answer = JSON.parse(output.toString('utf8', 0, lineEnd))
  if (answer.kind === 'refused') throw new AppError(answer.code, { cause: answer.reason })
  const { mime, width, height } = answer
  return { data: output.subarray(lineEnd + 1), mime, width, height }
}

/** @throws Error when it is longer than any image that is kept */
async function readAll(stream: Readable): Promise<Buffer> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of stream) {
    length += piece.length
    if (length > MAX_KEPT_BYTES + 1_000) throw new Error('The answer is too long')
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
