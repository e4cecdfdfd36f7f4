import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Dispatcher } from '../sending/dispatcher.ts'
import { confirmToken } from '../subscribers/confirm.ts'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { type RecordingRelay, startRecordingRelay } from '../testing/recording-relay.ts'
import { Enroller } from './enroller.ts'

let relay: RecordingRelay
let server: TestNewsletter

beforeAll(async () => {
  relay = await startRecordingRelay()
})
afterAll(() => relay.stop())
beforeEach(async () => {
  server = await startTestNewsletter({ SMTP_URL: relay.url, SUBSCRIBE_LIMIT: '100000', SUBSCRIBE_PRESSURE: '100000' })
  relay.received.length = 0
  return () => server.stop()
})

const call = (method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) =>
  server.owner.call(method, server.path + path, body)

async function set(body: Record<string, unknown>) {
  const answer = await call('PUT', '/welcomes', { segmentId: null, ...body })
  expect([answer.statusCode, answer.body]).toEqual([200, expect.any(String)])
  return answer.json()
}

const form = (path: string, fields: Record<string, string>) =>
  server.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  })

const ask = (email: string) => form(`/subscribe/${server.newsletterId}`, { email, language: 'en', consent: 'yes' })

const find = (email: string) =>
  server.context.db.selectFrom('subscriber').selectAll().where('email', '=', email).executeTakeFirstOrThrow()

const confirm = async (email: string) => {
  const token = confirmToken(server.context.signer, await find(email))
  expect((await form(`/confirm/${token}`, {})).statusCode).toBeLessThan(400)
}

async function join(email: string): Promise<void> {
  await ask(email)
  await confirm(email)
}

const leave = async (email: string) =>
  form(`/unsub/${server.newsletterId}/${(await find(email)).id}`, { 'List-Unsubscribe': 'One-Click' })

/** Who got which publication, by its title, in no order. */
async function got(): Promise<string[]> {
  await server.work()
  return (
    relay.received
      // Confirmations have none.
      .filter(({ raw }) => raw.includes('Precedence: bulk'))
      .map(({ to, raw }) => `${to} ${/^Subject: (.*)\r$/m.exec(raw)?.[1]}`)
      .sort()
  )
}

const lookNow = () => sql`update welcome set look_at = now() where look_at is not null`.execute(server.context.db)

