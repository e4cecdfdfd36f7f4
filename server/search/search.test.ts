import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Session, startTestApp, type TestApp } from '../testing/app.ts'
import { MOST_FOUND } from './contract.ts'

let server: TestApp
let owner: Session
let newsletterId: string
let path: string

beforeAll(async () => {
  server = await startTestApp()
  owner = await server.signUp()
  newsletterId = await server.createNewsletter(owner)
  path = `/api/newsletters/${newsletterId}`
})
afterAll(() => server?.stop())

const find = async (words: string, who = owner) =>
  (await who.call('GET', `${path}/search?search=${encodeURIComponent(words)}`)).json()
const add = async (what: string, body: object) => (await owner.call('POST', `${path}/${what}`, body)).json()

const nothing = {
  publications: [],
  subscribers: [],
  segments: [],
  links: [],
  plans: [],
  campaigns: [],
  placements: [],
  bookings: [],
}

test('finds publications by title, subtitle and number, subscribers by address and name, and links of their own', async () => {
  const boats = await add('publications', { title: 'The last boats', subtitle: 'Audierne in winter' })
  const person = await add('subscribers', { email: 'yann@boats.example', name: 'Yann Le Bris' })
  const link = await add('links', { target: 'https://example.org/timetable', name: 'Boats to Sein' })
  expect(await find('BOATS')).toEqual({
    ...nothing,
    publications: [
      {
        id: boats.id,
        number: null,
        title: 'The last boats',
        language: 'en',
        status: 'draft',
        channel: 'everywhere',
        caught: false,
      },
    ],
    subscribers: [{ id: person.id, email: 'yann@boats.example', name: 'Yann Le Bris', status: 'pending' }],
    links: [{ id: link.id, name: 'Boats to Sein', target: 'https://example.org/timetable' }],
  })
  expect((await find('in winter')).publications).toHaveLength(1)
  expect((await find('le bris')).subscribers).toHaveLength(1)
  expect((await find('timetable')).links).toHaveLength(1)
  const { db } = server.context
  await db.updateTable('publication').set({ number: 417 }).where('id', '=', boats.id).execute()
  expect((await find('417')).publications).toMatchObject([{ id: boats.id, number: 417 }])
  expect(await find('no such thing')).toEqual(nothing)
})

test('finds plans, campaigns and placements by name, and bookings by sponsor, person and address', async () => {
  const planWords = { en: { name: 'Mooring', promise: 'Every letter.' }, fr: { name: 'Mouillage', promise: '' } }
  const plan = await add('charge/plans', { words: planWords })
  const campaign = await add('opt-in-campaigns', { name: 'Moorings of May' })
  const words = { en: { name: 'At the mooring', disclosure: 'Sponsored' } }
  const placement = await add('sponsorship/placements', { words, place: 'top', maxWords: 60 })
  const from = { placementId: placement.id, seat: 1, currency: 'eur', amount: 41_000, language: 'en' }
  const book = async (inDays: number, sponsor: string) => {
    const day = new Date(Date.now() + inDays * 86_400_000).toISOString().slice(0, 10)
    await owner.call('PUT', `${path}/sponsorship/days`, { day, kind: 'added' })
    return add('sponsorship/bookings', { ...from, day, sponsor, contact: 'Yann', email: 'yann@chandler.example' })
  }
  const early = await book(20, 'Mooring & Sons')
  const late = await book(30, 'The Chandlery')
  expect(await find('mooring')).toEqual({
    ...nothing,
    plans: [{ id: plan.id, words: planWords }],
    campaigns: [{ id: campaign.id, name: 'Moorings of May' }],
    // A campaign has a short link of its own.
    links: [expect.objectContaining({ name: 'Moorings of May' })],
    placements: [{ id: placement.id, words }],
    bookings: [
      {
        id: early.id,
        sponsor: 'Mooring & Sons',
        day: early.day,
        state: early.state,
        placement: { id: placement.id, words },
      },
    ],
  })
  expect((await find('mouillage')).plans).toHaveLength(1)
  const both = [{ id: late.id }, { id: early.id }]
  expect((await find('chandler.example')).bookings).toMatchObject(both)
  expect((await find('mooring', await server.asMember(newsletterId, 'analyst'))).plans).toHaveLength(1)
  const other = await server.createNewsletter(owner)
  const elsewhere = await owner.call('GET', `/api/newsletters/${other}/search?search=mooring`)
  expect(elsewhere.json()).toEqual(nothing)
})

test('finds segments by name, for whoever may read subscribers', async () => {
  const filter = { on: 'language', op: 'is', value: 'en' }
  const older = await add('segments', { name: 'Harbour people', filter })
  const newer = await add('segments', { name: 'Far from the HARBOUR', filter })
  const found = [newer, older].map(({ id, name }) => ({ id, name }))
  expect((await find('harbour')).segments).toEqual(found)
  expect((await find('harbour', await server.asMember(newsletterId, 'analyst'))).segments).toEqual(found)
})

test('signs of patterns are only signs', async () => {
  await add('publications', { title: '100% wool' })
  expect((await find('100%')).publications).toHaveLength(1)
  expect((await find('1%l')).publications).toEqual([])
  expect((await find('_')).publications).toEqual([])
})

test('shows the newest few of each kind', async () => {
  for (let n = 1; n <= MOST_FOUND + 2; n += 1) {
    await add('publications', { title: `Tide table ${n}` })
    await add('subscribers', { email: `tide${n}@example.org` })
    await add('links', { target: 'https://example.org/', name: `Tide ${n}` })
  }
  const { publications, subscribers, links } = await find('tide')
  const newest = Array.from({ length: MOST_FOUND }, (_, n) => MOST_FOUND + 2 - n)
  expect(publications.map(({ title }: { title: string }) => title)).toEqual(newest.map((n) => `Tide table ${n}`))
  expect(subscribers.map(({ email }: { email: string }) => email)).toEqual(newest.map((n) => `tide${n}@example.org`))
  expect(links.map(({ name }: { name: string }) => name)).toEqual(newest.map((n) => `Tide ${n}`))
})

test('nobody else finds anything, and a search needs words', async () => {
  const stranger = await server.signUp()
  expect((await stranger.call('GET', `${path}/search?search=tide`)).statusCode).toBe(404)
  expect((await server.stranger('GET', `${path}/search?search=tide`)).statusCode).toBe(401)
  for (const words of ['', '   ', 'x'.repeat(101), 'a\u0000'])
    expect((await owner.call('GET', `${path}/search?search=${encodeURIComponent(words)}`)).statusCode).toBe(422)
})
