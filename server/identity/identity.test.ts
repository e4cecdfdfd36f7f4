import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PASSWORD, startTestApp, type TestApp } from '../testing/app.ts'
import { forgetGuests } from './forget-guests.job.ts'

let server: TestApp
beforeAll(async () => {
  server = await startTestApp()
})
afterAll(() => server?.stop())

const linkTo = async (email: string) => {
  const [mail] = await server.queuedMail(email)
  const link = /https?:\/\/\S+/.exec(mail?.text ?? '')?.[0] ?? ''
  return link.replace('http://tirage.test', '')
}
const tokenIn = (link: string) => new URL(link, 'http://tirage.test').searchParams.get('token') ?? ''
const signedIn = ({ cookies }: Awaited<ReturnType<typeof post>>) =>
  cookies.some(({ name, value }) => name === 'tirage.session_token' && value !== '')
const post = (path: string, body: unknown) => server.stranger('POST', path, body)

test('somebody signs up, is signed in, and confirms the address by mail', async () => {
  const ada = await server.signUp({ name: 'Ada', email: 'ada@example.org' })
  const me = await ada.call('GET', '/api/me')
  expect(me.json().user).toMatchObject({ displayName: 'Ada', email: 'ada@example.org', emailVerified: false })
  const link = await linkTo('ada@example.org')
  expect(link).toMatch(/^\/verified\?token=/)
  const token = tokenIn(link)
  const opened = await ada.call('GET', `/api/auth/verify-email?token=${token}`)
  expect([opened.statusCode, opened.headers.location]).toEqual([302, `http://tirage.test${link}`])
  expect((await ada.call('GET', '/api/me')).json().user.emailVerified).toBe(false)

  const asked = async () => (await post('/api/identity/confirmation/address', { token })).json()
  expect(await asked()).toEqual({ email: 'ada@example.org' })
  expect((await ada.call('POST', '/api/identity/confirmation', { token })).json()).toEqual({ takenBack: false })
  expect((await asked()).error.code).toBe('link_used')
  expect((await ada.call('GET', '/api/me')).json().user.emailVerified).toBe(true)
  expect((await ada.call('POST', '/api/identity/confirmation', { token })).json().error.code).toBe('link_used')
  const madeUp = await post('/api/identity/confirmation', { token: 'made.up' })
  expect([madeUp.statusCode, madeUp.json().error.code]).toEqual([410, 'link_used'])
})

test('cookies are hidden from scripts and go to no other site', async () => {
  const answer = await post('/api/auth/sign-up/email', { name: 'Cy', email: 'cy@example.org', password: PASSWORD })
  const cookie = answer.cookies.find(({ name }) => name === 'tirage.session_token')
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })
})

test('short passwords and wrong passwords are refused', async () => {
  const short = await post('/api/auth/sign-up/email', { name: 'B', email: 'b@example.org', password: 'ninechars' })
  expect(short.json().error).toMatchObject({
    code: 'invalid',
    fields: {
      password: 'A password has 10 characters or more. Four unrelated words are easy to remember.',
    },
  })
  const wrong = await post('/api/auth/sign-in/email', { email: 'ada@example.org', password: 'not hers at all' })
  const nobody = await post('/api/auth/sign-in/email', { email: 'nobody@example.org', password: 'not hers at all' })
  expect([wrong.statusCode, wrong.body]).toEqual([nobody.statusCode, nobody.body])
})

test.each([
  ['sign-up/email', { name: 'Ines', email: 'ines@lowwater', password: 'short' }, ['email', 'password']],
  ['sign-up/email', { name: 'Ines', email: '', password: '' }, ['email', 'password']],
  ['sign-up/email', { name: 'Ines', email: 'ines@lowwater.example', password: 'xk29fhq7 '.repeat(20) }, ['password']],
  ['sign-in/email', { email: 'ines@lowwater', password: PASSWORD }, ['email']],
  ['sign-in/email', { email: 'ada@example.org', password: '' }, ['password']],
  ['sign-in/magic-link', { email: 'ines' }, ['email']],
  ['request-password-reset', { email: 'ines@' }, ['email']],
  ['send-verification-email', {}, ['email']],
])('%s with %o says which fields are wrong', async (path, body, wrong) => {
  const { statusCode, json } = await post(`/api/auth/${path}`, body)
  const { code, fields } = json().error
  expect([statusCode, code, Object.keys(fields)]).toEqual([422, 'invalid', wrong])
})

