import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { PASSWORD, type Session, startTestApp, type TestApp } from '../testing/app.ts'
import { base32, codeAt, matchingStep, stepAt } from './totp.ts'

let server: TestApp
let now = new Date()
beforeAll(async () => {
  server = await startTestApp({ now: () => now })
})
afterAll(() => server?.stop())

const HALF_MINUTE = 30_000
const later = (ms: number) => {
  now = new Date(now.getTime() + ms)
}
const who = async (session: Session) => (await session.call('GET', '/api/me')).json()
const cookiesOf = ({ cookies }: Awaited<ReturnType<Session['call']>>) =>
  cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ')
const bytesOf = (text: string) => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** A person with two-factor on; `code` is that of the present half minute. */
async function withTwoFactor(email: string) {
  const session = await server.signUp({ email })
  await server.confirm(session)
  const { secret } = (await session.call('POST', '/api/me/two-factor')).json()
  const code = () => codeAt(bytesOf(secret), stepAt(now))
  const confirmed = await session.call('POST', '/api/me/two-factor/confirmation', { code: code() })
  expect(confirmed.statusCode).toBe(200)
  later(HALF_MINUTE)
  return { session, code, secret, recoveryCodes: confirmed.json().recoveryCodes as string[] }
}

test('codes are those of RFC 6238, appendix B, cut to six digits', () => {
  const secret = Buffer.from('12345678901234567890')
  const table = [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ] as const
  for (const [seconds, code] of table) expect(codeAt(secret, stepAt(new Date(seconds * 1000)))).toBe(code)
  const at = new Date(59_000)
  expect(matchingStep(secret, '287082', { at, usedStep: 0 })).toBe(1)
  expect(matchingStep(secret, '287082', { at: new Date(59_000 + HALF_MINUTE), usedStep: 0 })).toBe(1)
  expect(matchingStep(secret, '287082', { at: new Date(59_000 + 2 * HALF_MINUTE), usedStep: 0 })).toBeNull()
  expect(matchingStep(secret, '287082', { at, usedStep: 1 })).toBeNull()
  expect(base32(Buffer.from('foobar'))).toBe('MZXW6YTBOI')
})

test('two-factor counts from its first code on, and its secrets are not readable in the database', async () => {
  const ada = await server.signUp({ email: 'ada@example.org' })
  await server.confirm(ada)
  const prepared = (await ada.call('POST', '/api/me/two-factor')).json()
  expect(prepared.qr).toMatch(/^<svg /)
  expect((await who(await server.signIn('ada@example.org'))).awaitsCode).toBe(false)
  const wrong = await ada.call('POST', '/api/me/two-factor/confirmation', { code: '000000' })
  expect(wrong.json().error.code).toBe('wrong_code')
  const code = codeAt(bytesOf(prepared.secret), stepAt(now))
  const { recoveryCodes } = (await ada.call('POST', '/api/me/two-factor/confirmation', { code })).json()
  expect(recoveryCodes).toHaveLength(10)
  expect((await ada.call('POST', '/api/me/two-factor')).json().error.code).toBe('two_factor_on')

  const { db } = server.context
  const secrets = await db.selectFrom('two_factor').selectAll().execute()
  expect(Buffer.concat(secrets.map(({ secret }) => secret)).includes(bytesOf(prepared.secret))).toBe(false)
  const kept = JSON.stringify([await db.selectFrom('recovery_code').selectAll().execute(), secrets])
  for (const each of [prepared.secret, ...recoveryCodes]) expect(kept).not.toContain(each)
})

test('a password alone opens nothing: every call waits for the code', async () => {
  const { session, code } = await withTwoFactor('bea@example.org')
  const half = await server.signIn('bea@example.org')
  expect(await who(half)).toMatchObject({ user: null, awaitsCode: true })
  for (const [method, path] of [
    ['GET', '/api/me/sessions'],
    ['DELETE', '/api/me/two-factor'],
    ['DELETE', '/api/me'],
    ['GET', '/api/newsletters'],
    ['POST', '/api/auth/update-user'],
    ['GET', '/api/auth/passkey/generate-register-options'],
  ] as const) {
    const answer = await half.call(method, path, method === 'POST' ? { name: 'Thief' } : undefined)
    expect([path, answer.statusCode]).toEqual([path, 401])
  }
  const done = await half.call('POST', '/api/identity/second-factor', { code: code() })
  const cookie = cookiesOf(done)
  expect(cookie).not.toContain(half.cookie.split('; ')[0])
  const whole = await server.inject({ url: '/api/me', headers: { cookie } })
  expect(whole.json().user.uid).toBe(session.userId)
  // The session of the password alone has ended, and its cookie is worth nothing.
  expect(await who(half)).toMatchObject({ user: null, awaitsCode: false })
})

