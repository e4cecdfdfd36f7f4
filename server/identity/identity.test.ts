import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PASSWORD, startTestApp, type TestApp } from '../testing/app.ts'
import { forgetGuests } from './forget-guests.job.ts'

let house: TestApp
beforeAll(async () => {
  house = await startTestApp()
})
afterAll(() => house?.stop())

const linkTo = async (email: string) => {
  const [mail] = await house.queuedMail(email)
  const link = /https?:\/\/\S+/.exec(mail?.text ?? '')?.[0] ?? ''
  return link.replace('http://tirage.test', '')
}
const post = (path: string, body: unknown) => house.stranger('POST', path, body)

test('somebody signs up, is known, and confirms the address by mail', async () => {
  const ada = await house.signUp({ name: 'Ada', email: 'ada@example.org' })
  const me = await ada.call('GET', '/api/me')
  expect(me.json().user).toMatchObject({ displayName: 'Ada', email: 'ada@example.org', emailVerified: false })
  const answer = await ada.call('GET', await linkTo('ada@example.org'))
  expect(answer.statusCode).toBe(302)
  expect((await ada.call('GET', '/api/me')).json().user.emailVerified).toBe(true)
})

test('cookies are ours, out of reach of scripts, and go nowhere else', async () => {
  const answer = await post('/api/auth/sign-up/email', { name: 'Cy', email: 'cy@example.org', password: PASSWORD })
  const cookie = answer.cookies.find(({ name }) => name === 'tirage.session_token')
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })
})

test('short passwords and wrong passwords are refused', async () => {
  const short = await post('/api/auth/sign-up/email', { name: 'B', email: 'b@example.org', password: 'ninechars' })
  expect(short.json().code).toBe('PASSWORD_TOO_SHORT')
  const wrong = await post('/api/auth/sign-in/email', { email: 'ada@example.org', password: 'not hers at all' })
  const nobody = await post('/api/auth/sign-in/email', { email: 'nobody@example.org', password: 'not hers at all' })
  expect([wrong.statusCode, wrong.body]).toEqual([nobody.statusCode, nobody.body])
})

test('a forgotten password is set anew, and every session ends; unknown addresses get the same answer', async () => {
  const dora = await house.signUp({ email: 'dora@example.org' })
  const known = await post('/api/auth/request-password-reset', { email: 'dora@example.org', redirectTo: '/reset' })
  const unknown = await post('/api/auth/request-password-reset', { email: 'none@example.org', redirectTo: '/reset' })
  expect([known.statusCode, known.body]).toEqual([unknown.statusCode, unknown.body])
  expect(await house.queuedMail('none@example.org')).toHaveLength(0)
  const landed = await house.stranger('GET', await linkTo('dora@example.org'))
  const token = new URL(String(landed.headers.location), 'http://tirage.test').searchParams.get('token')
  const reset = await post('/api/auth/reset-password', { newPassword: 'another good one', token })
  expect(reset.statusCode).toBe(200)
  expect((await dora.call('GET', '/api/me')).json().user).toBeNull()
  expect((await house.signIn('dora@example.org', 'another good one')).userId).toBe(dora.userId)
  expect((await post('/api/auth/reset-password', { newPassword: 'a third good one', token })).statusCode).toBe(400)
})

test('a link by mail signs in once; only its hash is kept', async () => {
  await post('/api/auth/sign-in/magic-link', { email: 'eli@example.org', callbackURL: '/arrived' })
  const link = await linkTo('eli@example.org')
  const token = new URL(link, 'http://tirage.test').searchParams.get('token') ?? ''
  const kept = await house.context.db.selectFrom('verification').selectAll().execute()
  expect(JSON.stringify(kept)).not.toContain(token)
  const first = await house.stranger('GET', link)
  expect(first.cookies.some(({ name }) => name === 'tirage.session_token')).toBe(true)
  expect(new URL(String(first.headers.location)).pathname).toBe('/arrived')
  const second = await house.stranger('GET', link)
  expect(second.cookies.some(({ name }) => name === 'tirage.session_token')).toBe(false)
})

