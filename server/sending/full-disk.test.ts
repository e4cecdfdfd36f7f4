import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { startTestNewsletter } from '../testing/newsletter.ts'
import { startRecordingRelay } from '../testing/recording-relay.ts'
import { mountSmallDisk } from '../testing/small-disk.ts'
import { Journal, readJournals } from './journal.ts'

const disk = mountSmallDisk(4)
const open: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.stop()
  disk?.free()
})
afterAll(() => disk?.remove())

describe.runIf(disk)('while the disk of the journal is full', () => {
  if (!disk) return

  test('a journal never has a part of a line', async () => {
    const folder = join(disk.path, 'lines')
    const journal = new Journal(folder, { newsletterId: 'low', publicationId: 'p', id: 's' }, 'host:1:x')
    const ids = Array.from({ length: 5_000 }, (_, n) => `018f0000-0000-7000-8000-${String(n).padStart(12, '0')}`)
    disk.fill()
    const begun = ids.slice(
      0,
      ids.findIndex((id) => !isWritten(() => journal.begun(id))),
    )
    expect(begun.length).toBeGreaterThan(10)
    const [name = ''] = readdirSync(folder)
    expect(readFileSync(join(folder, name), 'utf8').trimEnd().split('\n').slice(1)).toEqual(begun)
    disk.free()
    journal.begun(ids.at(-1) ?? '')
    journal.close(false)
    const read: string[][] = []
    await readJournals(
      folder,
      async () => true,
      async (record) => void read.push(record.begun),
    )
    expect(read).toEqual([[...begun, ids.at(-1)]])
  })

  test('one that cannot begin leaves no file', () => {
    const folder = join(disk.path, 'heads')
    new Journal(folder, { newsletterId: 'low', publicationId: 'p', id: 's' }, 'host:1:y').close(true)
    disk.fill()
    expect(() => new Journal(folder, { newsletterId: 'low', publicationId: 'p', id: 's' }, 'host:1:z')).toThrow(
      'ENOSPC',
    )
    expect(readdirSync(folder)).toEqual([])
  })

  // It goes on at the next recovery, which comes every ten seconds.
  const timeout = 60_000
  test('a sending stops before the next text, and goes on by itself: nobody is left out, and nobody gets it twice', {
    timeout,
  }, async () => {
    const relay = await startRecordingRelay((to) => {
      if (to === 'r120@example.org') disk.fill()
      return null
    })
    open.push(relay)
    const room = await startTestNewsletter({ SMTP_URL: relay.url, DATA_DIR: join(disk.path, 'data') })
    open.push(room)
    const waits = vi.spyOn(room.context.log, 'warn')
    // More than can be under way when the disk is full.
    const all = 1_500
    const addresses = Array.from({ length: all }, (_, n) => `r${n}@example.org`)
    await room.addSubscribers(addresses)
    const { id } = await room.draft()
    await room.send(id)
    const stopped = Promise.withResolvers<void>()
    waits.mockImplementation((_about: unknown, text?: string) => {
      if (text?.includes('waits for room')) stopped.resolve()
    })
    const working = room.work()
    await stopped.promise
    const before = relay.received.length
    expect(before).toBeLessThan(addresses.length)
    // Whatever was answered is in the database, although the journal had no room for it.
    expect(await room.counts(id)).toEqual({ intended: all, accepted: before, queued: all - before })
    disk.free()
    await working
    expect(relay.received.map(({ to }) => to).sort()).toEqual(addresses.sort())
    expect(await room.counts(id)).toEqual({ intended: all, accepted: all })
    expect(await room.state(id)).toMatchObject({ status: 'sent', stopped_by: null })
  })
})

function isWritten(write: () => void): boolean {
  try {
    write()
    return true
  } catch {
    return false
  }
}