test('a link from a mail and a new password go through the code as well', async () => {
  const { session } = await withTwoFactor('carl@example.org')
  await server.stranger('POST', '/api/auth/sign-in/magic-link', { email: 'carl@example.org' })
  const [mail] = await server.queuedMail('carl@example.org')
  const token = /arrived\?token=(\w+)/.exec(mail?.text ?? '')?.[1]
  const pressed = await server.stranger('POST', '/api/identity/sign-in-link', { token })
  const cookie = cookiesOf(pressed)
  const me = await server.inject({ url: '/api/me', headers: { cookie } })
  expect(me.json()).toMatchObject({ user: null, awaitsCode: true })
  expect((await session.call('GET', '/api/me/security')).json().twoFactor).not.toBeNull()
})

test('what a guest made reaches an account with two-factor after the code, and not before', async () => {
  const { session, code } = await withTwoFactor('lou@example.org')
  const guest = await server.tryFirst()
  const id = await server.createNewsletter(guest)
  const half = await guest.call('POST', '/api/auth/sign-in/email', { email: 'lou@example.org', password: PASSWORD })
  expect(half.statusCode).toBe(200)
  const mine = async () => (await session.call('GET', '/api/newsletters')).json().newsletters
  expect(await mine()).toEqual([])

  const cookie = cookiesOf(half)
  const headers = { cookie, origin: server.context.config.publicUrl }
  const done = await server.inject({
    method: 'POST',
    url: '/api/identity/second-factor',
    headers,
    payload: { code: code() },
  })
  expect(done.statusCode).toBe(200)
  expect(done.cookies.find(({ name }) => name.endsWith('.guest'))).toMatchObject({ value: '', maxAge: 0 })
  expect(await mine()).toMatchObject([{ id, role: 'owner' }])
  const left = server.context.db.selectFrom('user').select('id').where('id', '=', guest.userId)
  expect(await left.executeTakeFirst()).toBeUndefined()
})

test('a guest whose name is not signed by this server is not merged', async () => {
  const { session, code } = await withTwoFactor('mia@example.org')
  const guest = await server.tryFirst()
  await server.createNewsletter(guest)
  const half = await server.signIn('mia@example.org')
  const forged = half.cookie.replace(
    /(\S+)\.session_token=.*/,
    (all, prefix) => `${all}; ${prefix}.guest=${guest.userId}.x`,
  )
  expect(forged).toContain('.guest=')
  const done = await server.inject({
    method: 'POST',
    url: '/api/identity/second-factor',
    headers: { cookie: forged, origin: server.context.config.publicUrl },
    payload: { code: code() },
  })
  expect(done.statusCode).toBe(200)
  expect((await session.call('GET', '/api/newsletters')).json().newsletters).toEqual([])
})

test('a code works once, also for many requests at the same moment', async () => {
  const { code, recoveryCodes } = await withTwoFactor('dan@example.org')
  for (const given of [code(), recoveryCodes[3] ?? '']) {
    const halves = await Promise.all([1, 2, 3, 4].map(() => server.signIn('dan@example.org')))
    const answers = await Promise.all(
      halves.map((half) => half.call('POST', '/api/identity/second-factor', { code: given })),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 422, 422, 422])
  }
  later(HALF_MINUTE)
  const half = await server.signIn('dan@example.org')
  const typed = (recoveryCodes[4] ?? '').toUpperCase().replaceAll('-', ' ')
  expect((await half.call('POST', '/api/identity/second-factor', { code: typed })).statusCode).toBe(200)
})

test('a code works once for two requests that have both read it as unused', async () => {
  const { session, code } = await withTwoFactor('ivy@example.org')
  const halves = [await server.signIn('ivy@example.org'), await server.signIn('ivy@example.org')]
  const { db } = server.context
  const waiting = async () => {
    const { rows } = await sql<{ count: number }>`select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like 'update "two_factor"%'`.execute(db)
    return rows[0]?.count
  }
  const answers = await db.transaction().execute(async (tx) => {
    await tx.selectFrom('two_factor').select('user_id').where('user_id', '=', session.userId).forUpdate().execute()
    const asked = halves.map((half) => half.call('POST', '/api/identity/second-factor', { code: code() }))
    await vi.waitUntil(async () => (await waiting()) === 2, { timeout: 10_000 })
    return asked
  })
  const codes = (await Promise.all(answers)).map(({ statusCode }) => statusCode)
  expect(codes.sort()).toEqual([200, 422])
})

