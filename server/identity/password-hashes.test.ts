import { hashPassword as scrypt } from 'better-auth/crypto'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { PASSWORD, type Session, startTestApp, type TestApp } from '../testing/app.ts'
import { PasswordHashes } from './password-hashes.ts'

const work = vi.hoisted(() => ({ running: 0, most: 0, argon: 0, scrypt: 0, mayBegin: Promise.resolve() }))
vi.mock('node:crypto', async (original) => {
  const crypto = await original<typeof import('node:crypto')>()
  const argon2 = ((name, given, done) => {
    work.argon++
    work.most = Math.max(work.most, ++work.running)
    void work.mayBegin.then(() =>
      crypto.argon2(name, given, (...answer) => {
        work.running--
        done(...answer)
      }),
    )
  }) as typeof crypto.argon2
  return { ...crypto, argon2 }
})
vi.mock('better-auth/crypto', async (original) => {
  const own = await original<typeof import('better-auth/crypto')>()
  const counted =
    <A extends unknown[], R>(compute: (...given: A) => R) =>
    (...given: A) => {
      work.scrypt++
      return compute(...given)
    }
  return { ...own, hashPassword: counted(own.hashPassword), verifyPassword: counted(own.verifyPassword) }
})

let server: TestApp
beforeAll(async () => {
  server = await startTestApp()
})
afterAll(() => server?.stop())
beforeEach(() => Object.assign(work, { most: 0, argon: 0, scrypt: 0 }))

const rowOf = ({ userId }: Session) =>
  server.context.db.selectFrom('account').select('password').where('user_id', '=', userId).executeTakeFirstOrThrow()
const setHash = ({ userId }: Session, password: string) =>
  server.context.db.updateTable('account').set({ password }).where('user_id', '=', userId).execute()
const signIn = async (email: string, password: string) =>
  (await server.stranger('POST', '/api/auth/sign-in/email', { email, password })).statusCode

test('a password is kept as Argon2id with the cost that OWASP advises, and never twice in the same words', async () => {
  const [ada, bea] = [await server.signUp({ email: 'ada@example.org' }), await server.signUp()]
  await server.confirm(ada)
  const form = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/
  const hashes = [(await rowOf(ada)).password, (await rowOf(bea)).password]
  for (const hash of hashes) expect(hash).toMatch(form)
  expect(new Set(hashes).size).toBe(2)
  expect(await signIn('ada@example.org', PASSWORD)).toBe(200)
  expect(await signIn('ada@example.org', `${PASSWORD}!`)).toBe(401)
})

test('a hash of today opens, whatever form of Unicode was typed, and a broken one opens nothing', async () => {
  const hashes = new PasswordHashes(server.context.db)
  const hash = '$argon2id$v=19$m=19456,t=2,p=1$YSBzYWx0LCAxNiBieXRlcw$Fc3ifGreln9qWcS+xl6xj7NgcE/QfebPJkVI95ZrRvg'
  for (const password of ['p\u00e2te \u00e0 papier', 'pa\u0302te a\u0300 papier'])
    expect(await hashes.verify({ hash, password })).toBe(true)
  for (const broken of [hash.slice(0, -1), `${hash}A`, hash.replace(/.$/, '*')])
    expect(await hashes.verify({ hash: broken, password: 'p\u00e2te \u00e0 papier' })).toBe(false)
})

test('a hash of an earlier version still opens, and is renewed by its password alone', async () => {
  const carl = await server.signUp({ email: 'carl@example.org' })
  await server.confirm(carl)
  const old = await scrypt(PASSWORD)
  await setHash(carl, old)
  expect(await signIn('carl@example.org', 'not his at all')).toBe(401)
  expect((await rowOf(carl)).password).toBe(old)
  expect(await signIn('carl@example.org', PASSWORD)).toBe(200)
  const renewed = (await rowOf(carl)).password
  expect(renewed).toMatch(/^\$argon2id\$/)
  expect(await signIn('Carl@example.org', PASSWORD)).toBe(200)
  expect((await rowOf(carl)).password).toBe(renewed)
})

test('a password that is changed while its old hash is renewed stays changed', async () => {
  const dan = await server.signUp({ email: 'dan@example.org' })
  const hashes = new PasswordHashes(server.context.db)
  await setHash(dan, await scrypt(PASSWORD))
  const changed = await hashes.hash('quiet boat seven')
  const allow = Promise.withResolvers<void>()
  Object.assign(work, { argon: 0, mayBegin: allow.promise })
  const renewing = hashes.renew('dan@example.org', PASSWORD)
  // It has read the old hash when it computes the new one.
  await vi.waitUntil(() => work.argon === 1, { timeout: 10_000 })
  await setHash(dan, changed)
  allow.resolve()
  await renewing
  expect((await rowOf(dan)).password).toBe(changed)
})

test('an unknown address, an old hash and a new one cost the same', async () => {
  const eli = await server.signUp({ email: 'eli@example.org' })
  const fay = await server.signUp({ email: 'fay@example.org' })
  for (const each of [eli, fay]) await server.confirm(each)
  await setHash(eli, await scrypt(PASSWORD))
  const costOf = async (email: string) => {
    Object.assign(work, { argon: 0, scrypt: 0 })
    expect(await signIn(email, 'not theirs at all')).toBe(401)
    return [work.argon, work.scrypt]
  }
  const emails = ['eli@example.org', 'fay@example.org', 'nobody@example.org']
  for (const email of emails) expect([email, await costOf(email)]).toEqual([email, [1, 1]])
  expect(await signIn('eli@example.org', PASSWORD)).toBe(200)
  for (const email of emails) expect([email, await costOf(email)]).toEqual([email, [1, 0]])
})

test('many at once are computed two by two', async () => {
  const hashes = new PasswordHashes(server.context.db)
  const made = await Promise.all(Array.from({ length: 9 }, () => hashes.hash('quiet boat seven')))
  expect([new Set(made).size, work.most]).toEqual([9, 2])
})
