import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Session, startTestApp, type TestApp } from '../testing/app.ts'

let server: TestApp
let id: string
beforeAll(async () => {
  server = await startTestApp({ listen: true })
  id = await server.createNewsletter(await server.signUp())
})
afterAll(() => server?.stop())

/** Reads a stream until the server ends it. */
async function follow({ cookie }: Session) {
  const answer = await fetch(`${server.url}/api/newsletters/${id}/live`, { headers: { cookie } })
  const reader = answer.body?.getReader()
  const next = async () => {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    return done ? 'ended' : new TextDecoder().decode(value)
  }
  expect(await next()).toContain('retry')
  return next
}

test('a stream stays open for a member, and ends at the next heartbeat after the member was removed', async () => {
  const stays = await follow(await server.asMember(id, 'analyst'))
  const removed = await server.asMember(id, 'editor')
  const leaves = await follow(removed)
  await server.context.db.deleteFrom('member').where('user_id', '=', removed.userId).execute()
  await server.context.live.beat()
  expect([await stays(), await leaves()]).toEqual([': still here\n\n', 'ended'])
})

test('a stream has the security headers of every answer', async () => {
  const { cookie } = await server.asMember(id, 'analyst')
  const left = new AbortController()
  const answer = await fetch(`${server.url}/api/newsletters/${id}/live`, { headers: { cookie }, signal: left.signal })
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
  })
  left.abort()
})

test('signing out ends the streams of that session', async () => {
  const person = await server.asMember(id, 'editor')
  const next = await follow(person)
  expect((await person.call('POST', '/api/auth/sign-out', {})).statusCode).toBe(200)
  await server.context.live.beat()
  expect(await next()).toBe('ended')
})
