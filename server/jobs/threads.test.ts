import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { projectRoot } from '../root.ts'
import { sampleJobs } from '../testing/sample-thread-process.ts'
import { type ThreadJob, type ThreadLimits, Threads } from './threads.ts'

const program = join(projectRoot, '.cache', 'test-thread', 'sample-thread.js')
const warnings: unknown[] = []
let threads: Threads
const begin = (limits: Partial<ThreadLimits> = {}) => {
  threads = new Threads({ warn: (said: unknown) => void warnings.push(said) }, { threads: 2, ...limits }, program)
}
const run = <Input, Output>(job: ThreadJob<Input, Output>, input: Input) => threads.run(job, input, 1_000_000)
afterEach(() => threads.stop())

test('long work is done in a thread, short work where it is asked for', async () => {
  begin()
  expect(await threads.run(sampleJobs.reverse, 'abc', 3)).toBe('cba')
  expect(threads.size).toBe(0)
  expect(await run(sampleJobs.reverse, 'abc')).toBe('cba')
  expect(threads.size).toBe(1)
})

test('a refusal comes back as it was thrown', async () => {
  begin()
  await expect(run(sampleJobs.refuse, 'block 7')).rejects.toMatchObject({
    code: 'document_invalid',
    params: { place: 'block 7' },
  })
})

test.each([
  ['hangs', sampleJobs.hang, null],
  ['takes too much memory', sampleJobs.grow, null],
  ['dies', sampleJobs.end, 3],
] as const)('a thread that %s answers so, and the next order is done by another', async (_, job, input) => {
  begin({ threads: 1, ms: 3_000, megabytes: 32 })
  const broken = run(job as ThreadJob<unknown, unknown>, input)
  const next = run(sampleJobs.reverse, 'abc')
  await expect(broken).rejects.toMatchObject({ code: 'rendering_failed' })
  expect(await next).toBe('cba')
  expect(warnings).not.toEqual([])
})

test('who comes when too many wait is told to come back', async () => {
  begin({ threads: 1, waiting: 3, ms: 20_000 })
  const orders = Array.from({ length: 10 }, () => run(sampleJobs.reverse, 'abc'))
  const outcomes = await Promise.allSettled(orders)
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
  for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason.code).toBe('busy')
})

test('threads without work end', async () => {
  begin({ idleMs: 1 })
  await run(sampleJobs.reverse, 'abc')
  while (threads.size > 0) await delay(1)
})
