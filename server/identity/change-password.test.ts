import { afterAll, beforeAll, expect, test } from 'vitest'
import { PASSWORD, type Session, startTestApp, type TestApp } from '../testing/app.ts'

let server: TestApp
beforeAll(async () => {
  server = await startTestApp()
})
afterAll(() => server?.stop())

const NEW = 'quiet boat seven'
const user = async (session: Session) => (await session.call('GET', '/api/me')).json().user

test('a new password counts at once, the old one no more, and every other session ends', async () => {
  const email = 'noor@example.org'
  const here = await server.signUp({ email })
  await server.confirm(here)
  const elsewhere = await server.signIn(email, PASSWORD)
  for (const [password, sentence] of [
    ['ninechars', 'password_short'],
    ['password1234', 'password_common'],
    ['noor@example.org', 'password_personal'],
    ['x'.repeat(201), 'too_long'],
  ] as const) {
    const refused = await here.call('PUT', '/api/me/password', { password })
    expect([sentence, refused.statusCode]).toEqual([sentence, 422])
    expect(Object.keys(refused.json().error.fields)).toEqual(['password'])
  }
  expect(await user(elsewhere)).not.toBeNull()

  expect((await here.call('PUT', '/api/me/password', { password: NEW })).statusCode).toBe(200)
  expect(await user(here)).toMatchObject({ email })
  expect(await user(elsewhere)).toBeNull()
  expect((await server.signIn(email, NEW)).userId).toBe(here.userId)
  await expect(server.signIn(email, PASSWORD)).rejects.toThrow()
})

test('a password counts as it was typed: no letter changes its case, and nothing is cut', async () => {
  const email = 'otto@example.org'
  const password = `  Vier Boote ${'und ein Meer '.repeat(8)}  `
  expect(password.length).toBeGreaterThan(110)
  const here = await server.signUp({ email, password })
  await server.confirm(here)
  expect((await server.signIn(email, password)).userId).toBe(here.userId)
  for (const other of [password.trim(), password.toLowerCase(), password.slice(0, 72)])
    await expect(server.signIn(email, other)).rejects.toThrow()
})