describe('the welcome of a newsletter', () => {
  test('goes once to everybody who confirms from then on, and to nobody who was there', async () => {
    await server.addSubscribers(['before@example.org'])
    const { id } = await server.draft({ title: 'Hello' })
    expect(await set({ publicationId: id })).toMatchObject({
      segment: null,
      publication: { id, title: 'Hello' },
      delayDays: 0,
      paused: false,
      stoppedBy: null,
    })
    await ask('asked@example.org')
    await join('ada@example.org')
    expect(await got()).toEqual(['ada@example.org Hello'])
    await join('ivo@example.org')
    await confirm('ada@example.org')
    expect(await got()).toEqual(['ada@example.org Hello', 'ivo@example.org Hello'])
    const [welcome] = (await call('GET', '/welcomes')).json().welcomes
    expect(welcome.counts).toEqual({ accepted: 2, caught: 0, waiting: 0, failed: 0, suppressed: 0, uncertain: 0 })
  })

  test('leaves the publication a draft, whose other sending leaves out who was welcomed', async () => {
    const { id } = await server.draft({ title: 'Hello' })
    await server.addSubscribers(['before@example.org'])
    await set({ publicationId: id })
    await join('ada@example.org')
    await server.work()
    expect(await server.state(id)).toEqual({ status: 'draft', stopped_by: null })
    const { audience } = (await call('GET', `/publications/${id}/check`)).json()
    expect(audience).toMatchObject({ receive: 1, already: 1 })
    expect((await server.send(id)).statusCode).toBe(200)
    await join('ivo@example.org')
    expect(await got()).toEqual(['ada@example.org Hello', 'before@example.org Hello', 'ivo@example.org Hello'])
    expect(await server.state(id)).toEqual({ status: 'sent', stopped_by: null })
    expect((await call('POST', `/publications/${id}/pause`)).statusCode).toBe(409)
  })

  test('has its copies told apart from those of the other sending', async () => {
    const { id } = await server.draft({ title: 'Hello' })
    await server.addSubscribers(['before@example.org'])
    expect((await server.send(id)).statusCode).toBe(200)
    await server.work()
    const result = async () => (await call('GET', `/publications/${id}/result`)).json()
    expect(await result()).toMatchObject({ counts: { intended: 1 }, asWelcome: 0 })
    await set({ publicationId: id })
    await join('ada@example.org')
    await server.work()
    expect(await result()).toMatchObject({ counts: { intended: 2, accepted: 2 }, asWelcome: 1 })
    const { rows } = (await call('GET', `/publications/${id}/deliveries`)).json()
    expect(rows).toEqual([
      expect.objectContaining({ email: 'before@example.org', asWelcome: false }),
      expect.objectContaining({ email: 'ada@example.org', asWelcome: true }),
    ])
  })

  test('counts nobody among its readers who was welcomed with it, and asks nothing of them', async () => {
    const { id } = await server.draft({ title: 'Hello' })
    await set({ publicationId: id })
    await join('ada@example.org')
    await server.work()
    expect((await call('GET', `/publications/${id}/check`)).json()).toMatchObject({
      audience: { receive: 0, already: 1 },
      problems: expect.arrayContaining([expect.objectContaining({ code: 'no_subscribers', blocks: true })]),
    })
    expect((await server.send(id)).json().error.code).toBe('no_subscribers')
  })

  test('does not go a second time to who leaves and comes back, nor under another welcome', async () => {
    await set({ publicationId: (await server.draft({ title: 'Hello' })).id })
    await join('ada@example.org')
    await server.work()
    await leave('ada@example.org')
    await sql`update subscriber set asked_at = asked_at - interval '1 day', left_at = left_at - interval '1 hour'`.execute(
      server.context.db,
    )
    await set({ publicationId: (await server.draft({ title: 'Other' })).id })
    await join('ada@example.org')
    expect((await find('ada@example.org')).status).toBe('active')
    await join('ivo@example.org')
    expect(await got()).toEqual(['ada@example.org Hello', 'ivo@example.org Other'])
  })

  test('does not reach who leaves before it does, nor who was suppressed by hand', async () => {
    await set({ publicationId: (await server.draft({ title: 'Hello' })).id })
    await join('gone@example.org')
    await leave('gone@example.org')
    await join('late@example.org')
    await new Enroller(server.context).drain()
    await leave('late@example.org')
    await join('stopped@example.org')
    await sql`insert into suppression (newsletter_id, email_normalised, reason)
      values (${server.newsletterId}, 'stopped@example.org', 'by_hand')`.execute(server.context.db)
    expect(await got()).toEqual([])
  })

  test('waits for as many days as its owner chose', async () => {
    const { id } = await server.draft({ title: 'Hello' })
    await set({ publicationId: id, delayDays: 3 })
    await join('ada@example.org')
    expect(await got()).toEqual([])
    const pass = (hours: number) =>
      sql`update delivery set due_at = due_at - ${hours} * interval '1 hour'`.execute(server.context.db)
    await pass(71)
    expect(await got()).toEqual([])
    await pass(1)
    expect(await got()).toEqual(['ada@example.org Hello'])
  })

  test('is held, keeps who comes meanwhile, and goes on', async () => {
    const { id } = await server.draft({ title: 'Hello' })
    await set({ publicationId: id })
    expect(await set({ publicationId: id, paused: true })).toMatchObject({ paused: true, stoppedBy: null })
    await join('ada@example.org')
    expect(await got()).toEqual([])
    await set({ publicationId: id })
    expect(await got()).toEqual(['ada@example.org Hello'])
    await set({ publicationId: id, delayDays: 2 })
    const { rows } = (await call('GET', '/audit')).json()
    const lines = rows.filter(({ act }: { act: string }) => act === 'welcome_set')
    const changes = lines.map(({ detail }: { detail: { change?: string } }) => detail.change ?? null)
    expect(changes).toEqual(['changed', 'let_go_on', 'held', null])
  })

  test('ends: who waits for it gets none, who comes afterwards neither, and a new one begins with who comes then', async () => {
    const { id } = await server.draft({ title: 'Hello' })
    const welcome = await set({ publicationId: id, delayDays: 1 })
    await join('ada@example.org')
    await server.work()
    await join('between@example.org')
    expect((await call('DELETE', `/welcomes/${welcome.id}`)).statusCode).toBe(200)
    expect((await call('DELETE', `/welcomes/${welcome.id}`)).statusCode).toBe(404)
    await join('ivo@example.org')
    expect(await server.counts(id)).toMatchObject({ intended: 1, suppressed: 1 })
    await set({ publicationId: (await server.draft({ title: 'New' })).id })
    await join('eve@example.org')
    expect(await got()).toEqual(['eve@example.org New'])
  })

  test('changed to another publication, it still brings the first to who joined before', async () => {
    await set({ publicationId: (await server.draft({ title: 'First' })).id, delayDays: 1 })
    await join('ada@example.org')
    await server.work()
    await set({ publicationId: (await server.draft({ title: 'Second' })).id })
    await join('ivo@example.org')
    await sql`update delivery set due_at = now() where due_at is not null`.execute(server.context.db)
    expect(await got()).toEqual(['ada@example.org First', 'ivo@example.org Second'])
    const states = await server.context.db.selectFrom('sending').select('state').orderBy('state').execute()
    expect(states).toEqual([{ state: 'sending' }, { state: 'sent' }])
  })

  test('changed while it is held, it brings the first to who waits as soon as it goes on', async () => {
    const first = (await server.draft({ title: 'First' })).id
    const second = (await server.draft({ title: 'Second' })).id
    await set({ publicationId: first, paused: true })
    await join('ada@example.org')
    expect(await got()).toEqual([])
    const changed = await set({ publicationId: second, paused: true })
    expect(changed).toMatchObject({ paused: true, counts: { waiting: 1 }, earlier: { waiting: 1, paused: false } })
    await join('ivo@example.org')
    expect(await got()).toEqual([])
    expect((await call('DELETE', `/publications/${first}`)).json().error.code).toBe('is_welcome')
    const goesOn = await set({ publicationId: second })
    expect(goesOn).toMatchObject({ paused: false, counts: { waiting: 2 }, earlier: { waiting: 1, paused: false } })
    expect(await got()).toEqual(['ada@example.org First', 'ivo@example.org Second'])
    const [welcome] = (await call('GET', '/welcomes')).json().welcomes
    expect(welcome).toMatchObject({ counts: { waiting: 0 }, earlier: { waiting: 0, paused: false } })
  })

  test('lets a publication be deleted that was chosen before, when nobody waits for it', async () => {
    const first = (await server.draft({ title: 'First' })).id
    await set({ publicationId: first, paused: true })
    await set({ publicationId: (await server.draft({ title: 'Second' })).id, paused: true })
    expect((await call('DELETE', `/publications/${first}`)).statusCode).toBe(200)
  })

  test('changed and changed back while it is held, everybody gets one', async () => {
    const [first, second] = [await server.draft({ title: 'First' }), await server.draft({ title: 'Second' })]
    await set({ publicationId: first.id, paused: true })
    await join('ada@example.org')
    await server.work()
    await set({ publicationId: second.id, paused: true })
    await set({ publicationId: first.id, paused: true })
    await join('ivo@example.org')
    await server.work()
    await set({ publicationId: first.id })
    expect(await got()).toEqual(['ada@example.org First', 'ivo@example.org First'])
  })

  test('says that what was chosen before has stopped by itself, and lets it go on', async () => {
    const first = await server.draft({ title: 'First' })
    await set({ publicationId: first.id, delayDays: 1 })
    await join('ada@example.org')
    await server.work()
    await set({ publicationId: (await server.draft({ title: 'Second' })).id })
    const save = (revision: number, title: string) => call('PATCH', `/publications/${first.id}`, { revision, title })
    await save(first.revision, '')
    await sql`update delivery set due_at = now() where due_at is not null`.execute(server.context.db)
    expect(await got()).toEqual([])
    const [welcome] = (await call('GET', '/welcomes')).json().welcomes
    expect(welcome).toMatchObject({
      ...{ paused: false, stoppedBy: null, counts: { waiting: 1 } },
      earlier: { waiting: 1, paused: true, stoppedBy: 'no_title' },
    })
    await save(first.revision + 1, 'First')
    await set({ publicationId: welcome.publication.id })
    expect(await got()).toEqual(['ada@example.org First'])
  })

  test('ends for those too who wait for what was chosen before', async () => {
    await set({ publicationId: (await server.draft({ title: 'First' })).id, paused: true })
    await join('ada@example.org')
    await server.work()
    const second = (await server.draft({ title: 'Second' })).id
    const welcome = await set({ publicationId: second, paused: true })
    expect((await call('DELETE', `/welcomes/${welcome.id}`)).statusCode).toBe(200)
    const states = await server.context.db.selectFrom('delivery').select(['state', 'answer']).execute()
    expect(states).toEqual([{ state: 'suppressed', answer: 'cancelled' }])
    expect(await got()).toEqual([])
  })

  test('stops and says why when its draft has become empty, and goes on when it has words again', async () => {
    const draft = await server.draft({ title: 'Hello' })
    await set({ publicationId: draft.id })
    const save = (revision: number, title: string) => call('PATCH', `/publications/${draft.id}`, { revision, title })
    expect((await save(draft.revision, '')).statusCode).toBe(200)
    await join('ada@example.org')
    expect(await got()).toEqual([])
    const [welcome] = (await call('GET', '/welcomes')).json().welcomes
    expect(welcome).toMatchObject({ paused: true, stoppedBy: 'no_title', counts: { waiting: 1 } })
    expect((await call('PUT', '/welcomes', { segmentId: null, publicationId: draft.id })).json().error.code).toBe(
      'no_title',
    )
    await save(draft.revision + 1, 'Welcome')
    await set({ publicationId: draft.id })
    expect(await got()).toEqual(['ada@example.org Welcome'])
  })

  test('rests while the newsletter is closed', async () => {
    await set({ publicationId: (await server.draft({ title: 'Hello' })).id })
    await join('ada@example.org')
    await call('DELETE', '')
    expect(await got()).toEqual([])
    await server.owner.call('POST', '/api/me/newsletters/restore', { newsletterId: server.newsletterId })
    expect(await got()).toEqual(['ada@example.org Hello'])
  })

  test('keeps its publication from being deleted', async () => {
    const { id } = await server.draft()
    const welcome = await set({ publicationId: id })
    expect((await call('DELETE', `/publications/${id}`)).json().error.code).toBe('is_welcome')
    await call('DELETE', `/welcomes/${welcome.id}`)
    expect((await call('DELETE', `/publications/${id}`)).statusCode).toBe(200)
  })

  test('needs a publication that can be sent, and a newsletter that may send', async () => {
    const { id } = await server.draft({ title: '' })
    const proven = (is: boolean) => sql`update "user" set email_verified = ${is}`.execute(server.context.db)
    await proven(false)
    const unproven = await call('PUT', '/welcomes', { segmentId: null, publicationId: (await server.draft()).id })
    expect(unproven.json().error.code).toBe('owner_unconfirmed')
    await proven(true)
    const refusals = [
      [{ publicationId: 'nothing' }, 404, 'publication_not_found'],
      [{ publicationId: id }, 422, 'no_title'],
      [{ publicationId: id, delayDays: 15 }, 422, 'invalid'],
      [{ publicationId: id, delayDays: 0.5 }, 422, 'invalid'],
      [{ publicationId: (await server.draft()).id, segmentId: 999 }, 404, 'segment_not_found'],
    ] as const
    for (const [body, status, code] of refusals) {
      const answer = await call('PUT', '/welcomes', { segmentId: null, ...body })
      expect([body, answer.statusCode, answer.json().error.code]).toEqual([body, status, code])
    }
    expect((await call('GET', '/welcomes')).json()).toEqual({ welcomes: [] })
  })
})

