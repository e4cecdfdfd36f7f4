import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Session, startTestApp, type TestApp } from '../testing/app.ts'
import { forgetGuestsJob } from './forget-guests.job.ts'

let server: TestApp
beforeAll(async () => {
  server = await startTestApp()
})
afterAll(() => server?.stop())

const storm = async (session: Session, path: string, body: object) => {
  const answers = await Promise.all(Array.from({ length: 40 }, () => session.call('POST', path, body)))
  const codes = answers.map((answer) => (answer.statusCode === 200 ? 'made' : answer.json().error.code))
  return Object.fromEntries(
    Object.entries(Object.groupBy(codes, (code: string) => code)).map(([code, all]) => [code, all?.length]),
  )
}

const newsletter = { name: 'Low Water', language: 'en', timezone: 'Europe/Paris', currency: 'eur' }

test('a guest who asks for twenty newsletters at once gets three, and reads how to have more', async () => {
  const guest = await server.tryFirst()
  const begin = () => guest.call('POST', '/api/newsletters', newsletter)
  const answers = await Promise.all(Array.from({ length: 20 }, begin))
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(3)
  const refused = answers.filter(({ statusCode }) => statusCode !== 200).map((answer) => answer.json().error)
  expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['too_many_newsletters']))
  expect(refused[0].message).toMatch(
    /^You can own 3 newsletters here.* Give this account an email address and confirm it/,
  )
})

test('a guest is called so in the members, in the language in which they came', async () => {
  const guest = await server.tryFirst()
  const { id } = (await guest.call('POST', '/api/newsletters', newsletter)).json()
  const { members } = (await guest.call('GET', `/api/newsletters/${id}/members`)).json()
  expect(members).toMatchObject([{ name: 'Guest', email: '' }])
  const french = { 'accept-language': 'fr', origin: 'http://tirage.test' }
  const request = { method: 'POST', url: '/api/auth/sign-in/anonymous', payload: {}, headers: french } as const
  expect((await server.inject(request)).json().user.name).toBe('Visite')
})

test('a guest who asks for much at once gets what a guest may have', { timeout: 60_000 }, async () => {
  const guest = await server.tryFirst()
  const path = `/api/newsletters/${await server.createNewsletter(guest)}`
  expect(await storm(guest, `${path}/links`, { target: 'https://example.org/' })).toEqual({
    made: 20,
    too_many_requests: 20,
  })
  const { db } = server.context
  await db.updateTable('short_link').set({ created_at: sql`now() - interval '2 hours'` }).execute()
  await storm(guest, `${path}/links`, { target: 'https://example.org/' })
  await db.updateTable('short_link').set({ created_at: sql`now() - interval '2 hours'` }).execute()
  expect(await storm(guest, `${path}/links`, { target: 'https://example.org/' })).toEqual({
    made: 10,
    too_many_links: 30,
  })
  const key = { name: 'form', role: 'editor' }
  expect(await storm(guest, `${path}/api-keys`, key)).toEqual({ made: 2, too_many_api_keys: 38 })
  await db
    .updateTable('user')
    .set({ is_anonymous: false, email_verified: true })
    .where('id', '=', guest.userId)
    .execute()
  expect(await storm(guest, `${path}/links`, { target: 'https://example.org/' })).toEqual({ made: 40 })
})

test('one /64 can begin so many guests in a day, whatever address and process they use', async () => {
  const other = await startTestApp({ env: { GUESTS_PER_NETWORK: '5', MAX_GUESTS: '8' } })
  const begin = async (remoteAddress: string) => {
    const headers = { origin: other.context.config.publicUrl, 'content-type': 'application/json' }
    const url = '/api/auth/sign-in/anonymous'
    const answer = await other.inject({ method: 'POST', url, remoteAddress, headers, payload: {} })
    return answer.statusCode === 200 ? 'begun' : answer.json().error.code
  }
  try {
    const one = await Promise.all(Array.from({ length: 20 }, (_, at) => begin(`2001:db8:1:2::${at + 1}`)))
    expect(one.filter((each) => each === 'begun')).toHaveLength(5)
    expect(new Set(one.filter((each) => each !== 'begun'))).toEqual(new Set(['too_many_requests']))
    const others: string[] = []
    for (let at = 0; at < 5; at++) others.push(await begin(`2001:db8:1:${at + 3}::1`))
    expect(others).toEqual(['begun', 'begun', 'begun', 'too_many_guests', 'too_many_guests'])
    const { rows } = await sql<{ key: string }>`select key from rate_limit where key like 'guests:%'`.execute(
      other.context.db,
    )
    expect(rows).not.toEqual([])
    expect(JSON.stringify(rows)).not.toContain('2001:db8')
    await other.context.db.updateTable('session').set({ updated_at: sql`now() - interval '2 days'` }).execute()
    await other.context.db.updateTable('user').set({ updated_at: sql`now() - interval '2 days'` }).execute()
    await forgetGuestsJob(other.context)({}, undefined as never)
    expect(await begin('2001:db8:9:9::1')).toBe('begun')
  } finally {
    await other.stop()
  }
})

test('a guest has one name, in their language, among the members, in the audit and in a history', async () => {
  const guest = await server.tryFirst()
  const id = await server.createNewsletter(guest)
  const content = { type: 'doc', content: [{ type: 'paragraph' }] }
  const draft = await guest.call('POST', `/api/newsletters/${id}/publications`, { title: 'No. 1', content })
  const named = async () => {
    const read = async (path: string) => (await guest.call('GET', `/api/newsletters/${id}${path}`)).json()
    const { members } = await read('/members')
    const { rows } = await read('/audit')
    const { revisions } = await read(`/publications/${draft.json().id}/revisions`)
    expect(members).toMatchObject([{ email: '' }])
    return [members[0].name, rows[0].who.name, revisions[0].savedBy]
  }
  await guest.call('PATCH', `/api/newsletters/${id}`, { name: 'High Water' })
  expect(await named()).toEqual(['Guest', 'Guest', 'Guest'])
  await guest.call('PATCH', '/api/me/profile', { language: 'fr' })
  expect(await named()).toEqual(['Visite', 'Visite', 'Visite'])
})
