import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PASSWORD, type Session, startTestApp, type TestApp } from '../testing/app.ts'
import { codeAt, stepAt } from './totp.ts'

let server: TestApp
beforeAll(async () => {
  server = await startTestApp()
})
afterAll(() => server?.stop())

const post = (path: string, body: unknown) => server.stranger('POST', path, body)
const who = async (session: Session) => (await session.call('GET', '/api/me')).json().user
const tokenFor = async (email: string, screen: string) => {
  const mails = await server.queuedMail(email)
  return mails.map(({ text }) => new RegExp(`${screen}\\?token=(\\w+)`).exec(text)?.[1]).find(Boolean) ?? ''
}

/** A stranger signs up with somebody else's address and prepares what the account lets them. */
async function hijack(email: string) {
  const thief = await server.signUp({ name: 'Thief', email })
  const newsletterId = await server.createNewsletter(thief, { name: 'The Trap' })
  const made = await thief.call('POST', `/api/newsletters/${newsletterId}/api-keys`, { name: 'Door', role: 'editor' })
  const key = server.withKey(made.json().secret)
  expect((await key('GET', `/api/newsletters/${newsletterId}/subscribers`)).statusCode).toBe(200)
  return { thief, key, newsletterId }
}

/** Nothing that the stranger held opens the account any more, and a mail names what they made. */
async function expectTakenBack(email: string, { thief, key, newsletterId }: Awaited<ReturnType<typeof hijack>>) {
  expect(await who(thief)).toBeNull()
  expect((await post('/api/auth/sign-in/email', { email, password: PASSWORD })).statusCode).toBe(401)
  expect((await key('GET', `/api/newsletters/${newsletterId}/subscribers`)).statusCode).toBe(401)
  const mails = await server.queuedMail(email)
  expect(mails.some(({ text }) => text.replaceAll(/\s+/g, ' ').includes('made in it before: The Trap.'))).toBe(true)
}

test('a password does not work before its address is proven', async () => {
  const ada = await server.signUp({ email: 'ada@example.org' })
  const refused = await post('/api/auth/sign-in/email', { email: 'ada@example.org', password: PASSWORD })
  expect([refused.statusCode, refused.json().code]).toEqual([403, 'EMAIL_NOT_VERIFIED'])
  expect(refused.cookies.filter(({ value }) => value !== '')).toEqual([])
  expect(await who(ada)).toMatchObject({ email: 'ada@example.org', emailVerified: false })
  await server.confirm(ada)
  expect((await server.signIn('ada@example.org')).userId).toBe(ada.userId)
})

test('whoever only reads the mail that confirms cannot leave the account to the stranger who opened it', async () => {
  const email = 'mia@example.org'
  const stranger = await hijack(email)
  const token = await tokenFor(email, 'verified')
  const pressed = await post('/api/identity/confirmation', { token })
  expect([pressed.statusCode, pressed.json().error.code]).toEqual([409, 'not_the_opener'])
  expect(await who(stranger.thief)).toMatchObject({ emailVerified: false })

  const taken = await post('/api/identity/confirmation', { token, takeBack: true })
  expect(taken.json()).toEqual({ takenBack: true })
  await expectTakenBack(email, stranger)
  const cookie = taken.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ')
  const me = await server.inject({ url: '/api/me', headers: { cookie } })
  expect(me.json().user).toMatchObject({ email, emailVerified: true })
  expect((await post('/api/identity/confirmation', { token, takeBack: true })).json().error.code).toBe('link_used')
})

test('who opened the account may confirm it on another device with its password, whose guesses are counted', async () => {
  const email = 'otto@example.org'
  const otto = await server.signUp({ email })
  const token = await tokenFor(email, 'verified')
  const wrong = await post('/api/identity/confirmation', { token, password: 'not his at all' })
  expect([wrong.statusCode, wrong.json().error.code]).toEqual([422, 'wrong_proof'])
  const right = await post('/api/identity/confirmation', { token, password: PASSWORD })
  expect(right.json()).toEqual({ takenBack: false })
  expect(await who(otto)).toMatchObject({ emailVerified: true })

  await server.signUp({ email: 'nina@example.org' })
  const other = await tokenFor('nina@example.org', 'verified')
  const guesses = Array.from({ length: 12 }, () => ({ token: other, password: 'guess guess guess' }))
  const answers = await Promise.all(guesses.map((guess) => post('/api/identity/confirmation', guess)))
  expect(answers.filter(({ statusCode }) => statusCode === 422)).toHaveLength(10)
  expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(2)
})

