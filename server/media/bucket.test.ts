import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { examine } from '../doctor.ts'
import { type FakeBucket, startFakeBucket, type Trouble } from '../testing/fake-bucket.ts'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { uploadImage } from '../testing/upload.ts'
import { translator } from '../translator.ts'
import { collectMediaJob } from './collect-media.job.ts'

let bucket: FakeBucket
let room: TestNewsletter
beforeAll(async () => {
  bucket = await startFakeBucket()
  room = await startTestNewsletter({ STORAGE_URL: bucket.url })
})
afterAll(async () => {
  await room.stop()
  await bucket.stop()
})
afterEach(() => {
  bucket.trouble = null
})

const upload = async () => {
  const data = await sharp({ create: { width: 700, height: 9, channels: 3, background: '#0C5C5A' } })
    .png()
    .toBuffer()
  return uploadImage(room, { path: room.path, cookie: room.owner.cookie, data, name: 'a.png', type: 'image/png' })
}
const doctor = async () => {
  const { config, pool } = room.context
  const env = { DATA_DIR: config.dataDir, DATABASE_URL: pool.options.connectionString, STORAGE_URL: bucket.url }
  return (await examine(env, translator('en'))).filter(({ about }) => about === 'files')
}
const names = () => [...bucket.objects.keys()]

test('images are kept in a bucket below its prefix, with their narrower ones, and removed from it', async () => {
  const { id } = (await upload()).json()
  expect((await room.inject({ url: `/media/${id}?w=320` })).statusCode).toBe(200)
  expect(names().sort()).toEqual([`tirage/${room.newsletterId}/${id}-320.png`, `tirage/${room.newsletterId}/${id}.png`])
  await room.owner.call('DELETE', `${room.path}/media/${id}`)
  await room.work()
  expect(names()).toEqual([])
})

test('the daily job takes objects of ours without a row, and no others', async () => {
  const { id } = (await upload()).json()
  bucket.objects.set('tirage/nobody/abcdefghij.png', Buffer.from('x'))
  bucket.objects.set('tirage/readme.txt', Buffer.from('x'))
  bucket.objects.set('others/nobody/abcdefghij.png', Buffer.from('x'))
  await collectMediaJob(room.context)({}, null as never)
  const left = ['others/nobody/abcdefghij.png', `tirage/${room.newsletterId}/${id}.png`, 'tirage/readme.txt']
  expect(names().sort()).toEqual(left.sort())
  bucket.objects.clear()
})

test('doctor writes, reads and deletes an object', async () => {
  expect(await doctor()).toMatchObject([{ state: 'good', finding: expect.stringContaining('s3://pictures') }])
  expect(names()).toEqual([])
})

const troubles: [string, Trouble, string][] = [
  ['a wrong secret', { status: 403, code: 'SignatureDoesNotMatch' }, 'storage_refuses'],
  ['a missing bucket', { status: 404, code: 'NoSuchBucket' }, 'storage_refuses'],
  ['too many calls', { status: 503, code: 'SlowDown' }, 'storage_away'],
]
test.each(troubles)(
  '%s: the owner is told whom to ask, the log and doctor why, and nobody a secret',
  async (_what, trouble, code) => {
    const logged: unknown[] = []
    const spy = vi.spyOn(room.context.log, 'error').mockImplementation((...line: unknown[]) => void logged.push(line))
    bucket.trouble = trouble
    const refused = await upload()
    expect([refused.statusCode, refused.json().error.code]).toEqual([503, code])
    expect(refused.headers['retry-after']).toBe('30')
    expect(refused.json().error.message).toMatch(/^The storage for images /)
    const reason = trouble === 'silent' ? '' : trouble.code
    const [finding] = await doctor()
    expect(finding).toMatchObject({ state: 'bad', finding: expect.stringContaining(reason) })
    spy.mockRestore()
    const said = JSON.stringify([logged, finding, refused.body])
    expect(said).toContain(reason)
    expect(said).not.toMatch(/very-secret|AKIA/)
    bucket.trouble = null
    expect((await upload()).statusCode).toBe(200)
    bucket.objects.clear()
  },
)

test('an image that cannot be read for now is an answer that no cache keeps', async () => {
  const { id } = (await upload()).json()
  bucket.trouble = { status: 503, code: 'SlowDown' }
  for (const url of [`/media/${id}`, `/media/${id}?w=320`]) {
    const answer = await room.inject({ url, headers: { accept: 'image/*' } })
    expect([answer.statusCode, answer.headers['cache-control'], answer.headers['retry-after']]).toEqual([
      503,
      'no-store',
      '30',
    ])
  }
  bucket.trouble = null
  expect((await room.inject({ url: `/media/${id}` })).statusCode).toBe(200)
  bucket.objects.clear()
  expect((await room.inject({ url: `/media/${id}` })).statusCode).toBe(404)
})

test('/readyz says that the storage is away', async () => {
  bucket.trouble = { status: 403, code: 'AccessDenied' }
  const answer = await room.inject({ url: '/readyz' })
  expect([answer.statusCode, answer.json().reason]).toEqual([503, 'storage_refuses'])
})

test('nobody listens: it is away', async () => {
  const gone = await startFakeBucket()
  await gone.stop()
  const { config, pool } = room.context
  const env = { DATA_DIR: config.dataDir, DATABASE_URL: pool.options.connectionString, STORAGE_URL: gone.url }
  const findings = await examine(env, translator('en'))
  expect(findings.find(({ about }) => about === 'files')).toMatchObject({
    state: 'bad',
    finding: expect.stringContaining('does not answer'),
  })
})
