import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PASSWORD, type Session, startTestApp, type TestApp } from '../testing/app.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'

let database: TestDatabase
let server: TestApp
/** Another process on the same database. */
let second: TestApp
beforeAll(async () => {
  database = await createTestDatabase()
  const env = { SECRET: 'the same secret for both of these processes' }
  server = await startTestApp({ database, env })
  second = await startTestApp({ database: { ...database, drop: async () => undefined }, env })
})
afterAll(async () => {
  await second?.stop()
  await server?.stop()
})

const guess = (at: TestApp, email: string, password = 'not the right one') =>
  at.stranger('POST', '/api/auth/sign-in/email', { email, password })

/** As after so many attempts. Each real one takes the time of a password's hash. */
const afterAttempts = (limit: string, points: number) =>
  sql`update rate_limit set points = ${points} where key like ${`${limit}:%`} and points = 1`.execute(server.context.db)

async function proven(email: string): Promise<Session> {
  const person = await server.signUp({ email })
  await server.confirm(person)
  return person
}

test('ten wrong passwords an hour are the most for one account, from any networks and processes', async () => {
  await proven('ada@example.org')
  const spellings = ['ada@example.org', 'ADA@example.org', 'Ada@Example.org']
  const answers = await Promise.all(
    Array.from({ length: 24 }, (_, turn) => guess(turn % 2 ? server : second, spellings[turn % 3] ?? '')),
  )
  const codes = answers.map(({ statusCode }) => statusCode)
  expect([codes.filter((code) => code === 401).length, codes.filter((code) => code === 429).length]).toEqual([10, 14])
  const right = await guess(server, 'ada@example.org', PASSWORD)
  expect([right.statusCode, right.json().error.code]).toEqual([429, 'too_many_guesses'])
  expect(right.json().error.message).toContain('send you a link')
})

test('an address that has no account is refused in the same way and at the same count', async () => {
  await proven('bea@example.org')
  const answersFor = async (email: string) => {
    const answers = [await guess(server, email)]
    // The tenth is looked at, the eleventh is not.
    await afterAttempts('password', 9)
    answers.push(await guess(server, email), await guess(server, email))
    return answers.map(({ statusCode, body, headers }) => [statusCode, body, Object.keys(headers).sort()])
  }
  expect(await answersFor('bea@example.org')).toEqual(await answersFor('nobody@example.org'))
})

test('a device that has signed in before still gets in while strangers guess, and so does a link by mail', async () => {
  const email = 'carl@example.org'
  await proven(email)
  const before = await guess(server, email, PASSWORD)
  const device = before.cookies.find(({ name }) => name === 'tirage.device')
  expect(device).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })
  await guess(server, email)
  await afterAttempts('password', 10)
  expect((await guess(server, email, PASSWORD)).statusCode).toBe(429)

  const known = (password: string, cookie = device?.value ?? '') =>
    server.inject({
      method: 'POST',
      url: '/api/auth/sign-in/email',
      remoteAddress: `10.9.8.${Math.floor(Math.random() * 250)}`,
      headers: { origin: 'http://tirage.test', cookie: `tirage.device=${encodeURIComponent(cookie)}` },
      payload: { email, password },
    })
  expect((await known(PASSWORD)).statusCode).toBe(200)
  expect((await known(PASSWORD, `${device?.value.slice(0, -3)}abc`)).statusCode).toBe(429)
  expect((await known('not the right one')).statusCode).toBe(401)
  await afterAttempts('password on device', 10)
  expect((await known(PASSWORD)).statusCode).toBe(429)

  await server.stranger('POST', '/api/auth/sign-in/magic-link', { email })
  const [mail] = await server.queuedMail(email)
  const token = /arrived\?token=(\w+)/.exec(mail?.text ?? '')?.[1]
  expect((await server.stranger('POST', '/api/identity/sign-in-link', { token })).statusCode).toBe(200)
})

test('the device of one account is not known to another', async () => {
  await proven('dan@example.org')
  await proven('eli@example.org')
  const signedIn = await guess(server, 'dan@example.org', PASSWORD)
  const cookie = signedIn.cookies.find(({ name }) => name === 'tirage.device')?.value ?? ''
  await guess(server, 'eli@example.org')
  await afterAttempts('password', 10)
  const answer = await server.inject({
    method: 'POST',
    url: '/api/auth/sign-in/email',
    remoteAddress: '10.7.6.5',
    headers: { origin: 'http://tirage.test', cookie: `tirage.device=${encodeURIComponent(cookie)}` },
    payload: { email: 'eli@example.org', password: PASSWORD },
  })
  expect(answer.statusCode).toBe(429)
})

test('the limit of a network is that of the whole /64', async () => {
  const ask = async (remoteAddress: string) => {
    const headers = { origin: 'http://tirage.test' }
    const payload = { email: 'somebody@example.org' }
    const url = '/api/auth/sign-in/magic-link'
    return (await server.inject({ method: 'POST', url, remoteAddress, headers, payload })).statusCode
  }
  const codes: number[] = []
  for (let turn = 0; turn < 11; turn++) codes.push(await ask(`2001:db8:1:2::${turn.toString(16)}`))
  expect([codes[9], codes[10], await ask('2001:db8:1:3::1')]).toEqual([200, 429, 200])
})