test('a new password ends every session, and unknown addresses get the same answer', async () => {
  const dora = await server.signUp({ email: 'dora@example.org' })
  const known = await post('/api/auth/request-password-reset', { email: 'dora@example.org', redirectTo: '/reset' })
  const unknown = await post('/api/auth/request-password-reset', { email: 'none@example.org', redirectTo: '/reset' })
  expect([known.statusCode, known.body]).toEqual([unknown.statusCode, unknown.body])
  expect(await server.queuedMail('none@example.org')).toHaveLength(0)
  const link = await linkTo('dora@example.org')
  expect(link).toMatch(/^\/reset\?token=/)
  const token = tokenIn(link)
  const look = () => post('/api/identity/reset/address', { token })
  expect((await look()).json()).toEqual({ email: 'dora@example.org' })
  expect((await look()).statusCode).toBe(200)
  const reset = await post('/api/identity/reset', { password: 'another good one', token })
  expect(reset.statusCode).toBe(200)
  expect((await dora.call('GET', '/api/me')).json().user).toBeNull()
  expect((await server.signIn('dora@example.org', 'another good one')).userId).toBe(dora.userId)
  expect((await post('/api/identity/reset', { password: 'a third good one', token })).statusCode).toBe(410)
  expect((await look()).statusCode).toBe(410)
})

test('whoever signs up for an invitation is led back to it by the mail that confirms the address', async () => {
  const body = { name: 'Fay', email: 'fay@example.org', password: PASSWORD }
  const callbackURL = `/verified?${new URLSearchParams({ from: '/invitation/AbcDef' })}`
  expect((await post('/api/auth/sign-up/email', { ...body, callbackURL })).statusCode).toBe(200)
  expect(await linkTo('fay@example.org')).toMatch(/^\/verified\?token=[\w-]+&from=%2Finvitation%2FAbcDef$/)
})

test('a mailed link signs in once, after a press and not when it is opened; only its hash is stored', async () => {
  const from = '/subscribers/import?from=mail'
  const callbackURL = `/arrived?event=login&method=magic-link&product=charge&${new URLSearchParams({ from })}`
  await post('/api/auth/sign-in/magic-link', { email: 'eli@example.org', callbackURL })
  const link = await linkTo('eli@example.org')
  expect(link).toMatch(/^\/arrived\?token=\w+&product=charge&from=/)
  expect(new URL(link ?? '', 'http://here.invalid').searchParams.get('from')).toBe(from)
  const token = tokenIn(link)
  const kept = await server.context.db.selectFrom('verification').selectAll().execute()
  expect(JSON.stringify(kept)).not.toContain(token)

  const scanned = await server.stranger('GET', `/api/auth/magic-link/verify?token=${token}&callbackURL=/arrived`)
  expect([scanned.statusCode, signedIn(scanned)]).toEqual([302, false])
  const first = await post('/api/identity/sign-in-link', { token })
  expect(first.json()).toEqual({ event: 'sign_up', passwordRemoved: false })
  expect(signedIn(first)).toBe(true)
  const second = await post('/api/identity/sign-in-link', { token })
  expect([second.statusCode, second.json().error.code, signedIn(second)]).toEqual([410, 'link_used', false])

  await post('/api/auth/sign-in/magic-link', { email: 'eli@example.org' })
  const again = await post('/api/identity/sign-in-link', { token: tokenIn(await linkTo('eli@example.org')) })
  expect(again.json()).toEqual({ event: 'login', passwordRemoved: false })
})

test('another site cannot sign somebody in with a link of its own', async () => {
  await post('/api/auth/sign-in/magic-link', { email: 'eve@example.org' })
  const token = tokenIn(await linkTo('eve@example.org'))
  const forged = await server.inject({
    method: 'POST',
    url: '/api/identity/sign-in-link',
    headers: { origin: 'https://evil.example', 'content-type': 'application/x-www-form-urlencoded' },
    payload: `token=${token}`,
  })
  expect([forged.statusCode, signedIn(forged)]).toEqual([403, false])
})