describe('the welcome of a segment', () => {
  const tagged = (tag: number) => ({ on: 'tag', op: 'has', tag })

  async function segmentOf(filter: unknown): Promise<number> {
    return (await call('POST', '/segments', { name: `Segment ${JSON.stringify(filter)}`.slice(0, 60), filter })).json()
      .id
  }
  const giveTag = async (email: string, ...tagIds: number[]) =>
    expect(
      (await server.owner.call('PATCH', server.subscriberPath((await find(email)).id), { tagIds })).statusCode,
    ).toBe(200)
  const newTag = async (name: string): Promise<number> => (await call('POST', '/tags', { name })).json().id

  test('goes once to who joins it, and not to who was in it, nor to who leaves and comes back', async () => {
    await server.addSubscribers(['in@example.org', 'ada@example.org', 'ivo@example.org'])
    const tag = await newTag('Friends')
    await giveTag('in@example.org', tag)
    const segmentId = await segmentOf(tagged(tag))
    const { id } = await server.draft({ title: 'Friend' })
    expect(await set({ segmentId, publicationId: id })).toMatchObject({ segment: { id: segmentId } })
    for (const [email, tags] of [
      ['ada@example.org', [tag]],
      ['in@example.org', []],
      ['ada@example.org', []],
      ['in@example.org', [tag]],
      ['ada@example.org', [tag]],
    ] as const) {
      await giveTag(email, ...tags)
      await lookNow()
      await server.work()
    }
    expect(await got()).toEqual(['ada@example.org Friend'])
  })

  test('is not for who fits because its conditions changed', async () => {
    await server.addSubscribers(['ada@example.org', 'ivo@example.org'])
    const [friends, press] = [await newTag('Friends'), await newTag('Press')]
    await giveTag('ada@example.org', press)
    const segmentId = await segmentOf(tagged(friends))
    await set({ segmentId, publicationId: (await server.draft({ title: 'Friend' })).id })
    expect((await call('PATCH', `/segments/${segmentId}`, { filter: tagged(press) })).statusCode).toBe(200)
    await lookNow()
    await server.work()
    await giveTag('ivo@example.org', press)
    await lookNow()
    expect(await got()).toEqual(['ivo@example.org Friend'])
  })

  test('passes over who was just imported, and welcomes who joins later', async () => {
    const tag = await newTag('Friends')
    const segmentId = await segmentOf(tagged(tag))
    await set({ segmentId, publicationId: (await server.draft({ title: 'Friend' })).id })
    await server.addSubscribers(['new@example.org', 'old@example.org', 'ada@example.org'])
    const imported = (email: string, hours: number) =>
      sql`insert into consent (newsletter_id, id, subscriber_id, act, wording, wording_version, language, means, at)
        select newsletter_id, gen_random_uuid(), id, 'given', 'They said yes', 'own', 'en', 'import', now() - ${hours} * interval '1 hour'
        from subscriber where email = ${email}`.execute(server.context.db)
    await imported('new@example.org', 0)
    await imported('old@example.org', 2)
    for (const email of ['new@example.org', 'old@example.org', 'ada@example.org']) await giveTag(email, tag)
    await lookNow()
    expect(await got()).toEqual(['ada@example.org Friend', 'old@example.org Friend'])
  })

  test('and that of the newsletter with the same publication send it once', async () => {
    const { id } = await server.draft({ title: 'Hello' })
    const segmentId = await segmentOf({ on: 'language', op: 'is', value: 'en' })
    await set({ publicationId: id })
    await set({ publicationId: id, segmentId })
    await join('ada@example.org')
    await server.work()
    await lookNow()
    expect(await got()).toEqual(['ada@example.org Hello'])
  })

  test('is named when the segment is deleted, and ends with it', async () => {
    const tag = await newTag('Friends')
    const segmentId = await segmentOf(tagged(tag))
    const { id } = await server.draft({ title: 'Friend' })
    await set({ segmentId, publicationId: id })
    const refused = await call('DELETE', `/segments/${segmentId}`)
    expect(refused.json().error).toMatchObject({
      code: 'in_use',
      detail: { uses: [{ kind: 'welcome', publicationId: id, title: 'Friend' }] },
    })
    expect((await call('DELETE', `/segments/${segmentId}?evenIfUsed=true`)).statusCode).toBe(200)
    expect((await call('GET', '/welcomes')).json()).toEqual({ welcomes: [] })
    await server.work()
    const sending = await server.context.db.selectFrom('sending').select('state').executeTakeFirstOrThrow()
    expect(sending.state).toBe('cancelled')
  })

  test('keeps nobody waiting for it when the segment is deleted while it is held', async () => {
    const tag = await newTag('Friends')
    const segmentId = await segmentOf(tagged(tag))
    const { id } = await server.draft({ title: 'Friend' })
    await set({ segmentId, publicationId: id, paused: true })
    await server.addSubscribers(['ada@example.org'])
    await giveTag('ada@example.org', tag)
    await lookNow()
    await server.work()
    expect((await call('GET', '/welcomes')).json().welcomes[0]).toMatchObject({ counts: { waiting: 1 } })
    expect((await call('DELETE', `/segments/${segmentId}?evenIfUsed=true`)).statusCode).toBe(200)
    const delivery = await server.context.db.selectFrom('delivery').select(['state', 'answer']).executeTakeFirst()
    expect(delivery).toEqual({ state: 'suppressed', answer: 'cancelled' })
  })
})