test('ten wrong codes are the most in a quarter of an hour, whatever sessions they come from', async () => {
  const { code } = await withTwoFactor('eli@example.org')
  const halves = await Promise.all([1, 2, 3].map(() => server.signIn('eli@example.org')))
  const codes: number[] = []
  for (let turn = 0; turn < 12; turn++) {
    const answer = await halves[turn % 3]?.call('POST', '/api/identity/second-factor', { code: '000000' })
    codes.push(answer?.statusCode ?? 0)
  }
  expect(codes).toEqual([...Array(10).fill(422), 429, 429])
  const right = await halves[0]?.call('POST', '/api/identity/second-factor', { code: code() })
  expect(right?.statusCode).toBe(429)
})

test('the time for the code is ten minutes', async () => {
  const { code } = await withTwoFactor('fay@example.org')
  const half = await server.signIn('fay@example.org')
  await server.context.db
    .updateTable('session')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('awaits_code', '=', true)
    .execute()
  expect((await half.call('POST', '/api/identity/second-factor', { code: code() })).statusCode).toBe(401)
})

test('what matters asks for a fresh proof after ten minutes, and a password is none where two-factor is on', async () => {
  const { session, code } = await withTwoFactor('gus@example.org')
  const id = await server.createNewsletter(session)
  later(10 * 60_000)
  const acts = [
    ['DELETE', '/api/me', undefined],
    ['PUT', '/api/me/password', { password: 'quiet boat seven' }],
    ['DELETE', '/api/me/two-factor', undefined],
    ['POST', '/api/me/recovery-codes', undefined],
    ['POST', '/api/me/two-factor', undefined],
    ['DELETE', '/api/me/passkeys/some', undefined],
    ['GET', '/api/auth/passkey/generate-register-options', undefined],
    ['POST', `/api/newsletters/${id}/api-keys`, { name: 'Door', role: 'editor' }],
  ] as const
  for (const [method, path, body] of acts) {
    const answer = await session.call(method, path, body)
    expect([path, answer.statusCode, answer.json().error.code]).toEqual([path, 403, 'proof_needed'])
  }
  expect((await session.call('GET', '/api/me/proof')).json()).toEqual({ methods: ['code'] })
  const byPassword = await session.call('POST', '/api/me/proof', { method: 'password', secret: PASSWORD })
  expect(byPassword.json().error.code).toBe('other_proof')
  expect((await session.call('POST', '/api/me/proof/mail')).json().error.code).toBe('other_proof')
  expect((await session.call('POST', '/api/me/proof', { method: 'code', secret: code() })).statusCode).toBe(200)
  const replayed = await session.call('POST', '/api/me/proof', { method: 'code', secret: code() })
  expect(replayed.json().error.code).toBe('wrong_code')
  const renewed = await session.call('POST', '/api/me/recovery-codes')
  expect(renewed.json().recoveryCodes).toHaveLength(10)
  expect((await session.call('DELETE', '/api/me/two-factor')).statusCode).toBe(200)
  expect((await who(await server.signIn('gus@example.org'))).awaitsCode).toBe(false)
})

test('with a password it is the proof; without one a code by mail is, for this session only', async () => {
  const hal = await server.signUp({ email: 'hal@example.org' })
  later(11 * 60_000)
  expect((await hal.call('DELETE', '/api/me')).json().error.code).toBe('proof_needed')
  const wrong = await hal.call('POST', '/api/me/proof', { method: 'password', secret: 'not his at all' })
  expect(wrong.json().error.code).toBe('wrong_proof')
  expect((await hal.call('POST', '/api/me/proof', { method: 'password', secret: PASSWORD })).statusCode).toBe(200)
  expect((await hal.call('DELETE', '/api/me')).statusCode).toBe(200)

  const ina = await server.signUp({ email: 'ina@example.org' })
  await server.confirm(ina)
  const other = await server.signIn('ina@example.org')
  await server.context.db.deleteFrom('account').where('user_id', '=', ina.userId).execute()
  later(11 * 60_000)
  expect((await ina.call('GET', '/api/me/proof')).json()).toEqual({ methods: ['mail'] })
  expect((await ina.call('POST', '/api/me/proof/mail')).statusCode).toBe(200)
  const [mail] = await server.queuedMail('ina@example.org')
  const secret = /\d{4} \d{4}/.exec(mail?.text ?? '')?.[0] ?? ''
  const elsewhere = await other.call('POST', '/api/me/proof', { method: 'mail', secret })
  expect(elsewhere.json().error.code).toBe('wrong_proof')
  const twice = await Promise.all([1, 2].map(() => ina.call('POST', '/api/me/proof', { method: 'mail', secret })))
  expect(twice.map(({ statusCode }) => statusCode).sort()).toEqual([200, 422])
  expect((await ina.call('DELETE', '/api/me')).statusCode).toBe(200)
  expect((await other.call('GET', '/api/me')).json().user).toBeNull()
})

test('a guest has nothing to prove with and is not asked', async () => {
  const guest = await server.tryFirst()
  later(11 * 60_000)
  expect((await guest.call('DELETE', '/api/me')).statusCode).toBe(200)
})
