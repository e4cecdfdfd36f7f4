import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'

let room: TestNewsletter
beforeAll(async () => {
  room = await startTestNewsletter()
})
afterAll(() => room.stop())

const newsletterIn = async (language: 'en' | 'fr') => {
  const body = { name: 'Low Water', language, timezone: 'Europe/Paris', currency: 'eur' }
  const { id } = (await room.owner.call('POST', '/api/newsletters', body)).json()
  return `/api/newsletters/${id}`
}
const drafts = async (path: string) => (await room.owner.call('GET', `${path}/publications?status=draft`)).json().rows
const makeSample = (path: string) => room.owner.call('POST', `${path}/publications/sample`)

test.each([
  ['en', 'A sample letter'],
  ['fr', 'Un exemple de lettre'],
] as const)(
  'the sample is one draft in the language of the newsletter (%s), also when two ask at once',
  async (language, title) => {
    const path = await newsletterIn(language)
    const made = await Promise.all([makeSample(path), makeSample(path)])
    const again = await makeSample(path)
    expect([...made, again].map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    expect(await drafts(path)).toMatchObject([{ id: again.json().id, title, language, status: 'draft' }])
    const types = again.json().content.content.map(({ type }: { type: string }) => type)
    for (const type of ['paragraph', 'heading', 'blockquote', 'bulletList', 'button']) expect(types).toContain(type)
  },
)

test('the sample of each newsletter is its own, and comes back after it was deleted', async () => {
  const [one, other] = [await newsletterIn('en'), await newsletterIn('en')]
  const sample = (await makeSample(one)).json()
  expect((await makeSample(other)).json().id).not.toBe(sample.id)
  expect((await room.owner.call('DELETE', `${one}/publications/${sample.id}`)).statusCode).toBe(200)
  expect(await drafts(one)).toEqual([])
  expect((await makeSample(one)).json()).toMatchObject({ id: sample.id, title: 'A sample letter' })
  const [deleted] = (await room.owner.call('GET', `${one}/deleted-publications`)).json().rows
  expect((await room.owner.call('POST', `${one}/publications/${deleted.id}/restore`)).statusCode).toBe(200)
  expect(await drafts(one)).toMatchObject([{ title: 'A sample letter' }, { title: 'A sample letter' }])
})

test('the answer to a test names the very mail in the outbox', async () => {
  const path = await newsletterIn('en')
  const { id } = (await makeSample(path)).json()
  const sent = await room.owner.call('POST', `${path}/publications/${id}/test`, {})
  expect(sent.statusCode, sent.body).toBe(200)
  const mail = await room.owner.call('GET', `${path}/outbox/${sent.json().mailId}`)
  expect(mail.json()).toMatchObject({ subject: '[Test] A sample letter' })
  expect(mail.json().text).toContain('Nobody but you has received it')
  expect(mail.json().html).toContain('See your subscribe page')
})

test('a test of a publication without words is refused', async () => {
  const path = await newsletterIn('en')
  const { id } = (await room.owner.call('POST', `${path}/publications`, { title: 'Only a title' })).json()
  const sent = await room.owner.call('POST', `${path}/publications/${id}/test`, {})
  expect([sent.statusCode, sent.json().error.code]).toEqual([422, 'empty_publication'])
})
