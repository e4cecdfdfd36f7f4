import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addNewsletter, startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { translator } from '../translator.ts'
import { suppress } from './change.ts'
import { bouncesCommand } from './command.ts'

let server: TestNewsletter
beforeAll(async () => {
  server = await startTestNewsletter()
})
afterAll(() => server?.stop())

const t = translator('en')

async function bounces(...args: string[]): Promise<string> {
  const lines: string[] = []
  await bouncesCommand(server.context, args, { t, say: (line) => lines.push(line) })
  return lines.join('\n')
}

const active = async () => {
  const { db } = server.context
  const rows = await db.selectFrom('subscriber').select('email').where('status', '=', 'active').execute()
  return rows.map(({ email }) => email).toSorted()
}

test('the operator sees who was lost by newsletter and answer, and restores a group after seeing how many', async () => {
  const { db } = server.context
  expect(await bounces()).toBe('No answer suppressed so many subscribers.')
  const emails = ['a', 'b', 'c'].map((name) => `${name}@example.org`)
  const ids = await server.addSubscribers([...emails, 'gone@example.org', 'gone2@example.org'])
  const { id: publicationId } = await server.draft({ title: 'Low tide' })
  const words = (i: number) => (i < 3 ? '550 relay not permitted' : '550 5.1.1 no such user')
  const lost = ids.map((subscriberId, i) => ({
    newsletterId: server.newsletterId,
    subscriberId,
    publicationId,
    words: words(i),
  }))
  await suppress(db, 'bounced', lost)
  // The last release did not keep the publication where the event is gone.
  const other = await addNewsletter(db, server.owner.userId, 'High Water')
  await sql`insert into subscriber (newsletter_id, id, email, email_normalised, language, status, confirmed_at)
    select ${other}, gen_random_uuid(), email, email_normalised, language, 'bounced', now() from subscriber`.execute(db)
  await sql`insert into suppression (newsletter_id, email_normalised, reason, detail)
    select ${other}, email_normalised, 'bounced', '550 verify failed' from suppression`.execute(db)

  const list = await bounces()
  expect(list).toMatch(/^ {2}\w{8} {2}5 subscribers of High Water: 550 verify failed, [\d-]+$/m)
  expect(list).toMatch(/ {2}\w{8} {2}3 subscribers of Low Water: 550 relay not permitted, [\d-]+, Low tide$/m)
  expect(list).toMatch(/2 subscribers of Low Water: 550 5\.1\.1 no such user, .*says that the addresses do not exist$/m)
  expect(await bounces('--at-least', '4')).not.toContain('Low Water')

  const id = /(\w{8}) {2}3 subscribers/.exec(list)?.[1] ?? ''
  await expect(bounces('restore', id)).rejects.toThrow('--reason')
  const asked = await bounces('restore', id, '--reason', 'Exim was closed')
  expect(asked).toContain('With --yes, 3 subscribers get mail again. Nothing was changed.')
  expect(await active()).toEqual([])
  const done = await bounces('restore', id, '--reason', 'Exim was\nclosed', '--yes')
  expect(done).toContain('3 subscribers get mail again.')
  expect(await active()).toEqual(emails)
  const lines = await db.selectFrom('audit').select(['actor', 'reason', 'user_id']).execute()
  expect(lines).toEqual([{ actor: 'operator', reason: 'Exim was closed', user_id: null }])
  await expect(bounces('restore', id, '--reason', 'again', '--yes')).rejects.toThrow('no group')

  const unknown = /(\w{8}) {2}5 subscribers of High Water/.exec(list)?.[1] ?? ''
  expect(await bounces('restore', unknown, '--reason', 'x', '--yes')).toContain('5 subscribers get mail again.')
})

test('what cannot be is said', async () => {
  await expect(bounces('explode')).rejects.toThrow(/bounces explode/)
  await expect(bounces('--at-least', 'many')).rejects.toThrow(/at-least/)
  await expect(bounces('restore', '--reason', 'x')).rejects.toThrow('no group')
})
