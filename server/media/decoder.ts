import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { AppError } from '../errors.ts'
import type { Refusal, ShownType, StoredImage } from './image.ts'
import { limitsInWords, MAX_KEPT_BYTES, MAX_SECONDS } from './upload-limits.ts'

export type Order = { kind: 'normalise'; still?: boolean } | { kind: 'narrow'; mime: ShownType; width: number }
type Kind = Order['kind']

export type Answer =
  | { kind: 'image'; mime: ShownType; width: number; height: number }
  | { kind: 'refused'; code: Refusal; reason: string }

/** Images decoded at the same time, and how many of them may be what readers ask for: a place is always left to who uploads. */
const AT_ONCE = 2
const NARROW_AT_ONCE = 1
/** More that wait are refused at once. */
const MAX_WAITING = 20
/** Of memory that it may write to, in kilobytes. Node itself reserves 570 MB and uses 40. */
const MAX_MEMORY_KB = 1_100_000
const program = import.meta.filename.endsWith('.ts')
  ? join(import.meta.dirname, 'decoder-process.ts')
  : join(import.meta.dirname, 'decoder-process.js')

/** Decodes and encodes images, each in a process of its own with limits on its memory and its time, and few of them at once. */
export class Decoder {
  readonly #running: Record<Kind, number> = { normalise: 0, narrow: 0 }
  readonly #waiting: Record<Kind, (() => void)[]> = { normalise: [], narrow: [] }

  /**
   * @param image read when there is a place, so that what waits takes no memory
   * @throws AppError image_invalid, image_too_heavy, image_moves; too_many_requests when too many wait
   */
  async decode(order: Order, image: () => Promise<Buffer>): Promise<StoredImage> {
    await this.#takePlace(order.kind)
    try {
      return await decodeNow(order, await image())
    } finally {
      this.#running[order.kind] -= 1
      this.#callNext()
    }
  }

  async #takePlace(kind: Kind): Promise<void> {
    const waiting = this.#waiting[kind]
    if (waiting.length >= MAX_WAITING) throw new AppError('too_many_requests', { params: { seconds: MAX_SECONDS } })
    await new Promise<void>((resolve) => {
      waiting.push(resolve)
      this.#callNext()
    })
  }

  /** Uploads before what readers ask for, and of each kind who waits longest. */
  #callNext(): void {
    for (const kind of ['normalise', 'narrow'] as const) {
      while (this.#hasPlace(kind)) {
        const next = this.#waiting[kind].shift()
        if (!next) break
        this.#running[kind] += 1
        next()
      }
    }
  }

  #hasPlace(kind: Kind): boolean {
    const { normalise, narrow } = this.#running
    return normalise + narrow < AT_ONCE && (kind === 'normalise' || narrow < NARROW_AT_ONCE)
  }
}

async function decodeNow(order: Order, image: Buffer): Promise<StoredImage> {
  const child = run()
  const ended = once(child, 'close')
  // Without descriptors or memory for a process there are no pipes, and `ended` says why.
  const { stdin, stdout } = child
  const [output] = await Promise.all([
    stdin && stdout ? exchange(child, { stdin, stdout }, [order, image]) : null,
    ended,
  ])
  const lineEnd = output?.indexOf('\n') ?? -1
  if (!output || lineEnd < 0) throw withoutAnswer(child)
  const answer: Answer = JSON.parse(output.toString('utf8', 0, lineEnd))
  if (answer.kind === 'refused') throw new AppError(answer.code, { cause: answer.reason, params: limitsInWords })
  const { mime, width, height } = answer
  return { data: output.subarray(lineEnd + 1), mime, width, height }
}

/** Its time was over, or its answer too long; anything else is the fault of the file. */
const withoutAnswer = ({ signalCode }: ChildProcess): AppError =>
  signalCode === 'SIGKILL' || signalCode === 'SIGXCPU'
    ? new AppError('image_too_heavy', { params: limitsInWords })
    : new AppError('image_invalid')

function run(): ChildProcess {
  // The shell sets the limits, which Node cannot. They hold for the process that takes its place.
  const limits = `ulimit -d ${MAX_MEMORY_KB}; ulimit -t ${MAX_SECONDS}; ulimit -f 0; exec "$0" "$@"`
  return spawn('/bin/sh', ['-c', limits, process.execPath, '--max-old-space-size=64', program], {
    stdio: ['pipe', 'pipe', 'ignore'],
    // None of our secrets, one thread for each image, and nothing on the disk.
    env: { NODE_ENV: 'production', VIPS_CONCURRENCY: '1', UV_THREADPOOL_SIZE: '1', VIPS_DISC_THRESHOLD: '2g' },
    timeout: MAX_SECONDS * 1_000,
    killSignal: 'SIGKILL',
  })
}

interface Pipes {
  stdin: Writable
  stdout: Readable
}

function exchange(
  child: ChildProcess,
  { stdin, stdout }: Pipes,
  [order, image]: [Order, Buffer],
): Promise<Buffer | null> {
  // A process that ended early takes no more input.
  stdin.on('error', () => {})
  stdin.write(`${JSON.stringify(order)}\n`)
  stdin.end(image)
  return readAll(stdout).catch(() => {
    child.kill('SIGKILL')
    return null
  })
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