test('somebody who opened an account with another’s address loses it when the other signs in by mail, and the mail says so', async () => {
  const thief = await server.signUp({ name: 'Thief', email: 'mia@example.org' })
  await post('/api/auth/sign-in/magic-link', { email: 'mia@example.org' })
  const [mail] = await server.queuedMail('mia@example.org')
  expect(mail?.text.replaceAll(/\s+/g, ' ')).toContain('removes its password and signs out every device')
  const pressed = await post('/api/identity/sign-in-link', { token: tokenIn(await linkTo('mia@example.org')) })
  expect(pressed.json()).toEqual({ event: 'login', passwordRemoved: true })

  expect((await thief.call('GET', '/api/me')).json().user).toBeNull()
  const body = { email: 'mia@example.org', password: PASSWORD }
  expect((await post('/api/auth/sign-in/email', body)).statusCode).toBe(401)
  await post('/api/auth/request-password-reset', { email: 'mia@example.org', redirectTo: '/reset' })
  const token = tokenIn(await linkTo('mia@example.org'))
  await post('/api/identity/reset', { password: 'one that is hers', token })
  expect((await server.signIn('mia@example.org', 'one that is hers')).userId).toBe(thief.userId)
})

test('the first new password ends the links of every other mail that was asked for', async () => {
  await server.signUp({ email: 'nell@example.org' })
  const tokens: string[] = []
  for (let asked = 0; asked < 3; asked += 1) {
    await post('/api/auth/request-password-reset', { email: 'nell@example.org', redirectTo: '/reset' })
    tokens.push(tokenIn(await linkTo('nell@example.org')))
  }
  expect(new Set(tokens).size).toBe(3)
  const [first, second, third] = tokens
  expect((await post('/api/identity/reset', { password: 'a good new one', token: second })).statusCode).toBe(200)
  for (const token of [first, third])
    expect((await post('/api/identity/reset', { password: 'a later one', token })).statusCode).toBe(410)
  expect((await server.signIn('nell@example.org', 'a good new one')).email).toBe('nell@example.org')
})

test('a proven address keeps its password when somebody signs in by mail', async () => {
  const zoe = await server.signUp({ email: 'zoe@example.org' })
  await server.confirm(zoe)
  await post('/api/auth/sign-in/magic-link', { email: 'zoe@example.org' })
  expect((await server.queuedMail('zoe@example.org'))[0]?.text).not.toContain('removes its password')
  const pressed = await post('/api/identity/sign-in-link', { token: tokenIn(await linkTo('zoe@example.org')) })
  expect(pressed.json()).toEqual({ event: 'login', passwordRemoved: false })
  expect((await zoe.call('GET', '/api/me')).json().user).not.toBeNull()
  expect((await server.signIn('zoe@example.org')).userId).toBe(zoe.userId)
})

test('a browser that still has the cookie of an ended session signs in by password, link and as a guest', async () => {
  const ida = await server.signUp({ email: 'ida@example.org' })
  await server.confirm(ida)
  await ida.call('POST', '/api/auth/sign-out', {})
  expect((await ida.call('GET', '/api/me')).json().user).toBeNull()

  const byPassword = await ida.call('POST', '/api/auth/sign-in/email', { email: ida.email, password: PASSWORD })
  expect([byPassword.statusCode, signedIn(byPassword)]).toEqual([200, true])
  await post('/api/auth/sign-in/magic-link', { email: ida.email })
  const byLink = await ida.call('POST', '/api/identity/sign-in-link', { token: tokenIn(await linkTo(ida.email)) })
  expect([byLink.statusCode, signedIn(byLink)]).toEqual([200, true])
  const asGuest = await ida.call('POST', '/api/auth/sign-in/anonymous', {})
  expect([asGuest.statusCode, signedIn(asGuest)]).toEqual([200, true])
  const signUp = { email: 'ada.ida@example.org', password: PASSWORD, name: 'Ida' }
  expect(signedIn(await ida.call('POST', '/api/auth/sign-up/email', signUp))).toBe(true)
})

test('a session that is used lasts longer; an unused one ends', async () => {
  const ivo = await server.signUp({ email: 'ivo@example.org' })
  const { db } = server.context
  const move = (days: number) =>
    sql`update session set expires_at = now() + make_interval(days => ${days}), updated_at = now() - interval '2 days'
      where user_id = ${ivo.userId}`.execute(db)
  await move(5)
  const used = await ivo.call('GET', '/api/me')
  expect(used.cookies.find(({ name }) => name === 'tirage.session_token')?.maxAge).toBe(30 * 24 * 3600)
  const { expires_at } = await db
    .selectFrom('session')
    .select('expires_at')
    .where('user_id', '=', ivo.userId)
    .executeTakeFirstOrThrow()
  expect(expires_at.getTime() - Date.now()).toBeGreaterThan(29 * 24 * 3600 * 1000)
  expect((await ivo.call('GET', '/api/me')).cookies).toEqual([])
  await move(-1)
  expect((await ivo.call('GET', '/api/me')).json().user).toBeNull()
})

