import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Session, startTestApp, type TestApp } from '../testing/app.ts'
import { endKeysOf } from './api-keys.ts'
import { newsletterUserData } from './personal-data.ts'

let server: TestApp
let owner: Session
let id: string
let path: string
beforeAll(async () => {
  server = await startTestApp()
  owner = await server.signUp({ name: 'Inès' })
  id = await server.createNewsletter(owner)
  path = `/api/newsletters/${id}`
})
afterAll(() => server?.stop())

const keyOf = async (session: Session, role = 'owner') => {
  const made = await session.call('POST', `${path}/api-keys`, { name: 'Form', role })
  expect(made.statusCode, made.body).toBe(200)
  return { id: made.json().id as string, call: server.withKey(made.json().secret) }
}
const statusOf = async (call: Session['call'], method: 'GET' | 'PATCH' = 'GET') =>
  (await call(method, path, method === 'PATCH' ? { name: 'Low Water' } : undefined)).statusCode

test('a key ends when its maker is removed, leaves, or deletes their account', async () => {
  for (const end of [
    (maker: Session) => owner.call('DELETE', `${path}/members/${maker.userId}`),
    (maker: Session) => maker.call('DELETE', `${path}/members/${maker.userId}`),
    (maker: Session) => maker.call('DELETE', '/api/me'),
  ]) {
    const maker = await server.asMember(id, 'owner')
    const { call } = await keyOf(maker)
    expect(await statusOf(call)).toBe(200)
    const ended = await end(maker)
    expect(ended.statusCode, ended.body).toBe(200)
    expect(await statusOf(call)).toBe(401)
  }
})

test('a key is lowered with its maker at once, rises with them again, and never goes beyond its own role', async () => {
  const maker = await server.asMember(id, 'owner')
  const { call, id: keyId } = await keyOf(maker)
  const give = (role: string) => owner.call('PATCH', `${path}/members/${maker.userId}`, { role })
  expect(await statusOf(call, 'PATCH')).toBe(200)
  await give('analyst')
  expect([await statusOf(call), await statusOf(call, 'PATCH')]).toEqual([200, 403])
  expect((await call('GET', path)).json().role).toBe('analyst')
  expect((await call('POST', `${path}/links`, { target: 'https://example.org/' })).statusCode).toBe(403)
  const listed = (await owner.call('GET', `${path}/api-keys`))
    .json()
    .keys.find((key: { id: string }) => key.id === keyId)
  expect(listed).toMatchObject({ role: 'owner', maker: { userId: maker.userId, role: 'analyst' } })
  await give('owner')
  expect(await statusOf(call, 'PATCH')).toBe(200)

  const { call: low } = await keyOf(maker, 'analyst')
  expect([await statusOf(low), await statusOf(low, 'PATCH')]).toEqual([200, 403])
})

test('while its maker is made an analyst, every call is allowed before and refused after', async () => {
  const maker = await server.asMember(id, 'owner')
  const { call } = await keyOf(maker)
  let lowered = false
  const after: number[] = []
  const hammer = async () => {
    for (let n = 0; n < 15; n += 1) {
      const begunLowered = lowered
      const status = await statusOf(call, 'PATCH')
      if (begunLowered) after.push(status)
      else expect([200, 403]).toContain(status)
    }
  }
  const demote = async () => {
    expect((await owner.call('PATCH', `${path}/members/${maker.userId}`, { role: 'analyst' })).statusCode).toBe(200)
    lowered = true
  }
  await Promise.all([hammer(), hammer(), demote()])
  expect(new Set(after)).toEqual(new Set([403]))
})

test('a key made at the moment in which its maker is removed is refused, or ends with them', async () => {
  for (let n = 0; n < 5; n += 1) {
    const maker = await server.asMember(id, 'owner')
    const [made] = await Promise.all([
      maker.call('POST', `${path}/api-keys`, { name: 'Late', role: 'owner' }),
      owner.call('DELETE', `${path}/members/${maker.userId}`),
    ])
    expect([200, 403, 404]).toContain(made.statusCode)
    if (made.statusCode === 200) expect(await statusOf(server.withKey(made.json().secret))).toBe(401)
  }
})

test('every owner sees who made a key, what it may do and where it was last used, and may revoke it', async () => {
  const maker = await server.asMember(id, 'owner')
  const { call, id: keyId } = await keyOf(maker, 'editor')
  expect(await statusOf(call)).toBe(200)
  const { keys } = (await owner.call('GET', `${path}/api-keys`)).json()
  expect(keys.find((key: { id: string }) => key.id === keyId)).toMatchObject({
    maker: { name: 'Ada' },
    role: 'editor',
    lastUsedAt: expect.any(String),
    lastNetwork: expect.stringMatching(/^\d+\.\d+\.\d+\.0\/24$/),
    expiresAt: null,
  })
  const editor = await server.asMember(id, 'editor')
  expect((await editor.call('GET', `${path}/api-keys`)).statusCode).toBe(403)
  expect((await editor.call('DELETE', `${path}/api-keys/${keyId}`)).statusCode).toBe(403)
  expect((await owner.call('DELETE', `${path}/api-keys/${keyId}`)).statusCode).toBe(200)
  expect(await statusOf(call)).toBe(401)
})

test('whoever takes an account back ends its keys in all newsletters, and nobody else’s', async () => {
  const maker = await server.asMember(id, 'owner')
  const { call } = await keyOf(maker)
  const { call: other } = await keyOf(owner)
  await endKeysOf(server.context.db, maker.userId)
  expect([await statusOf(call), await statusOf(other)]).toEqual([401, 200])
})

test('the key of a guest who signs up stays theirs', async () => {
  const guest = await server.tryFirst()
  const theirs = await server.createNewsletter(guest)
  const made = await guest.call('POST', `/api/newsletters/${theirs}/api-keys`, { name: 'k', role: 'owner' })
  const user = await server.signUp()
  const member = newsletterUserData.find(({ table }) => table === 'member')
  if (typeof member?.merge !== 'function') throw new Error('memberships are merged')
  await member.merge(server.context.db, guest.userId, user.userId)
  const call = server.withKey(made.json().secret)
  expect((await call('GET', `/api/newsletters/${theirs}`)).statusCode).toBe(200)
  expect((await user.call('GET', `/api/newsletters/${theirs}/api-keys`)).json().keys).toMatchObject([
    { maker: { userId: user.userId } },
  ])
})