test('exactly once for each person, whatever happens at the same moment', { timeout: 60_000 }, async () => {
  const { id } = await server.draft({ title: 'Hello' })
  const emails = Array.from({ length: 60 }, (_, n) => `reader${n}@example.org`)
  await Promise.all(emails.map(ask))
  await set({ publicationId: id })
  const { context } = server
  const dispatchers = [new Dispatcher(context), new Dispatcher(context)]
  const enrollers = Array.from({ length: 3 }, () => new Enroller(context))
  let isOver = false
  const enrolling = enrollers.map(async (enroller) => {
    while (!isOver) await enroller.drain()
  })
  // Some confirm twice, some leave and come back, and the owner changes their mind meanwhile.
  await Promise.all([
    ...emails.flatMap((email) => [confirm(email), confirm(email)]),
    set({ publicationId: id, delayDays: 0, paused: true }),
    set({ publicationId: id }),
    ...dispatchers.map((dispatcher) => dispatcher.drain()),
    server.send(id),
  ])
  await set({ publicationId: id })
  isOver = true
  await Promise.all(enrolling)
  await Promise.all(enrollers.map((enroller) => enroller.drain()))
  await Promise.all(dispatchers.map((dispatcher) => dispatcher.drain()))
  await Promise.all(dispatchers.map((dispatcher) => dispatcher.stop()))
  expect(await got()).toEqual(emails.map((email) => `${email} Hello`).sort())
})