test('mails are in the language of the request', async () => {
  await server.inject({
    method: 'POST',
    url: '/api/auth/sign-in/magic-link',
    headers: { origin: 'http://tirage.test', 'accept-language': 'fr-FR,fr;q=0.9' },
    payload: { email: 'fanny@example.org' },
  })
  expect((await server.queuedMail('fanny@example.org'))[0]?.subject).toBe('Votre lien de connexion à Tirage')
})

test('a session ends after 90 days, however often it is used', async () => {
  const jan = await server.signUp({ email: 'jan@example.org' })
  const begun = (days: number) =>
    sql`update session set created_at = now() - make_interval(days => ${days}) where user_id = ${jan.userId}`.execute(
      server.context.db,
    )
  await begun(89)
  expect((await jan.call('GET', '/api/me')).json().user).not.toBeNull()
  await begun(90)
  expect((await jan.call('GET', '/api/me')).json().user).toBeNull()
  expect((await jan.call('POST', '/api/auth/update-user', { name: 'Jan' })).statusCode).toBe(401)
})

test('under https a cookie has the prefix __Host-, and one without it is not accepted', async () => {
  const secure = await startTestApp({ env: { PUBLIC_URL: 'https://tirage.test' } })
  const answer = await secure.stranger('POST', '/api/auth/sign-up/email', {
    name: 'Kai',
    email: 'kai@example.org',
    password: PASSWORD,
  })
  const cookie = answer.cookies.find(({ name }) => name === '__Host-tirage.session_token')
  expect(cookie).toMatchObject({ secure: true, httpOnly: true, sameSite: 'Lax', path: '/' })
  expect(cookie?.domain).toBeUndefined()
  expect(answer.cookies.every(({ name }) => name.startsWith('__Host-'))).toBe(true)
  const value = encodeURIComponent(cookie?.value ?? '')
  const me = async (name: string) =>
    (await secure.inject({ url: '/api/me', headers: { cookie: `${name}=${value}` } })).json().user
  expect(await me('__Host-tirage.session_token')).toMatchObject({ email: 'kai@example.org' })
  expect([await me('tirage.session_token'), await me('__Secure-tirage.session_token')]).toEqual([null, null])
  await secure.stop()
})

test('what the library could do beside our own rules is not there', async () => {
  const ned = await server.signUp({ email: 'ned@example.org' })
  for (const [method, path] of [
    ['POST', '/change-password'],
    ['POST', '/reset-password'],
    ['POST', '/change-email'],
    ['POST', '/delete-user'],
    ['POST', '/link-social'],
    ['POST', '/unlink-account'],
    ['POST', '/passkey/delete-passkey'],
    ['POST', '/get-access-token'],
    ['POST', '/update-session'],
    ['GET', '/list-sessions'],
    ['GET', '/get-session'],
    ['GET', '/list-accounts'],
    ['POST', '//sign-in/email'],
    ['POST', '/sign-in/email/'],
    ['POST', '/sign-out/../change-password'],
  ] as const) {
    const answer = await ned.call(method, `/api/auth${path}`, method === 'POST' ? { newPassword: PASSWORD } : undefined)
    expect([path, answer.statusCode]).toEqual([path, 404])
  }
})

test('a session that another person chose is not the one after signing in', async () => {
  const fixed = await server.tryFirst()
  const body = { email: 'oda@example.org', name: 'Oda', password: PASSWORD }
  const answer = await fixed.call('POST', '/api/auth/sign-up/email', body)
  expect(signedIn(answer)).toBe(true)
  expect((await fixed.call('GET', '/api/me')).json().user).toBeNull()
})

