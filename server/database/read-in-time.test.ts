import { once } from 'node:events'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { expect, test, vi } from 'vitest'
import { startTestApp } from '../testing/app.ts'
import { streamCsv } from './csv.ts'
import { readInTime } from './read-in-time.ts'

test('exports that nobody reads end, and their connections are free again', async () => {
  const { context, stop } = await startTestApp()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const rows = `select repeat('x', 1000) as line from generate_series(1, 20000)`
    const exports = await Promise.all(Array.from({ length: 15 }, () => streamCsv(context, rows)))
    await Promise.all(exports.map((each) => once(each, 'readable')))
    const failed = exports.map((each) => once(each, 'error').then(([error]) => String(error)))
    vi.advanceTimersByTime(60_000)
    expect(new Set(await Promise.all(failed))).toEqual(new Set(['Error: the reader took too long']))
    expect(await free()).toBe(15)
  } finally {
    vi.useRealTimers()
    await stop()
  }

  /** Of the 20 connections, 15 that were in use before can be had at the same time. */
  async function free(): Promise<number> {
    const clients = await Promise.all(Array.from({ length: 15 }, () => context.pool.connect()))
    for (const client of clients) client.release()
    return clients.length
  }
})

test('a source that is slow does not fail', async () => {
  const slow = Readable.from(
    (async function* () {
      yield Buffer.from('a')
      await new Promise((resolve) => setTimeout(resolve, 50))
      yield Buffer.from('b')
    })(),
  )
  const read: Buffer[] = []
  await pipeline(slow, readInTime(5), async (pieces: AsyncIterable<Buffer>) => {
    for await (const piece of pieces) read.push(piece)
  })
  expect(Buffer.concat(read).toString()).toBe('ab')
})
