import { afterAll, beforeAll, expect, test } from 'vitest'
import { paragraph, startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'

let room: TestNewsletter
beforeAll(async () => {
  room = await startTestNewsletter()
})
afterAll(() => room?.stop())

async function publish(title: string): Promise<string> {
  const { id } = await room.draft({ title, content: { type: 'doc', content: [paragraph(`Of ${title}.`)] } })
  const sent = await room.send(id, { channel: 'web' })
  expect(sent.statusCode, sent.body).toBe(200)
  return id
}

const path = (id: string, rest = '') => `${room.path}/publications/${id}${rest}`
async function take(id: string, slug: string): Promise<number> {
  const { revision } = (await room.owner.call('GET', path(id))).json()
  return (await room.owner.call('PATCH', path(id), { revision, slug })).statusCode
}

/** Where an address of this newsletter leads: to a page, elsewhere, or nowhere. */
async function visit(slug: string): Promise<[number, string?]> {
  const { statusCode, headers } = await room.inject({ url: `/n/${room.newsletterId}/${slug}` })
  const to = headers.location?.toString().replace(`/n/${room.newsletterId}/`, '')
  return to === undefined ? [statusCode] : [statusCode, to]
}

test('each earlier address of a publication leads to the one that it has, with what follows it, and can be had back', async () => {
  const id = await publish('A second pull')
  expect(await visit('a-second-pull')).toEqual([200])
  expect(await take(id, 'the-pull')).toBe(200)
  expect(await visit('a-second-pull')).toEqual([301, 'the-pull'])
  expect(await visit('a-second-pull?lang=fr&utm_source=mail')).toEqual([301, 'the-pull?lang=fr&utm_source=mail'])
  expect(await take(id, 'pulled')).toBe(200)
  for (const earlier of ['a-second-pull', 'the-pull']) expect(await visit(earlier)).toEqual([301, 'pulled'])
  expect(await take(id, 'a-second-pull')).toBe(200)
  expect(await visit('a-second-pull')).toEqual([200])
  for (const earlier of ['the-pull', 'pulled']) expect(await visit(earlier)).toEqual([301, 'a-second-pull'])
})

test('browsers ask again each time, since what was given up can be had back; the address keeps the newsletter’s handle', async () => {
  const id = await publish('Kept by nothing')
  await take(id, 'kept')
  const before = (await room.owner.call('GET', room.path)).json().handle
  await room.owner.call('PATCH', room.path, { handle: 'low-water-mark' })
  const { headers } = await room.inject({ url: `/n/${room.newsletterId}/kept-by-nothing` })
  expect([headers['cache-control'], headers.location]).toEqual(['no-cache', '/n/low-water-mark/kept'])
  await room.owner.call('PATCH', room.path, { handle: before })
})

test('what another publication has counts before what one had, and a made one takes no address that leads somewhere', async () => {
  const first = await publish('Herring')
  await take(first, 'herring-and-others')
  const second = await publish('Herring')
  expect((await room.owner.call('GET', path(second))).json().slug).toBe('herring-2')
  expect(await visit('herring')).toEqual([301, 'herring-and-others'])
  expect(await take(second, 'herring')).toBe(200)
  expect(await visit('herring')).toEqual([200])
  expect(await take(second, 'smoked-herring')).toBe(200)
  expect(await visit('herring')).toEqual([301, 'smoked-herring'])
})

test('a draft that keeps an address for itself takes it from nobody before it is out', async () => {
  const id = await publish('Mackerel')
  await take(id, 'mackerel-and-others')
  const draft = await room.draft({ title: 'Not out' })
  expect(await take(draft.id, 'mackerel')).toBe(200)
  expect(await visit('mackerel')).toEqual([301, 'mackerel-and-others'])
  await room.send(draft.id, { channel: 'web' })
  expect(await visit('mackerel')).toEqual([200])
})

test('earlier addresses of what is off the web say that it is gone, and not where it was moved', async () => {
  const id = await publish('Sprats')
  await take(id, 'secret-name-of-sprats')
  expect((await room.owner.call('POST', path(id, '/take-off-web'), {})).statusCode).toBe(200)
  const gone = await room.inject({ url: `/n/${room.newsletterId}/sprats` })
  expect([gone.statusCode, gone.headers.location]).toEqual([410, undefined])
  expect(gone.body).not.toContain('secret-name')
  expect(await take(id, 'another-name')).toBe(200)
  expect([await visit('sprats'), await visit('secret-name-of-sprats')]).toEqual([[410], [410]])
  await room.owner.call('POST', path(id, '/put-back-on-web'), {})
  expect(await visit('sprats')).toEqual([301, 'another-name'])
  const other = await publish('Whitebait')
  expect(await take(other, 'sprats')).toBe(200)
  await room.owner.call('POST', path(other, '/take-off-web'), {})
  expect(await visit('sprats')).toEqual([410])
})

test('an address that a draft had leads nowhere, nor does one of another newsletter or of what was deleted', async () => {
  const draft = await room.draft({ title: 'Pilchards' })
  await take(draft.id, 'pilchards-before')
  await take(draft.id, 'pilchards')
  await room.send(draft.id, { channel: 'web' })
  expect([await visit('pilchards-before'), await visit('pilchards')]).toEqual([[404], [200]])
  await take(draft.id, 'sardines')
  const elsewhere = await room.owner.call('POST', '/api/newsletters', { name: 'Elsewhere', timezone: 'UTC' })
  expect((await room.inject({ url: `/n/${elsewhere.json().id}/pilchards` })).statusCode).toBe(404)
  await room.context.db.deleteFrom('publication').where('id', '=', draft.id).execute()
  expect(await visit('pilchards')).toEqual([404])
})

test('the last ten go on working', async () => {
  const id = await publish('Haddock')
  for (let n = 1; n <= 11; n += 1) expect(await take(id, `haddock-no-${n}`)).toBe(200)
  expect([await visit('haddock'), await visit('haddock-no-1')]).toEqual([[404], [301, 'haddock-no-11']])
})