test('mails speak the language of who asked', async () => {
  await house.inject({
    method: 'POST',
    url: '/api/auth/sign-in/magic-link',
    headers: { origin: 'http://tirage.test', 'accept-language': 'fr-FR,fr;q=0.9' },
    payload: { email: 'fanny@example.org' },
  })
  expect((await house.queuedMail('fanny@example.org'))[0]?.subject).toBe('Votre lien de connexion à Tirage')
})

test('sessions are listed and ended one by one', async () => {
  const here = await house.signUp({ email: 'gil@example.org' })
  const there = await house.signIn('gil@example.org')
  const sessions = (await here.call('GET', '/api/auth/list-sessions')).json() as { token: string }[]
  expect(sessions).toHaveLength(2)
  const other = sessions.find(({ token }) => decodeURIComponent(there.cookie).includes(token))
  expect((await here.call('POST', '/api/auth/revoke-session', { token: other?.token })).statusCode).toBe(200)
  expect((await there.call('GET', '/api/me')).json().user).toBeNull()
  expect((await here.call('GET', '/api/me')).json().user).not.toBeNull()
})

test('a guest who signs up keeps everything', async () => {
  const guest = await house.tryFirst()
  expect((await guest.call('GET', '/api/me')).json().user).toMatchObject({ anonymous: true, email: '' })
  const id = await house.createNewsletter(guest)
  await guest.call('PATCH', '/api/me/profile', { mode: 'dark' })
  await guest.call('POST', `/api/newsletters/${id}/api-keys`, { name: 'Form', role: 'editor' })
  const made = (await guest.call('POST', `/api/newsletters/${id}/publications`, { title: 'Tides' })).json()
  await guest.call('POST', '/api/analytics/events', { events: [{ name: 'sign_up', params: { method: 'anonymous' } }] })

  const body = { name: 'Hal', email: 'hal@example.org', password: PASSWORD }
  expect((await guest.call('POST', '/api/auth/sign-up/email', body)).statusCode).toBe(200)
  const hal = await house.signIn('hal@example.org')
  expect((await hal.call('GET', '/api/newsletters')).json().newsletters).toMatchObject([{ id, role: 'owner' }])
  expect((await hal.call('GET', '/api/me')).json().profile.mode).toBe('dark')
  const { db } = house.context
  const author = db.selectFrom('publication').select('author_id').where('id', '=', made.id)
  expect((await author.executeTakeFirst())?.author_id).toBe(hal.userId)
  const keys = db.selectFrom('api_key').select('created_by').where('newsletter_id', '=', id)
  expect((await keys.executeTakeFirst())?.created_by).toBe(hal.userId)
  const events = db.selectFrom('analytics_event').select('name').where('user_id', '=', hal.userId)
  expect(await events.execute()).toEqual([{ name: 'sign_up' }])
  const left = db.selectFrom('user').select('id').where('id', '=', guest.userId)
  expect(await left.executeTakeFirst()).toBeUndefined()
})

test('guests who made nothing are forgotten after 30 days; others stay', async () => {
  const idle = await house.tryFirst()
  const busy = await house.tryFirst()
  await house.createNewsletter(busy)
  await sql`update session set updated_at = now() - interval '31 days'`.execute(house.context.db)
  await sql`update "user" set updated_at = now() - interval '31 days'`.execute(house.context.db)
  await forgetGuests(house.context.db, new Date())
  const guests = await house.context.db.selectFrom('user').select('id').where('is_anonymous', '=', true).execute()
  expect(guests.map(({ id }) => id)).toEqual([busy.userId])
  expect(guests.map(({ id }) => id)).not.toContain(idle.userId)
})

test('passwords cannot be guessed at speed', async () => {
  const guess = () =>
    house.inject({
      method: 'POST',
      url: '/api/auth/sign-in/email',
      remoteAddress: '192.0.2.7',
      headers: { origin: 'http://tirage.test' },
      payload: { email: 'ada@example.org', password: 'wrong wrong wrong' },
    })
  const codes: number[] = []
  for (let i = 0; i < 22; i++) codes.push((await guess()).statusCode)
  expect(codes.slice(0, 20).every((code) => code === 401)).toBe(true)
  expect(codes.at(-1)).toBe(429)
})
