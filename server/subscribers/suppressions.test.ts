import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordFeedback } from '../feedback/feedback.ts'
import { addAcceptedDeliveries } from '../testing/deliveries.ts'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { suppress } from './change.ts'

let server: TestNewsletter
beforeAll(async () => {
  server = await startTestNewsletter()
})
afterAll(() => server?.stop())

const RELAY = '550 relay not permitted'
const none = { unsubscribed: 0, complained: 0, erased: 0 }

async function lose(names: string[], words = (_name: string) => RELAY, reason: 'bounced' | 'complained' = 'bounced') {
  const ids = await server.addSubscribers(names.map((name) => `${name}@example.org`))
  const { id: publicationId } = await server.draft({ title: 'Low tide' })
  const lost = ids.map((subscriberId, i) => ({
    newsletterId: server.newsletterId,
    subscriberId,
    publicationId,
    words: words(names[i] ?? ''),
  }))
  await suppress(server.context.db, reason, lost)
  return { ids, publicationId }
}
const shown = (id: string) => server.context.shownIds.show(id)
const post = (path: string, body: unknown, session = server.owner) =>
  session.call('POST', `${server.path}/${path}`, body)
const groups = async (query = '') =>
  (await server.owner.call('GET', `${server.path}/suppressions/groups${query}`)).json().groups
const read = async (id: string) => (await server.owner.call('GET', server.subscriberPath(id))).json()

