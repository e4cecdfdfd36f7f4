import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { upgradedDatabase } from '../testing/older-database.ts'
import { translator } from '../translator.ts'
import { bouncesCommand } from './command.ts'

// A database in which the last release suppressed readers: it kept the reason and the words.

const LAST_MIGRATION = '0012'
let app: TestApp

beforeAll(async () => {
  const database = await upgradedDatabase(
    LAST_MIGRATION,
    `
    insert into newsletter (id, name, sender_name, language, timezone, currency)
      values ('n1', 'Low Water', 'Low Water', 'en', 'Europe/Paris', 'eur');
    insert into publication (newsletter_id, id, title, language, content) values ('n1', 'p1', 'Low tide', 'en', '{}');
    insert into subscriber (newsletter_id, id, email, email_normalised, language, status, confirmed_at, left_at)
      select 'n1', gen_random_uuid(), 'reader' || i || '@example.org', 'reader' || i || '@example.org', 'en',
        case when i = 3 then 'unsubscribed' else 'bounced' end, now(), now() from generate_series(1, 4) i;
    insert into suppression (newsletter_id, email_normalised, reason, detail)
      select newsletter_id, email_normalised, 'bounced', '550 5.7.1 <' || email || '>: Relay access denied' from subscriber;
    insert into event (newsletter_id, id, at, kind, subscriber_id, publication_id)
      select newsletter_id, gen_random_uuid(), now(), 'bounced', id, 'p1' from subscriber where email <> 'reader4@example.org';`,
  )
  app = await startTestApp({ database })
}, 60_000)
afterAll(() => app?.stop())

async function bounces(...args: string[]): Promise<string> {
  const lines: string[] = []
  await bouncesCommand(app.context, args, { t: translator('en'), say: (line) => lines.push(line) })
  return lines.join('\n')
}

test('the command finds and restores readers whom the last release lost', async () => {
  const list = await bounces('--at-least', '1')
  // The event of the fourth is gone, and with it the publication.
  expect(list).toMatch(
    / {2}\w{8} {2}3 subscribers of Low Water: 550 5\.7\.1 …: Relay access denied, [\d-]+, Low tide$/m,
  )
  expect(list).toMatch(/ {2}\w{8} {2}1 subscriber of Low Water: 550 5\.7\.1 …: Relay access denied, [\d-]+$/m)
  const id = /(\w{8}) {2}3 subscribers/.exec(list)?.[1] ?? ''
  const done = await bounces('restore', id, '--reason', 'Exim refused to relay', '--yes')
  expect(done).toContain('2 subscribers get mail again.')
  expect(done).toContain('1 had unsubscribed before and stays so.')
  const { db } = app.context
  const rows = await db.selectFrom('subscriber').select(['email', 'status']).orderBy('email').execute()
  expect(rows.map(({ status }) => status)).toEqual(['active', 'active', 'unsubscribed', 'bounced'])
})