test('a link from a mail takes an account back with everything that opened it', async () => {
  const email = 'eva@example.org'
  const stranger = await hijack(email)
  await post('/api/auth/sign-in/magic-link', { email })
  const token = await tokenFor(email, 'arrived')
  const answers = await Promise.all([1, 2, 3].map(() => post('/api/identity/sign-in-link', { token })))
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 410, 410])
  await expectTakenBack(email, stranger)
})

test('a new password from a mail takes an account back and works at once', async () => {
  const email = 'ruth@example.org'
  const stranger = await hijack(email)
  await post('/api/auth/request-password-reset', { email, redirectTo: '/reset' })
  const body = { token: await tokenFor(email, 'reset'), password: 'one that is hers' }
  expect((await post('/api/identity/reset', body)).statusCode).toBe(200)
  await expectTakenBack(email, stranger)
  expect((await server.signIn(email, 'one that is hers')).userId).toBe(stranger.thief.userId)
})

test('before its address is proven, an account takes no passkey, no second factor and no other password', async () => {
  const thief = await server.signUp({ email: 'lena@example.org' })
  for (const [method, path, body] of [
    ['GET', '/api/auth/passkey/generate-register-options', undefined],
    ['POST', '/api/me/two-factor', undefined],
    ['PUT', '/api/me/password', { password: 'a door for later' }],
  ] as const) {
    const answer = await thief.call(method, path, body)
    expect([path, answer.statusCode, answer.json().error.code]).toEqual([path, 403, 'address_unproven'])
  }
  const guest = await server.tryFirst()
  expect((await guest.call('POST', '/api/me/two-factor')).json().error.code).toBe('address_unproven')
})

test('a new password of a proven address ends sessions, passkeys and keys, and leaves the second factor', async () => {
  const email = 'paul@example.org'
  const paul = await server.signUp({ email })
  await server.confirm(paul)
  const id = await server.createNewsletter(paul)
  const made = await paul.call('POST', `/api/newsletters/${id}/api-keys`, { name: 'Form', role: 'editor' })
  const { db, sealer } = server.context
  const secret = Buffer.alloc(20, 7)
  const sealed = sealer.seal('two-factor secret', secret.toString('base64'))
  await db.insertInto('two_factor').values({ user_id: paul.userId, secret: sealed, confirmed_at: new Date() }).execute()
  const passkey = { id: 'pk', user_id: paul.userId, public_key: 'x', credential_id: 'c', counter: 0 }
  await db
    .insertInto('passkey')
    .values({ ...passkey, device_type: 'singleDevice', backed_up: false })
    .execute()
  await post('/api/auth/request-password-reset', { email, redirectTo: '/reset' })
  const weak = { token: await tokenFor(email, 'reset'), password: 'Password123!' }
  expect((await post('/api/identity/reset', weak)).json().error.fields.password).toContain(
    'first passwords that are tried',
  )
  expect((await post('/api/identity/reset', { ...weak, password: 'quiet boat seven' })).statusCode).toBe(200)

  expect(await who(paul)).toBeNull()
  const key = server.withKey(made.json().secret)
  expect((await key('GET', `/api/newsletters/${id}/subscribers`)).statusCode).toBe(401)
  expect(await db.selectFrom('passkey').select('id').where('user_id', '=', paul.userId).execute()).toEqual([])
  const back = await server.signIn(email, 'quiet boat seven')
  expect((await back.call('GET', '/api/me')).json()).toMatchObject({ user: null, awaitsCode: true })
  const code = codeAt(secret, stepAt(new Date()))
  expect((await back.call('POST', '/api/identity/second-factor', { code })).statusCode).toBe(200)
})

test('the link that confirms an address lasts a day', async () => {
  const email = 'rosa@example.org'
  const rosa = await server.signUp({ email })
  const aged = async (hours: number) => {
    const token = await tokenFor(email, 'verified')
    const { db } = server.context
    await sql`update verification set expires_at = expires_at - ${hours} * interval '1 hour'`.execute(db)
    return rosa.call('POST', '/api/identity/confirmation', { token })
  }
  expect((await aged(25)).json().error.code).toBe('link_used')
  const again = { email, callbackURL: '/verified' }
  expect((await rosa.call('POST', '/api/auth/send-verification-email', again)).statusCode).toBe(200)
  expect((await aged(23)).statusCode).toBe(200)
})
