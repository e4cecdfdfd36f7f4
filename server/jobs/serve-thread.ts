import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { AppError } from '../errors.ts'
import type { ThreadAnswer, ThreadJob } from './threads.ts'

/** Does the orders of `Threads` in this thread, one after the other. */
export function serveThread(jobs: ThreadJob<never, unknown>[]): void {
  // The thread that answers requests comes first. Only Linux has a priority for each thread; elsewhere it would be the process's.
  if (parentPort && process.platform === 'linux') setPriority(10)
  parentPort?.on('message', ({ name, input }: { name: string; input: never }) => {
    const answer = answerOf(jobs, name, input)
    parentPort?.postMessage(answer, buffersIn(answer))
  })
}

function answerOf(jobs: ThreadJob<never, unknown>[], name: string, input: never): ThreadAnswer {
  try {
    const job = jobs.find((each) => each.name === name)
    if (!job) throw new Error(`no job is called ${name}`)
    return { done: true, output: job.run(input) }
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
    if (!(error instanceof AppError)) return { done: false, refused: null, reason }
    const { code, fields, params, detail } = error
    return { done: false, refused: { code, details: { ...(fields && { fields }), params, detail } }, reason }
  }
}

/** Bytes are handed over, not copied. */
const buffersIn = (answer: ThreadAnswer): ArrayBuffer[] =>
  answer.done && answer.output instanceof Uint8Array && answer.output.buffer instanceof ArrayBuffer
    ? [answer.output.buffer]
    : []