test('sessions are listed and ended one by one', async () => {
  const here = await server.signUp({ email: 'gil@example.org' })
  await server.confirm(here)
  const there = await server.signIn('gil@example.org')
  const listed = await here.call('GET', '/api/me/sessions')
  const { sessions } = listed.json() as { sessions: { id: string; here: boolean; method: string }[] }
  expect(sessions.map((session) => [session.here, session.method])).toEqual([
    [false, 'password'],
    [true, 'password'],
  ])
  const { rows } = await sql<{ token: string }>`select token from session where user_id = ${here.userId}`.execute(
    server.context.db,
  )
  for (const { token } of rows) expect(listed.body).not.toContain(token)

  const stranger = await server.signUp()
  const foreign = await stranger.call('DELETE', `/api/me/sessions/${sessions[0]?.id}`)
  expect(foreign.statusCode).toBe(404)
  expect((await here.call('DELETE', `/api/me/sessions/${sessions[0]?.id}`)).statusCode).toBe(200)
  expect((await there.call('GET', '/api/me')).json().user).toBeNull()
  const third = await server.signIn('gil@example.org')
  await here.call('DELETE', '/api/me/sessions')
  expect((await third.call('GET', '/api/me')).json().user).toBeNull()
  expect((await here.call('GET', '/api/me')).json().user).not.toBeNull()
})

test('a guest who signs up keeps everything', async () => {
  const guest = await server.tryFirst()
  expect((await guest.call('GET', '/api/me')).json().user).toMatchObject({ anonymous: true, email: '' })
  const id = await server.createNewsletter(guest)
  await guest.call('PATCH', '/api/me/profile', { mode: 'dark' })
  await guest.call('POST', `/api/newsletters/${id}/api-keys`, { name: 'Form', role: 'editor' })
  const made = (await guest.call('POST', `/api/newsletters/${id}/publications`, { title: 'Tides' })).json()
  await guest.call('POST', '/api/analytics/events', { events: [{ name: 'sign_up', params: { method: 'anonymous' } }] })

  const body = { name: 'Hal', email: 'hal@example.org', password: PASSWORD }
  const signedUp = await guest.call('POST', '/api/auth/sign-up/email', body)
  expect(signedUp.statusCode).toBe(200)
  await server.context.db.updateTable('user').set({ email_verified: true }).where('email', '=', body.email).execute()
  const hal = await server.signIn('hal@example.org')
  expect((await hal.call('GET', '/api/newsletters')).json().newsletters).toMatchObject([{ id, role: 'owner' }])
  expect((await hal.call('GET', '/api/me')).json().profile.mode).toBe('dark')
  const { db } = server.context
  const author = db.selectFrom('publication').select('author_id').where('id', '=', made.id)
  expect((await author.executeTakeFirst())?.author_id).toBe(hal.userId)
  const keys = db.selectFrom('api_key').select('created_by').where('newsletter_id', '=', id)
  expect((await keys.executeTakeFirst())?.created_by).toBe(hal.userId)
  const events = db.selectFrom('analytics_event').select('name').where('user_id', '=', hal.userId)
  expect(await events.execute()).toEqual([{ name: 'sign_up' }])
  const left = db.selectFrom('user').select('id').where('id', '=', guest.userId)
  expect(await left.executeTakeFirst()).toBeUndefined()
})

test('guests without a newsletter are erased after 30 days; others stay', async () => {
  const idle = await server.tryFirst()
  const busy = await server.tryFirst()
  await server.createNewsletter(busy)
  await sql`update session set updated_at = now() - interval '31 days'`.execute(server.context.db)
  await sql`update "user" set updated_at = now() - interval '31 days'`.execute(server.context.db)
  await forgetGuests(server.context.db, { now: new Date(), days: 30 })
  const guests = await server.context.db.selectFrom('user').select('id').where('is_anonymous', '=', true).execute()
  expect(guests.map(({ id }) => id)).toEqual([busy.userId])
  expect(guests.map(({ id }) => id)).not.toContain(idle.userId)
})

test('one network may try few passwords, whatever accounts it tries', async () => {
  const guess = (turn: number) =>
    server.inject({
      method: 'POST',
      url: '/api/auth/sign-in/email',
      remoteAddress: '192.0.2.7',
      headers: { origin: 'http://tirage.test' },
      payload: { email: `ada${turn}@example.org`, password: 'wrong wrong wrong' },
    })
  const codes: number[] = []
  for (let i = 0; i < 22; i++) codes.push((await guess(i)).statusCode)
  expect(codes.slice(0, 20).every((code) => code === 401)).toBe(true)
  expect(codes.at(-1)).toBe(429)
}, 60_000)

test('more people sign up at once than there are connections, and nobody waits in a circle', async () => {
  const people = await Promise.all(Array.from({ length: 24 }, () => server.signUp()))
  expect(new Set(people.map(({ userId }) => userId)).size).toBe(24)
}, 60_000)
