import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { forgetNewslettersJob } from '../newsletters/forget-newsletters.job.ts'
import { addNewsletter, paragraph, startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { uploadImage } from '../testing/upload.ts'
import { collectMediaJob } from './collect-media.job.ts'

let room: TestNewsletter
beforeAll(async () => {
  room = await startTestNewsletter()
})
afterAll(() => room.stop())

const DAY_MS = 86_400_000
const helpers = null as never

async function upload(path = room.path): Promise<string> {
  const data = await sharp({ create: { width: 900, height: 20, channels: 3, background: '#0C5C5A' } })
    .jpeg()
    .toBuffer()
  const answer = await uploadImage(room, { path, cookie: room.owner.cookie, data })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().id
}

const folder = () => join(room.context.config.dataDir, 'media')
const filesOf = async (id: string) =>
  (await readdir(folder(), { recursive: true })).filter((name) => name.includes(id)).sort()
const remove = (id: string, even = '') => room.owner.call('DELETE', `${room.path}/media/${id}${even}`)
const listed = async (id: string) =>
  (await room.owner.call('GET', `${room.path}/media`)).json().rows.find((row: { id: string }) => row.id === id)
const image = (mediaId: string) => ({ type: 'image', attrs: { mediaId, src: `http://tirage.test/media/${mediaId}` } })
const draftWith = (id: string, title = 'Low tide') =>
  room.draft({ title, content: { type: 'doc', content: [image(id), paragraph('Mud.')] } })

/** The daily job, so many days from now. */
async function collect(inDays: number): Promise<void> {
  await collectMediaJob({ ...room.context, now: () => new Date(Date.now() + inDays * DAY_MS) })({}, helpers)
  await room.work()
}

test('an image that nothing uses is deleted with its narrower ones', async () => {
  const id = await upload()
  await room.inject({ url: `/media/${id}?w=320` })
  await room.inject({ url: `/media/${id}?w=320&for=page` })
  expect(await filesOf(id)).toHaveLength(3)
  expect(await listed(id)).toMatchObject({ uses: [], removedAt: expect.any(String) })
  expect((await remove(id)).json()).toEqual({ done: true })
  expect((await room.inject({ url: `/media/${id}` })).statusCode).toBe(404)
  await room.work()
  expect(await filesOf(id)).toEqual([])
  expect((await remove(id)).json().error.code).toBe('media_not_found')
})

test('one that is used is named with its uses, and deleted only by who says to know it', async () => {
  const id = await upload()
  const { id: publicationId } = await draftWith(id, 'The boats')
  expect(await listed(id)).toMatchObject({
    uses: [{ kind: 'publication', publicationId, title: 'The boats', isOut: false }],
    removedAt: null,
  })
  const published = await room.send(publicationId, { channel: 'web' })
  expect(published.statusCode, published.body).toBe(200)
  const refused = await remove(id)
  expect(refused.statusCode).toBe(409)
  expect(refused.json().error).toMatchObject({
    code: 'media_in_use',
    detail: { uses: [{ kind: 'publication', publicationId, isOut: true }] },
  })
  expect((await room.inject({ url: `/media/${id}` })).statusCode).toBe(200)
  expect((await remove(id, '?evenIfUsed=true')).statusCode).toBe(200)
  expect((await room.inject({ url: `/media/${id}` })).statusCode).toBe(404)
})

test('an archive with a logo says the name and the description of its newsletter in words', async () => {
  const about = async () =>
    /<p class="archive-about">(.*?)<\/p>/s.exec((await room.inject({ url: `/n/${room.newsletterId}` })).body)?.[1]
  await room.owner.call('PATCH', room.path, { name: 'Slack Water', description: 'Mud & boats.' })
  expect(await about()).toContain('Mud &amp; boats.')
  expect(await about()).not.toContain('Slack Water')
  await room.owner.call('PATCH', room.path, { logoMediaId: await upload() })
  expect(await about()).toMatch(/<b>Slack Water<\/b>.*Mud &amp; boats\./)
})

test('a logo and a cover are uses, and there is none after the image is deleted', async () => {
  const id = await upload()
  await room.owner.call('PATCH', room.path, { logoMediaId: id })
  const draft = await room.draft()
  const saved = await room.owner.call('PATCH', `${room.path}/publications/${draft.id}`, {
    revision: draft.revision,
    coverMediaId: id,
  })
  expect(saved.statusCode, saved.body).toBe(200)
  expect((await listed(id)).uses.map(({ kind }: { kind: string }) => kind)).toEqual(['logo', 'publication'])
  expect((await remove(id)).json().error.code).toBe('media_in_use')
  await remove(id, '?evenIfUsed=true')
  expect((await room.owner.call('GET', room.path)).json().logoUrl).toBeNull()
  expect((await room.owner.call('GET', `${room.path}/publications/${draft.id}`)).json().coverUrl).toBeNull()
})

test('nobody deletes an image of another newsletter, nor an analyst one of their own', async () => {
  const id = await upload()
  const neighbour = await room.signUp({})
  const theirs = `/api/newsletters/${await addNewsletter(room.context.db, neighbour.userId)}`
  expect((await neighbour.call('DELETE', `${theirs}/media/${id}?evenIfUsed=true`)).statusCode).toBe(404)
  expect((await neighbour.call('DELETE', `${room.path}/media/${id}`)).statusCode).toBe(404)
  const analyst = await room.asMember(room.newsletterId, 'analyst')
  expect((await analyst.call('DELETE', `${room.path}/media/${id}`)).statusCode).toBe(403)
  expect((await room.inject({ url: `/media/${id}` })).statusCode).toBe(200)
})

test('what nothing uses is removed after 30 days, and what an earlier version shows is not', async () => {
  const [unused, inRevision, linked] = [await upload(), await upload(), await upload()]
  const draft = await draftWith(inRevision)
  await room.owner.call('PATCH', `${room.path}/publications/${draft.id}`, {
    revision: draft.revision,
    content: { type: 'doc', content: [paragraph('No picture any more.')] },
  })
  expect((await listed(inRevision)).uses).toMatchObject([{ kind: 'revision' }])
  await room.owner.call('POST', `${room.path}/links`, { target: `https://tirage.test/media/${linked}` })
  await collect(29)
  expect(await filesOf(unused)).toHaveLength(1)
  await collect(31)
  expect(await filesOf(unused)).toEqual([])
  expect(await filesOf(inRevision)).toHaveLength(1)
  expect(await filesOf(linked)).toHaveLength(1)
})

test('an image that was used until lately has its 30 days from then, and stays while its draft can be restored', async () => {
  const id = await upload()
  const draft = await draftWith(id)
  await collect(100)
  await room.owner.call('DELETE', `${room.path}/publications/${draft.id}`)
  await collect(101)
  await collect(132)
  expect(await filesOf(id)).toHaveLength(1)
  await room.owner.call('DELETE', `${room.path}/deleted-publications/${draft.id}`)
  await collect(133)
  await collect(162)
  expect(await filesOf(id)).toHaveLength(1)
  await collect(164)
  expect(await filesOf(id)).toEqual([])
})

test('an upload that was killed between row and file leaves neither', async () => {
  const id = await upload()
  await room.context.db.updateTable('media').set({ stored_at: null }).where('id', '=', id).execute()
  expect((await room.inject({ url: `/media/${id}` })).statusCode).toBe(404)
  expect(await listed(id)).toBeUndefined()
  await collect(0)
  expect(await filesOf(id)).toHaveLength(1)
  await collect(1)
  expect(await filesOf(id)).toEqual([])
  expect(await room.context.db.selectFrom('media').select('id').where('id', '=', id).execute()).toEqual([])
})

test('files of ours without a row go when they are old, and others stay', async () => {
  const old = new Date(Date.now() - 40 * DAY_MS)
  const put = async (name: string, at: Date) => {
    const path = join(folder(), name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, 'x')
    await utimes(path, at, at)
  }
  const id = await upload()
  const path = join(folder(), `${room.newsletterId}/${id}.jpg`)
  await utimes(path, old, old)
  await put('nobody/abcdefghij.jpg', old)
  await put('nobody/abcdefghij-600.jpg', old)
  await put('nobody/.abcdefghij.jpg.0123abcd.part', old)
  await put('nobody/qrstuvwxyz.jpg', new Date())
  await put('nobody/of-somebody-else.txt', old)
  await put('readme.jpg', old)
  await collect(0)
  expect(await readdir(join(folder(), 'nobody'))).toEqual(['of-somebody-else.txt', 'qrstuvwxyz.jpg'])
  expect(await readdir(folder())).toContain('readme.jpg')
  expect(await filesOf(id)).toHaveLength(1)
})

test('a newsletter that is forgotten takes its files with it', async () => {
  const newsletterId = await addNewsletter(room.context.db, room.owner.userId)
  const id = await upload(`/api/newsletters/${newsletterId}`)
  const kept = await upload()
  await room.inject({ url: `/media/${id}?w=320` })
  const longAgo = new Date(Date.now() - 31 * DAY_MS)
  await room.context.db.updateTable('newsletter').set({ deleted_at: longAgo }).where('id', '=', newsletterId).execute()
  await forgetNewslettersJob(room.context, async () => {})({}, helpers)
  await room.work()
  expect(await filesOf(id)).toEqual([])
  expect(await filesOf(kept)).toHaveLength(1)
})
