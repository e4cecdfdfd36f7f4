import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { mountSmallDisk } from '../testing/small-disk.ts'
import { uploadImage } from '../testing/upload.ts'
import { folderProbe } from './probes.ts'
import { Readiness } from './readiness.ts'

const disk = mountSmallDisk(40)
let room: TestNewsletter
beforeAll(async () => {
  room = await startTestNewsletter(disk ? { DATA_DIR: join(disk.path, 'data') } : {})
})
afterAll(async () => {
  await room.stop()
  disk?.remove()
})

const upload = async () => {
  const data = await sharp({ create: { width: 600, height: 400, channels: 3, background: '#0C5C5A' } })
    .png()
    .toBuffer()
  return uploadImage(room, { path: room.path, cookie: room.owner.cookie, data, name: 'a.png', type: 'image/png' })
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)

describe.runIf(disk)('a disk that is full', () => {
  if (!disk) return
  afterEach(() => {
    disk.readOnly(false)
    disk.free()
  })

  test('an upload answers 507 with a sentence, leaves nothing, and works again as soon as there is room', async () => {
    const before = (await upload()).json()
    disk.fill()
    const refused = await upload()
    expect(refused.statusCode).toBe(507)
    expect(refused.json().error).toMatchObject({ code: 'storage_full', message: expect.stringContaining('is full') })
    const media = await room.context.db.selectFrom('media').select('id').execute()
    expect(media.map(({ id }) => id)).toEqual([before.id])
    expect(filesIn(join(room.context.config.dataDir, 'media'))).toEqual([`${before.id}.png`])
    // What is there is still shown, and a width that cannot be kept too.
    expect((await room.inject({ url: `/media/${before.id}` })).statusCode).toBe(200)
    expect((await room.inject({ url: `/media/${before.id}?w=320` })).statusCode).toBe(200)
    disk.free()
    expect((await upload()).statusCode).toBe(200)
  })

  test('one that is read-only says so', async () => {
    disk.readOnly(true)
    const refused = await upload()
    expect([refused.statusCode, refused.json().error.code]).toEqual([507, 'read_only'])
    disk.readOnly(false)
    expect((await upload()).statusCode).toBe(200)
  })

  test('/readyz says which, and is ready again by itself', async () => {
    let now = 0
    const { dataDir } = room.context.config
    const readiness = new Readiness([folderProbe(dataDir)], () => now)
    const later = () => {
      now += 10_000
      return readiness.hindrances()
    }
    expect(await later()).toEqual([])
    disk.fill()
    expect(await readiness.hindrances()).toEqual([])
    expect(await later()).toEqual(['storage_full'])
    disk.free()
    expect(await later()).toEqual([])
    disk.readOnly(true)
    expect(await later()).toEqual(['read_only'])
    disk.readOnly(false)
    expect(await later()).toEqual([])
    expect(filesIn(dataDir).filter((name) => name.startsWith('.probe'))).toEqual([])
    disk.fill()
    const answer = await room.inject({ url: '/readyz' })
    expect([answer.statusCode, answer.json()]).toEqual([
      503,
      { ok: false, reason: 'storage_full', reasons: ['storage_full'] },
    ])
  })

  test('a mail that cannot be caught is not lost: it waits in the queue, and no half of it is kept', async () => {
    const outbox = join(room.context.config.dataDir, 'outbox')
    const { db, relays } = room.context
    const askForMail = () =>
      room.stranger('POST', '/api/auth/request-password-reset', { email: room.owner.email, redirectTo: '/reset' })
    await askForMail()
    await room.work()
    expect(filesIn(outbox)).toHaveLength(2)
    disk.fill()
    await askForMail()
    await room.work()
    expect(filesIn(outbox)).toHaveLength(2)
    expect(await room.queuedMail(room.owner.email)).toHaveLength(1)
    disk.free()
    await sql`update graphile_worker._private_jobs set run_at = now()`.execute(db)
    await room.work()
    expect(await relays.outbox.list()).toHaveLength(2)
    expect(await room.queuedMail(room.owner.email)).toHaveLength(0)
  })
})

test('a database whose disk is full answers 507 with a sentence, and one out of memory 503 with a time to come back', async () => {
  const { db } = room.context
  const fail = (code: string) =>
    sql`create or replace function lacking() returns trigger language plpgsql as
      ${sql.raw(`$$ begin raise exception 'no room' using errcode = '${code}'; end $$`)}`.execute(db)
  await fail('53100')
  await sql`create trigger lacking before insert on short_link for each row execute function lacking()`.execute(db)
  for (const [code, status, error] of [
    ['53100', 507, 'storage_full'],
    ['25006', 507, 'read_only'],
    ['53200', 503, 'busy'],
  ] as const) {
    await fail(code)
    const answer = await room.owner.call('POST', `${room.path}/links`, { target: 'https://example.org/' })
    expect([answer.statusCode, answer.json().error.code]).toEqual([status, error])
    expect(answer.headers['retry-after']).toBe(status === 503 ? '30' : undefined)
  }
  await sql`drop trigger lacking on short_link`.execute(db)
  const answer = await room.owner.call('POST', `${room.path}/links`, { target: 'https://example.org/' })
  expect(answer.statusCode).toBe(200)
})
