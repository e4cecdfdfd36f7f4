import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import { AppError, type ErrorCode } from '../errors.ts'
import { projectRoot } from '../root.ts'

/** Work that may take long: values in, values out, which a thread can be given. `server/thread.ts` lists all of them. */
export interface ThreadJob<Input, Output> {
  name: string
  run(input: Input): Output
}

/** What a thread answers to each order. */
export type ThreadAnswer = { done: true; output: unknown } | { done: false; refused: RefusedJob | null; reason: string }

/** An AppError on its way between threads. */
interface RefusedJob {
  code: ErrorCode
  details: ConstructorParameters<typeof AppError>[1]
}

interface Order {
  name: string
  input: unknown
  resolve(output: unknown): void
  reject(error: Error): void
}

export interface ThreadLimits {
  /** Threads at the same time. Two even on one core: one that hangs must not stop the others' work. */
  threads: number
  /** Orders that wait; more are refused at once. */
  waiting: number
  /** The time for one order. */
  ms: number
  /** Of a thread's heap. */
  megabytes: number
  /** A thread without work ends after this time, and its memory is free again. */
  idleMs: number
  /** The characters up to which work is done in the thread that asks: it takes some milliseconds. */
  atHand: number
}

const defaultLimits: ThreadLimits = {
  threads: Math.min(Math.max(availableParallelism() - 1, 2), 4),
  waiting: 100,
  ms: 20_000,
  megabytes: 384,
  idleMs: 30_000,
  atHand: 12_000,
}

/** What `vite.server.config.ts` makes of `server/thread.ts`, beside the program itself or, for the tests, where their setup builds it. */
const builtProgram = import.meta.filename.endsWith('.ts')
  ? join(projectRoot, '.cache', 'test-thread', 'thread.js')
  : join(import.meta.dirname, 'thread.js')

/**
 * Does long work in threads of their own, so that the thread that answers requests is never held. Threads start when they are needed. One
 * that dies, takes too long or too much memory answers `rendering_failed` and is replaced.
 */
export class Threads {
  readonly #limits: ThreadLimits
  readonly #waiting: Order[] = []
  readonly #all = new Set<Thread>()
  #stopped = false

  constructor(
    private readonly log: Pick<Logger, 'warn'>,
    limits: Partial<ThreadLimits> = {},
    private readonly program = builtProgram,
  ) {
    this.#limits = { ...defaultLimits, ...limits }
  }

  /**
   * @param size about how many characters the work has to read
   * @throws AppError rendering_failed, busy, or what the job itself throws
   */
  async run<Input, Output>(job: ThreadJob<Input, Output>, input: Input, size: number): Promise<Output> {
    if (size <= this.#limits.atHand) return job.run(input)
    if (this.#stopped || this.#waiting.length >= this.#limits.waiting) throw new AppError('busy')
    const output = await new Promise((resolve, reject) => {
      this.#waiting.push({ name: job.name, input, resolve, reject })
      this.#assign()
    })
    return output as Output
  }

  /** Orders under way are refused. */
  async stop(): Promise<void> {
    this.#stopped = true
    for (const { reject } of this.#waiting.splice(0)) reject(new AppError('busy'))
    await Promise.all([...this.#all].map((thread) => thread.end()))
  }

  /** Threads that exist. */
  get size(): number {
    return this.#all.size
  }

  #assign(): void {
    while (this.#waiting.length > 0) {
      const free = [...this.#all].find((thread) => thread.free) ?? this.#start()
      const order = free && this.#waiting.shift()
      if (!order) return
      free.take(order)
    }
  }

  #start(): Thread | undefined {
    if (this.#all.size >= this.#limits.threads || this.#stopped) return undefined
    const thread = new Thread(this.program, this.#limits, {
      freed: () => this.#assign(),
      ended: (reason) => {
        this.#all.delete(thread)
        if (reason) this.log.warn({ reason }, 'a thread was ended')
        this.#assign()
      },
    })
    this.#all.add(thread)
    return thread
  }
}

interface ThreadEvents {
  freed(): void
  /** @param reason null when it had nothing to do */
  ended(reason: string | null): void
}

class Thread {
  readonly #worker: Worker
  #order: Order | null = null
  #timer: NodeJS.Timeout | undefined
  #over = false

  constructor(
    program: string,
    private readonly limits: ThreadLimits,
    private readonly events: ThreadEvents,
  ) {
    this.#worker = new Worker(program, {
      // None of our secrets.
      env: { NODE_ENV: process.env.NODE_ENV },
      resourceLimits: { maxOldGenerationSizeMb: limits.megabytes, maxYoungGenerationSizeMb: 32 },
    })
    this.#worker.on('message', (answer: ThreadAnswer) => this.#answered(answer))
    this.#worker.on('error', ({ message }) => this.#end(message))
    this.#worker.on('exit', (code) => this.#end(`it ended with ${code}`))
    this.#worker.unref()
  }

  get free(): boolean {
    return this.#order === null && !this.#over
  }

  take(order: Order): void {
    this.#order = order
    this.#worker.ref()
    this.#wait(this.limits.ms, `${order.name} took longer than ${this.limits.ms} ms`)
    this.#worker.postMessage({ name: order.name, input: order.input })
  }

  async end(): Promise<void> {
    this.#end(null)
    await this.#worker.terminate()
  }

  #answered(answer: ThreadAnswer): void {
    const order = this.#order
    this.#order = null
    this.#worker.unref()
    this.#wait(this.limits.idleMs, null)
    if (answer.done) order?.resolve(answer.output)
    else order?.reject(errorOf(answer))
    this.events.freed()
  }

  #wait(ms: number, reason: string | null): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#end(reason), ms).unref()
  }

  #end(reason: string | null): void {
    if (this.#over) return
    this.#over = true
    clearTimeout(this.#timer)
    void this.#worker.terminate()
    this.#order?.reject(new AppError('rendering_failed', { cause: reason }))
    this.#order = null
    this.events.ended(reason)
  }
}

const errorOf = ({ refused, reason }: ThreadAnswer & { done: false }): Error =>
  refused ? new AppError(refused.code, refused.details) : new Error(reason)
