import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditedFigures, rounded } from '../sponsorship/public/figures.ts'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { suppress } from './change.ts'

let room: TestNewsletter
let publicationId: string
beforeAll(async () => {
  room = await startTestNewsletter()
  publicationId = (await room.draft()).id
  // A page that strangers see rounds, so that the next one who comes is seen there.
  await room.addSubscribers(Array.from({ length: 148 }, (_, n) => `reader${n}@example.org`))
})
afterAll(() => room.stop())

const read = async (address: string) => (await room.owner.call('GET', address)).json()
const act = async (method: 'POST' | 'DELETE', rest: string, body?: unknown) => {
  const answer = await room.owner.call(method, `${room.path}${rest}`, body)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}

/** The number of subscribers in each place that shows one. */
async function everywhere(): Promise<Record<string, number>> {
  const { newsletters } = await read('/api/newsletters')
  const { audience } = await read(`${room.path}/publications/${publicationId}/check`)
  const active = { all: [{ on: 'status', op: 'is', value: 'active' }] }
  const { receive, onDigest, paused, suppressed } = (await act('POST', '/segments/count', { filter: active })) as never
  return {
    switcher: newsletters.find(({ id }: { id: string }) => id === room.newsletterId).subscribers,
    sidebar: (await read(room.path)).subscribers,
    dashboard: (await read(`${room.path}/dashboard`)).subscribers.active,
    list: (await read(`${room.path}/subscribers?status=active`)).total,
    counted: (await read(`${room.path}/subscribers/count?status=active`)).total,
    preFlight: audience.receive + audience.onDigest + audience.paused + audience.suppressed,
    segment: receive + onDigest + paused + suppressed,
  }
}

async function expectEverywhere(subscribers: number): Promise<void> {
  const numbers = await everywhere()
  expect(numbers).toEqual(Object.fromEntries(Object.keys(numbers).map((place) => [place, subscribers])))
  const { db, now } = room.context
  expect((await auditedFigures(db, room.newsletterId, now())).subscribers).toEqual(rounded(subscribers))
}

async function confirm(email: string): Promise<void> {
  await room.work()
  const [mail] = (await room.context.relays.outbox.list()).filter(({ to }) => to.includes(email))
  const source = (await room.context.relays.outbox.read(mail?.id ?? ''))?.source.toString() ?? ''
  const link = /https?:\/\/[^\s"<]*\/confirm\/[\w.-]+/.exec(source.replaceAll('=\r\n', '').replaceAll('=3D', '='))?.[0]
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  await room.inject({ method: 'POST', url: new URL(link ?? '').pathname, headers, payload: '' })
}

test('one number of subscribers stands everywhere, whatever happens to one of them', async () => {
  const { db } = room.context
  await expectEverywhere(148)
  const { id } = await act('POST', '/subscribers', { email: 'ada@example.org' })
  await expectEverywhere(148)
  await confirm('ada@example.org')
  await expectEverywhere(149)
  const [bea = '', cleo = '', dan = ''] = await room.addSubscribers([
    'bea@example.org',
    'cleo@example.org',
    'dan@example.org',
  ])
  await expectEverywhere(152)

  await act('POST', `/subscribers/${id}/unsubscribe`, {})
  await expectEverywhere(151)
  const lost = { newsletterId: room.newsletterId, publicationId, words: '550 5.1.1 no such user' }
  await suppress(db, 'bounced', [{ ...lost, subscriberId: bea }])
  await expectEverywhere(150)
  await suppress(db, 'complained', [{ ...lost, subscriberId: cleo }])
  await expectEverywhere(149)
  // Who was stopped by hand, or paused, is subscribed: the check before sending says that they get nothing.
  await sql`insert into suppression (newsletter_id, email_normalised, reason)
    values (${room.newsletterId}, 'dan@example.org', 'by_hand')`.execute(db)
  await db
    .updateTable('subscriber')
    .set({ paused_until: sql`now() + interval '9 days'` })
    .where('email', '=', 'reader1@example.org')
    .execute()
  await expectEverywhere(149)
  await act('DELETE', `/subscribers/${room.context.shownIds.show(dan)}`)
  await expectEverywhere(148)
})

test('an address that was stopped by hand is nowhere said to have bounced', async () => {
  const { db } = room.context
  await room.addSubscribers(['eve@example.org', 'fay@example.org'])
  await sql`insert into suppression (newsletter_id, email_normalised, reason)
    values (${room.newsletterId}, 'eve@example.org', 'by_hand'), (${room.newsletterId}, 'unknown@example.org', 'by_hand'),
      (${room.newsletterId}, 'fay@example.org', 'bounced'), (${room.newsletterId}, 'lost@example.org', 'bounced')`.execute(
    db,
  )
  const { audience } = await read(`${room.path}/publications/${publicationId}/check`)
  expect(audience).toMatchObject({ suppressed: 2, byHand: 1 })
  const filter = { all: [{ on: 'email', op: 'contains', value: 'e' }] }
  expect(await act('POST', '/segments/count', { filter })).toMatchObject({ suppressed: 2, byHand: 1 })
  const refused = async (email: string) =>
    (await room.owner.call('POST', `${room.path}/subscribers`, { email })).json().error.fields.email
  expect(await refused('eve@example.org')).toContain('stopped by hand')
  expect(await refused('unknown@example.org')).toContain('stopped by hand')
  expect(await refused('lost@example.org')).toContain('bounced')
})
