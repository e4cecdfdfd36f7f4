import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPaidPlan, addPaidSubscription } from '../testing/charge.ts'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { addOptInCampaign } from '../testing/opt-in.ts'

let room: TestNewsletter
beforeAll(async () => {
  room = await startTestNewsletter()
})
afterAll(() => room?.stop())

const call = async (method: 'GET' | 'POST', rest: string, body?: unknown) => {
  const answer = await room.owner.call(method, `${room.path}${rest}`, body)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}
const later = new Date(Date.now() + 3 * 86_400_000)

async function book(placementId: number, day: string): Promise<string> {
  const { id } = await call('POST', '/sponsorship/bookings', {
    ...{ placementId, day, sponsor: 'Maison Quéré', language: 'fr', currency: 'eur', amount: 41_000 },
  })
  return id
}

test('before a newsletter is deleted, its owner is told how many people, sponsors, publications and campaigns it hurts', async () => {
  expect(await call('GET', '/deletion')).toEqual({ paidAhead: 0, bookings: 0, accepted: 0, scheduled: 0, campaigns: 0 })

  const { db } = room.context
  const emails = ['paid@example.org', 'gift@example.org', 'given@example.org', 'over@example.org', 'test@example.org']
  const [paid = '', gift = '', given = '', over = '', tried = ''] = await room.addSubscribers(emails)
  const planId = await addPaidPlan(db, room.newsletterId)
  const of = (subscriberId: string) => ({ newsletterId: room.newsletterId, subscriberId })
  await addPaidSubscription(db, of(paid), { planId })
  await addPaidSubscription(db, of(gift), { planId, way: 'gift' })
  await addPaidSubscription(db, of(given), { planId, way: 'complimentary' })
  await addPaidSubscription(db, of(over), { planId, paid_until: new Date(Date.now() - 1_000), renews: false })
  await addPaidSubscription(db, of(tried), { planId, test: true })

  const words = { en: { name: 'Middle', disclosure: 'From our sponsor' } }
  const placement = await call('POST', '/sponsorship/placements', { words, place: 'middle', maxWords: 10, seats: 2 })
  const day = later.toISOString().slice(0, 10)
  await room.owner.call('PUT', `${room.path}/sponsorship/days`, { day, kind: 'added', reason: '' })
  const invoiced = await book(placement.id, day)
  await call('POST', `/sponsorship/bookings/${invoiced}/money`, { act: 'invoice' })
  await book(placement.id, day)

  const { id } = await room.draft()
  await room.send(id, { at: later.toISOString() })
  await room.draft()
  await addOptInCampaign(room)
  await addOptInCampaign(room, { startsAt: later.toISOString() })

  expect(await call('GET', '/deletion')).toEqual({ paidAhead: 3, bookings: 1, accepted: 1, scheduled: 1, campaigns: 1 })
})
