import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { translator } from '../translator.ts'
import { sessionsCommand } from './command.ts'

let server: TestApp
beforeAll(async () => {
  server = await startTestApp()
})
afterAll(() => server?.stop())

const t = translator('en')

async function sessions(...args: string[]): Promise<string> {
  const lines: string[] = []
  await sessionsCommand(server.context, args, { t, say: (line) => lines.push(line) })
  return lines.join('\n')
}

test('the operator ends all sessions of one person, and the person’s own list says so', async () => {
  const ada = await server.signUp({ email: 'ada@example.org' })
  await server.confirm(ada)
  const elsewhere = await server.signIn('ada@example.org')
  const other = await server.signUp()
  expect(await sessions('end', ' Ada@example.org')).toBe('2 sessions of ada@example.org have ended.')
  for (const session of [ada, elsewhere]) expect((await session.call('GET', '/api/me')).json().user).toBeNull()
  expect((await other.call('GET', '/api/me')).json().user).not.toBeNull()
  expect(await sessions('end', 'ada@example.org')).toBe('0 sessions of ada@example.org have ended.')
  const events = server.context.db
    .selectFrom('account_event')
    .select(['act', 'outcome'])
    .where('user_id', '=', ada.userId)
  expect(await events.orderBy('id', 'desc').limit(1).execute()).toEqual([
    { act: 'sessions_ended_by_operator', outcome: 'done' },
  ])
  expect((await server.signIn('ada@example.org')).userId).toBe(ada.userId)
})

test('what it does not understand changes nothing', async () => {
  const bea = await server.signUp({ email: 'bea@example.org' })
  await expect(sessions('end')).rejects.toThrow('Whose sessions?')
  await expect(sessions('end', 'nobody@example.org')).rejects.toThrow('There is no account with nobody@example.org')
  for (const args of [[], ['drop'], ['end', 'bea@example.org', 'ada@example.org']]) {
    await expect(sessions(...args)).rejects.toThrow('sessions')
  }
  expect((await bea.call('GET', '/api/me')).json().user).not.toBeNull()
})