test('two thousand readers whom one answer suppressed are one group, and are restored at once', async () => {
  const names = Array.from({ length: 2_000 }, (_, i) => `reader${i}`)
  const { ids, publicationId } = await lose(names, (name) => `550 5.7.1 <${name}@example.org>: Relay access denied`)
  await lose(['gone1', 'gone2'], (name) => `550 5.1.1 <${name}@example.org>: no such user`)
  const [large, small, ...others] = await groups()
  expect(large).toMatchObject({
    answer: '550 5.7.1 …: Relay access denied',
    publication: { id: publicationId, title: 'Low tide' },
    subscribers: 2_000,
    gone: false,
  })
  expect(small).toMatchObject({ answer: '550 5.1.1 …: no such user', subscribers: 2, gone: true })
  expect(others).toEqual([])
  expect(await groups('?atLeast=3')).toHaveLength(1)

  const body = { answer: large.answer, publicationId, reason: 'Our relay was\nmisconfigured' }
  const answers = await Promise.all([post('suppressions/lift', body), post('suppressions/lift', body)])
  const restored = answers.map((answer) => answer.json().restored)
  expect(restored.toSorted((a, b) => a - b)).toEqual([0, 2_000])
  expect((await post('suppressions/lift', body)).json()).toEqual({ restored: 0, kept: none })
  const { db } = server.context
  const active = await db.selectFrom('subscriber').select('id').where('status', '=', 'active').execute()
  expect(active.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  const events = await sql`select from event where kind = 'restored'`.execute(db)
  expect(events.rows).toHaveLength(2_000)
  const lines = await db.selectFrom('audit').selectAll().execute()
  expect(lines).toMatchObject([
    {
      actor: 'member',
      user_id: server.owner.userId,
      reason: 'Our relay was misconfigured',
      detail: { by: 'answer', answer: large.answer, publicationId, restored: 2_000, lifted: 2_000 },
    },
  ])
  expect((await groups()).map(({ subscribers }: { subscribers: number }) => subscribers)).toEqual([2])

  const { suppressions, status } = await read(ids[7] ?? '')
  expect(status).toBe('active')
  expect(suppressions).toMatchObject([
    {
      reason: 'bounced',
      words: '550 5.7.1 <reader7@example.org>: Relay access denied',
      publicationTitle: 'Low tide',
      lifted: { actor: 'member', name: 'Inès', reason: 'Our relay was misconfigured' },
    },
  ])
})

test('one subscriber is restored, and the reason is on their timeline', async () => {
  const { ids } = await lose(['one'])
  const [id = ''] = ids
  expect((await read(id)).suppressions).toMatchObject([{ words: RELAY, lifted: null }])
  const answer = await post(`subscribers/${shown(id)}/restore`, { reason: 'She wrote to me' })
  expect(answer.json()).toEqual({ restored: 1, kept: none })
  expect((await post(`subscribers/${shown(id)}/restore`, { reason: 'Again' })).json()).toEqual({
    restored: 0,
    kept: none,
  })
  expect(await read(id)).toMatchObject({ status: 'active', suppressions: [{ lifted: { reason: 'She wrote to me' } }] })
})

test('the owner restores who is suppressed by hand, and an API key is named as one in the audit', async () => {
  const [id = ''] = await server.addSubscribers(['hand@example.org'])
  const { db } = server.context
  const hand = { newsletter_id: server.newsletterId, email_normalised: 'hand@example.org', reason: 'by_hand' } as const
  await db.insertInto('suppression').values(hand).execute()
  const made = await server.owner.call('POST', `${server.path}/api-keys`, { name: 'Form', role: 'editor' })
  const call = server.withKey(made.json().secret)
  const answer = await call('POST', `${server.subscriberPath(id)}/restore`, { reason: 'A letter' })
  expect(answer.json()).toEqual({ restored: 1, kept: none })
  expect((await read(id)).suppressions).toMatchObject([{ reason: 'by_hand', lifted: { actor: 'api_key', name: null } }])
})

test('who was restored is not suppressed by the soft bounces of before', async () => {
  const { db } = server.context
  await server.owner.call('PATCH', server.path, { softBounceLimit: 2 })
  const [id = ''] = await server.addSubscribers(['soft@example.org'])
  const bounce = async () => {
    const [delivery] = await addAcceptedDeliveries(server, [id])
    if (!delivery) throw new Error('there is one')
    await recordFeedback(db, delivery, {
      source: 'dsn',
      kind: 'soft',
      status: '4.2.2',
      words: '452 4.2.2 mailbox full',
    })
    return (await read(id)).status
  }
  expect([await bounce(), await bounce()]).toEqual(['active', 'bounced'])
  await post(`subscribers/${shown(id)}/restore`, { reason: 'They emptied it' })
  expect([await bounce(), await bounce()]).toEqual(['active', 'bounced'])
})

test('a complaint is not the owner’s to lift, whichever way they try', async () => {
  const { ids, publicationId } = await lose(['spam'], () => 'abuse', 'complained')
  const [id = ''] = ids
  const refused = await post(`subscribers/${shown(id)}/restore`, { reason: 'Please' })
  expect([refused.statusCode, refused.json().error.code]).toEqual([409, 'subscriber_complained'])
  const kept = { restored: 0, kept: { ...none, complained: 1 } }
  expect((await post('suppressions/lift', { publicationId, reason: 'x' })).json()).toEqual(kept)
  expect((await post('suppressions/lift', { answer: 'abuse', reason: 'x' })).json()).toEqual(kept)
  expect((await read(id)).status).toBe('complained')
})

test('by publication: who had left stays unsubscribed, and nobody erased comes back', async () => {
  const [left = '', erased = ''] = await server.addSubscribers(['left@example.org', 'erased@example.org'])
  await post(`subscribers/${shown(left)}/unsubscribe`, undefined)
  const { id: publicationId } = await server.draft()
  const key = { newsletterId: server.newsletterId, publicationId, words: RELAY }
  await suppress(
    server.context.db,
    'bounced',
    [left, erased].map((subscriberId) => ({ ...key, subscriberId })),
  )
  await server.owner.call('DELETE', server.subscriberPath(erased))
  expect(await groups('?atLeast=1')).toContainEqual(expect.objectContaining({ answer: RELAY, subscribers: 1 }))
  const answer = await post('suppressions/lift', { publicationId, reason: 'Our relay' })
  expect(answer.json()).toEqual({ restored: 0, kept: { unsubscribed: 1, complained: 0, erased: 0 } })
  expect((await read(left)).status).toBe('unsubscribed')
})

test('what is missing, huge, foreign or of the wrong kind is refused and lifts nothing', async () => {
  const { ids, publicationId } = await lose(['kept'])
  const [id = ''] = ids
  const reason = 'x'
  const bodies: [unknown, number][] = [
    [{}, 422],
    [{ reason: '' }, 422],
    [{ reason }, 422],
    [{ reason, publicationId: null }, 422],
    [{ reason: ' \u0000 ', publicationId }, 422],
    [{ reason: 'x'.repeat(501), publicationId }, 422],
    [{ reason: 7, publicationId }, 422],
    [{ reason, answer: 'x'.repeat(301) }, 422],
    [{ reason, answer: 'a\u0000b' }, 422],
    [{ reason, publicationId: 'x'.repeat(101) }, 422],
    [{ reason, publicationId: 'nothing' }, 404],
    [{ reason, publicationId: 'nul\u0000' }, 400],
    ['x', 415],
    [{ reason: 'x'.repeat(5_000_000), publicationId }, 413],
  ]
  for (const [body, status] of bodies)
    expect([JSON.stringify(body).slice(0, 60), (await post('suppressions/lift', body)).statusCode]).toEqual([
      JSON.stringify(body).slice(0, 60),
      status,
    ])
  for (const body of [{}, { reason: '' }, { reason: 'x'.repeat(501) }])
    expect((await post(`subscribers/${shown(id)}/restore`, body)).statusCode).toBe(422)
  expect((await post('subscribers/00000000000000000000000000000000/restore', { reason })).statusCode).toBe(404)
  expect((await post('subscribers/nobody/restore', { reason })).statusCode).toBe(404)
  for (const query of ['?atLeast=0', '?atLeast=x', '?atLeast=1e9'])
    expect((await server.owner.call('GET', `${server.path}/suppressions/groups${query}`)).statusCode).toBe(422)

  const stranger = await server.signUp()
  expect((await post('suppressions/lift', { reason, publicationId }, stranger)).statusCode).toBe(404)
  const theirs = `/api/newsletters/${await server.createNewsletter(stranger)}`
  const foreign = await stranger.call('POST', `${theirs}/suppressions/lift`, { reason, publicationId })
  expect(foreign.statusCode).toBe(404)
  expect((await stranger.call('POST', `${theirs}/subscribers/${shown(id)}/restore`, { reason })).statusCode).toBe(404)
  expect((await stranger.call('POST', `${theirs}/suppressions/lift`, { reason, answer: RELAY })).json().restored).toBe(
    0,
  )
  expect((await stranger.call('GET', `${theirs}/suppressions/groups?atLeast=1`)).json()).toEqual({ groups: [] })
  expect((await read(id)).status).toBe('bounced')
})
