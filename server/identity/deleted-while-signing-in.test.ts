import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { PASSWORD, type Session, startTestApp, type TestApp } from '../testing/app.ts'
import { lockWaiters } from '../testing/lock-waiters.ts'

let server: TestApp
beforeAll(async () => {
  server = await startTestApp()
})
afterAll(() => server?.stop())

/** The answer to a call that has read the user, and whose first row about that user waits for the deletion. */
async function duringDeletion(session: Session, call: () => ReturnType<Session['call']>) {
  const { db } = server.context
  const waiting = () => lockWaiters(db)
  const answer = await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('user').where('id', '=', session.userId).execute()
    const asked = { answer: call() }
    await vi.waitUntil(async () => (await waiting()) === 1, { timeout: 10_000 })
    return asked
  })
  return answer.answer
}

test('who signs in to an account that is deleted at that moment is told to sign in', async () => {
  const session = await server.signUp({ email: 'ada@example.org' })
  await server.confirm(session)
  const body = { email: 'ada@example.org', password: PASSWORD }
  const answer = await duringDeletion(session, () => server.stranger('POST', '/api/auth/sign-in/email', body))
  expect([answer.statusCode, answer.json().error.code]).toEqual([401, 'unauthenticated'])
})

test('so is who uses a link from a mail', async () => {
  const session = await server.signUp({ email: 'bea@example.org' })
  await server.confirm(session)
  await server.stranger('POST', '/api/auth/sign-in/magic-link', { email: 'bea@example.org' })
  const [mail] = await server.queuedMail('bea@example.org')
  const token = /arrived\?token=(\w+)/.exec(mail?.text ?? '')?.[1]
  const answer = await duringDeletion(session, () => server.stranger('POST', '/api/identity/sign-in-link', { token }))
  expect([answer.statusCode, answer.json().error.code]).toEqual([401, 'unauthenticated'])
})