test('one welcome for each person, however often it is held and given another publication meanwhile', {
  timeout: 60_000,
}, async () => {
  const publications = [(await server.draft({ title: 'First' })).id, (await server.draft({ title: 'Second' })).id]
  const emails = Array.from({ length: 40 }, (_, n) => `reader${n}@example.org`)
  await Promise.all(emails.map(ask))
  await set({ publicationId: publications[0], paused: true })
  const { context } = server
  const dispatcher = new Dispatcher(context)
  const enrollers = Array.from({ length: 2 }, () => new Enroller(context))
  let isOver = false
  const enrolling = enrollers.map(async (enroller) => {
    while (!isOver) await enroller.drain()
  })
  const change = async (n: number) => {
    for (let time = 0; time < 6; time += 1)
      await set({ publicationId: publications[(time + n) % 2], paused: (time + n) % 3 !== 0 })
  }
  await Promise.all([...emails.map(confirm), change(0), change(1), change(2), dispatcher.drain()])
  isOver = true
  await Promise.all(enrolling)
  await Promise.all(enrollers.map((enroller) => enroller.drain()))
  await set({ publicationId: publications[1] })
  await dispatcher.drain()
  await dispatcher.stop()
  const received = (await got()).map((mail) => mail.replace(/ (First|Second)$/, ''))
  expect(received).toEqual(emails.toSorted())
  const [welcome] = (await call('GET', '/welcomes')).json().welcomes
  expect(welcome).toMatchObject({ counts: { waiting: 0 }, earlier: { waiting: 0, paused: false } })
})
