import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Session, startTestApp, type TestApp } from '../testing/app.ts'

let house: TestApp
let id: string
beforeAll(async () => {
  house = await startTestApp({ listen: true })
  id = await house.createNewsletter(await house.signUp())
})
afterAll(() => house?.stop())

/** Reads a stream until the server ends it. */
async function follow({ cookie }: Session) {
  const answer = await fetch(`${house.url}/api/newsletters/${id}/live`, { headers: { cookie } })
  const reader = answer.body?.getReader()
  const next = async () => {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    return done ? 'ended' : new TextDecoder().decode(value)
  }
  expect(await next()).toContain('retry')
  return next
}

test('a stream stays open for a member, and ends with the next beat for one who was removed', async () => {
  const stays = await follow(await house.asMember(id, 'analyst'))
  const removed = await house.asMember(id, 'editor')
  const leaves = await follow(removed)
  await house.context.db.deleteFrom('member').where('user_id', '=', removed.userId).execute()
  await house.context.live.beat()
  expect([await stays(), await leaves()]).toEqual([': still here\n\n', 'ended'])
})

test('signing out ends the streams of that session', async () => {
  const person = await house.asMember(id, 'editor')
  const next = await follow(person)
  expect((await person.call('POST', '/api/auth/sign-out', {})).statusCode).toBe(200)
  await house.context.live.beat()
  expect(await next()).toBe('ended')
})
