import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { uuidv7 } from '../../database/ids.ts'
import { exportSubscriber } from '../../personal-data/export.ts'
import { heldOfSubscribers } from '../../personal-data/register.ts'
import { addPaidPlan } from '../../testing/charge.ts'
import { addAcceptedDeliveries } from '../../testing/deliveries.ts'
import { checkFile, importFile, readImport, uploadFile, uploadPart, words } from '../../testing/import-file.ts'
import { lockWaiters } from '../../testing/lock-waiters.ts'
import { startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { verifyChain } from '../receipts/verify.ts'

let server: TestNewsletter
beforeAll(async () => {
  server = await startTestNewsletter()
})
afterAll(() => server?.stop())
beforeEach(async () => {
  const { db } = server.context
  await sql`truncate subscriber, consent, receipt_chain, receipt_checkpoint, unchained_receipt, suppression, tag, custom_field,
    subscriber_tag, import, import_refusal, daily_count, source_count, subscriber_count, audit, event cascade`.execute(
    db,
  )
})

const people = async () => {
  const { rows } = await sql<Record<string, unknown>>`
    select s.email_normalised as email, s.name, s.language, s.status, s.source, s.fields,
      coalesce((select array_agg(t.name order by t.name) from subscriber_tag st join tag t on t.id = st.tag_id
        where st.subscriber_id = s.id), '{}') as tags,
      to_char(s.confirmed_at at time zone 'utc', 'YYYY-MM-DD') as joined
    from subscriber s order by 1`.execute(server.context.db)
  return rows
}

const faults = async () => (await verifyChain(server.context.db, server.context.signer, server.newsletterId)).faults

const takeBack = (importId: string, body = {}) =>
  server.owner.call('POST', `${server.path}/imports/${importId}/take-back`, body)

const substack = `email,active_subscription,expiry,plan,email_disabled,created_at,first_payment_at
maelle.guillou@orange.fr,true,2027-03-02T09:14:00.000Z,yearly,false,2021-03-14T07:02:51.000Z,2022-03-02T09:14:00.000Z
yann@example.org,false,,other,false,2022-05-01T10:00:00.000Z,
gone@example.org,false,,other,true,2022-05-01T10:00:00.000Z,
yann.lebris@gmial.com,false,,other,false,2022-05-01T10:00:00.000Z,
"=HYPERLINK(""http://x.example"")",false,,other,false,2022-05-01T10:00:00.000Z,
`

test('a dry run counts everything and changes nobody', async () => {
  const checked = await checkFile(server, substack)
  expect(checked.sheet).toMatchObject({ preset: 'substack', encoding: 'utf-8', delimiter: ',', hasHeader: true })
  expect(checked.state).toBe('checked')
  expect(checked.counts).toEqual({
    rows: 5,
    added: 2,
    here: 0,
    confirmed: 0,
    keptAway: 1,
    leftOut: 0,
    twins: 0,
    refused: 2,
    reasons: { mistyped_domain: 1, formula: 1 },
  })
  expect(checked.report).toEqual([
    { line: 5, reason: 'mistyped_domain', cell: 'yann.lebris@gmial.com' },
    { line: 6, reason: 'formula', cell: '=HYPERLINK("http://x.example")' },
  ])
  expect(await people()).toEqual([])
})

test('a download for a French spreadsheet comes back in as it went out', async () => {
  const { owner, path, context } = server
  const { db } = context
  await owner.call('POST', `${path}/fields`, { key: 'boats', label: 'Boats', kind: 'number' })
  const before = 'email,name,tags,joined,boats\nzoe@example.org,"Zoé; +33",deep;sea,2026-01-02,1.5\n'
  await importFile(server, before)
  const first = await people()
  expect(first).toMatchObject([{ name: 'Zoé; +33', fields: { boats: 1.5 } }])
  const { body } = await owner.call('GET', `${path}/subscribers.csv?sheet=fr`)
  expect(body).toContain(';1,5')
  await sql`truncate subscriber cascade`.execute(db)
  expect((await importFile(server, body)).sheet).toMatchObject({ preset: 'tirage', delimiter: ';' })
  const withoutSource = ({ source: _, ...person }: Record<string, unknown>) => person
  expect((await people()).map(withoutSource)).toEqual(first.map(withoutSource))
})

test('an import makes subscribers with the date, tags and fields of the file, and a receipt in the owner’s words', async () => {
  const begun = Date.now()
  const done = await importFile(server, substack, { tag: 'harbour-notes' })
  expect(done).toMatchObject({ state: 'done', counts: { rows: 5, added: 2, keptAway: 1, refused: 2 }, by: 'Inès' })
  expect(await people()).toEqual([
    {
      email: 'gone@example.org',
      name: null,
      language: 'en',
      status: 'unsubscribed',
      source: 'import',
      fields: { substack_plan: 'other' },
      tags: ['harbour-notes'],
      joined: '2022-05-01',
    },
    {
      email: 'maelle.guillou@orange.fr',
      name: null,
      language: 'en',
      status: 'active',
      source: 'import',
      fields: { substack_plan: 'yearly' },
      tags: ['harbour-notes', 'paid-on-substack'],
      joined: '2021-03-14',
    },
    {
      email: 'yann@example.org',
      name: null,
      language: 'en',
      status: 'active',
      source: 'import',
      fields: { substack_plan: 'other' },
      tags: ['harbour-notes'],
      joined: '2022-05-01',
    },
  ])
  const { db } = server.context
  const receipts = await db
    .selectFrom('consent')
    .select(['act', 'wording', 'wording_version', 'means', 'proof', 'beneficiary_name'])
    .orderBy('proof')
    .execute()
  const proof = (line: number, end = '') => `import ${done.id}, own_newsletter, line ${line}${end}`
  const given = { act: 'given', wording: words, wording_version: 'own', means: 'import', beneficiary_name: 'Low Water' }
  expect(receipts).toEqual([
    { ...given, proof: proof(2, ', dated 2021-03-14') },
    { ...given, proof: proof(3, ', dated 2022-05-01') },
    expect.objectContaining({
      act: 'withdrawn',
      proof: proof(4),
      wording: expect.stringContaining('no longer wanted mail'),
    }),
  ])
  expect(await faults()).toBe(0)
  const { rows: days } = await sql`
    select to_char(day, 'YYYY-MM-DD') as day, joined, departed from daily_count order by day`.execute(db)
  expect(days, 'whoever the file keeps away never read here').toEqual([
    { day: '2021-03-14', joined: 1, departed: 0 },
    { day: '2022-05-01', joined: 1, departed: 0 },
  ])
  const listed = (await server.owner.call('GET', `${server.path}/subscribers`)).json()
  const added = listed.rows.map(({ addedAt }: { addedAt: string }) => Date.parse(addedAt))
  expect(added).toHaveLength(3)
  expect(Math.min(...added)).toBeGreaterThanOrEqual(begun)
  const { rows: sources } = await sql`select sum(joined)::integer as joined from source_count`.execute(db)
  expect(sources).toEqual([{ joined: 2 }])
  const { rows: staged } = await sql`select from pg_class where relname = ${`import_row_${done.id}`}`.execute(db)
  expect(staged).toEqual([])
})

test('who left, bounced, complained or is suppressed is never revived, and nobody who is here loses anything', async () => {
  const { db } = server.context
  const emails = ['active', 'pending', 'left', 'bounced', 'complained', 'stopped'].map((name) => `${name}@example.org`)
  await server.addSubscribers(emails.slice(0, 5), 'Own name')
  for (const status of ['pending', 'bounced', 'complained'] as const)
    await db.updateTable('subscriber').set({ status }).where('email', '=', `${status}@example.org`).execute()
  await db
    .updateTable('subscriber')
    .set({ status: 'unsubscribed', left_at: new Date() })
    .where('email', '=', 'left@example.org')
    .execute()
  await db
    .insertInto('suppression')
    .values({ newsletter_id: server.newsletterId, email_normalised: 'stopped@example.org', reason: 'by_hand' })
    .execute()
  const file = `email,name,tags\n${emails.map((email) => `${email.toUpperCase()},From file,new`).join('\n')}\n`

  // Before and after, of those who are here it is known that one counts who had not confirmed.
  const counts = { rows: 6, added: 0, here: 2, confirmed: 1, leftOut: 4, refused: 0 }
  expect((await checkFile(server, file)).counts).toMatchObject(counts)
  const done = await importFile(server, file)
  expect(done.counts).toMatchObject(counts)
  expect(done.counts?.reasons).toEqual({ left_before: 1, bounced_before: 1, complained_before: 1, suppressed: 1 })
  const after = await people()
  expect(after.map(({ email, name, status, tags }) => [email, name, status, tags])).toEqual([
    ['active@example.org', 'Own name', 'active', ['new']],
    ['bounced@example.org', 'Own name', 'bounced', []],
    ['complained@example.org', 'Own name', 'complained', []],
    ['left@example.org', 'Own name', 'unsubscribed', []],
    ['pending@example.org', 'Own name', 'active', ['new']],
  ])
  const receipts = await db.selectFrom('consent').select(['act', 'proof']).execute()
  expect(receipts).toEqual([{ act: 'given', proof: `import ${done.id}, own_newsletter, line 3` }])
})

test('the same address twice becomes one subscriber, by the stated rules', async () => {
  const file = `email;prénom;created_at;status;tags;ville
ada@example.org;;2023-05-01;active;a, b;Brest
ADA@example.org;Ada;2021-05-01;active;B,c;Quimper
left@example.org;Lou;2021-05-01;active;;
left@example.org;Lou;2021-05-01;unsubscribed;;
`
  const targets = ['email', 'first_name', 'joined', 'status', 'tags'].map((to) => ({ to }))
  const done = await importFile(server, file, {
    targets: [...targets, { to: 'new_field', label: 'Ville', kind: 'text' }],
  })
  expect(done.counts).toMatchObject({ rows: 4, added: 1, keptAway: 1, twins: 2 })
  expect(await people()).toMatchObject([
    { email: 'ada@example.org', name: 'Ada', joined: '2021-05-01', tags: ['a', 'b', 'c'], fields: { ville: 'Brest' } },
    { email: 'left@example.org', status: 'unsubscribed' },
  ])
})

test('the file’s values take the place of those that are here only when the owner says so', async () => {
  const { db } = server.context
  await server.addSubscribers(['ada@example.org'], 'Own name')
  await importFile(server, 'email,name,langue\nada@example.org,From file,fr\n')
  expect(await people()).toMatchObject([{ name: 'Own name', language: 'en' }])
  await importFile(server, 'email,name,langue\nada@example.org,From file,fr\n', { existing: 'replace' })
  expect(await people()).toMatchObject([{ name: 'From file', language: 'fr' }])
  expect(await db.selectFrom('consent').selectAll().execute()).toEqual([])
})

test('what is cancelled while its beginning is read says that it has moved on', async () => {
  const { db } = server.context
  const begun = await server.owner.call('POST', `${server.path}/imports`, {
    fileName: 'people.csv',
    bytes: substack.length,
  })
  const path = `${server.path}/imports/${begun.json().id}`
  // The part is stored by then, and its reader waits for the fields of the newsletter.
  const { uploading } = await db.transaction().execute(async (tx) => {
    await sql`lock table custom_field in access exclusive mode`.execute(tx)
    const part = { cookie: server.owner.cookie, url: `${path}/parts/0`, data: Buffer.from(substack) }
    const sent = uploadPart(server, part)
    await expect.poll(() => lockWaiters(db), { timeout: 10_000 }).toBe(1)
    expect((await server.owner.call('POST', `${path}/cancel`, {})).statusCode).toBe(200)
    return { uploading: sent }
  })
  const answer = await uploading
  expect([answer.statusCode, answer.json().error.code]).toEqual([409, 'import_moved_on'])
})

test('what is cancelled leaves nothing, and what is done can be taken back but for those who did something since', async () => {
  const { db } = server.context
  const cancelled = await checkFile(server, substack)
  expect((await server.owner.call('POST', `${server.path}/imports/${cancelled.id}/cancel`, {})).json()).toMatchObject({
    state: 'cancelled',
  })
  await server.work()
  expect(await people()).toEqual([])

  const done = await importFile(server, substack)
  await sql`insert into event (newsletter_id, id, at, kind, subscriber_id)
    select newsletter_id, gen_random_uuid(), now(), 'unsubscribed', id from subscriber where email = 'yann@example.org'`.execute(
    db,
  )
  const back = await takeBack(done.id, { keepLeft: false })
  expect(back.statusCode).toBe(200)
  await server.work()
  expect(await readImport(server, done.id)).toMatchObject({ state: 'taken_back' })
  expect((await people()).map(({ email }) => email)).toEqual(['yann@example.org'])
  expect(await faults()).toBe(0)
})

test('what is taken back leaves everybody about whom there is anything since, whatever it is', async () => {
  const { db } = server.context
  const since = ['mailed', 'clicked', 'opened', 'confirmed', 'suppressed', 'paused']
  const done = await importFile(server, `email\n${['quiet', ...since].map((who) => `${who}@example.org\n`).join('')}`)
  const rows = await db.selectFrom('subscriber').select(['id', 'email']).execute()
  const idOf = (who: string) => rows.find(({ email }) => email === `${who}@example.org`)?.id ?? ''
  // One trace of each, so that each is looked for.
  await addAcceptedDeliveries(server, [idOf('mailed')])
  await sql`insert into click (newsletter_id, short_link_id, subscriber_id, at, device)
    values (${server.newsletterId}, 'tide', ${idOf('clicked')}, now(), 'phone')`.execute(db)
  await sql`insert into event (newsletter_id, id, at, kind, subscriber_id)
    values (${server.newsletterId}, gen_random_uuid(), now(), 'opened', ${idOf('opened')})`.execute(db)
  await sql`insert into consent (newsletter_id, id, subscriber_id, act, wording, wording_version, language, means, at)
    values (${server.newsletterId}, gen_random_uuid(), ${idOf('confirmed')}, 'given', 'Yes', 'own', 'en', 'confirmation', now())`.execute(
    db,
  )
  await sql`insert into suppression (newsletter_id, email_normalised, reason)
    values (${server.newsletterId}, 'suppressed@example.org', 'by_hand')`.execute(db)
  // A pause by a mailed link leaves nothing but itself.
  await sql`update subscriber set paused_until = now() + interval '30 days' where id = ${idOf('paused')}`.execute(db)
  expect((await server.owner.call('POST', `${server.path}/imports/${done.id}/take-back`, {})).statusCode).toBe(200)
  await server.work()
  expect(await readImport(server, done.id)).toMatchObject({
    state: 'taken_back',
    takenBack: { removed: 1, stayed: { mailed: 1, clicked: 1, changed: 4 } },
  })
  expect((await people()).map(({ email }) => email)).toEqual(since.toSorted().map((who) => `${who}@example.org`))
})

test('deleting the tag and the field that an import made is no change of the people who had them', async () => {
  const targets = [{ to: 'email' }, { to: 'tags' }, { to: 'new_field', label: 'Ville', kind: 'text' }]
  const done = await importFile(server, 'email,tags,ville\nada@example.org,a,Brest\nbob@example.org,a,\n', { targets })
  const { tags } = (await server.owner.call('GET', `${server.path}/tags`)).json()
  const { fields } = (await server.owner.call('GET', `${server.path}/fields`)).json()
  for (const rest of [`tags/${tags[0].id}`, `fields/${fields[0].id}`])
    expect((await server.owner.call('DELETE', `${server.path}/${rest}`)).statusCode).toBe(200)
  expect(await people()).toMatchObject([{ fields: {} }, { fields: {} }])
  const preview = await server.owner.call('GET', `${server.path}/imports/${done.id}/take-back`)
  expect(preview.json()).toEqual({ takenBack: { removed: 2, stayed: {} } })
})

test('who the file says has left stays as left when it is taken back, and both numbers are known before', async () => {
  const file = 'email,status\nactive@example.org,active\ngone@example.org,unsubscribed\nspam@example.org,complained\n'
  const done = await importFile(server, file)
  const preview = await server.owner.call('GET', `${server.path}/imports/${done.id}/take-back`)
  const expected = { removed: 1, stayed: { left: 2 } }
  expect([preview.statusCode, preview.json()]).toEqual([200, { takenBack: expected }])
  expect((await takeBack(done.id)).statusCode).toBe(200)
  await server.work()
  expect(await readImport(server, done.id)).toMatchObject({ state: 'taken_back', takenBack: expected })
  expect((await people()).map(({ email, status }) => [email, status])).toEqual([
    ['gone@example.org', 'unsubscribed'],
    ['spam@example.org', 'complained'],
  ])
  const again = await importFile(server, 'email\nactive@example.org\ngone@example.org\nspam@example.org\n')
  expect(again.counts).toMatchObject({ added: 1, leftOut: 2 })
  expect(await faults()).toBe(0)
})

test('who was only addressed is not said to have got mail', async () => {
  const { db } = server.context
  const whose = ['accepted', 'uncertain', 'failed', 'deferred', 'suppressed', 'caught']
  const done = await importFile(server, `email\n${whose.map((state) => `${state}@example.org\n`).join('')}`)
  const rows = await db.selectFrom('subscriber').select('id').execute()
  const [{ publicationId = '' } = {}] = await addAcceptedDeliveries(
    server,
    rows.map(({ id }) => id),
  )
  await sql`update delivery set state = split_part(email, '@', 1), due_at = case when email like 'deferred%' then now() + interval '1 hour' end
    where publication_id = ${publicationId}`.execute(db)
  expect((await takeBack(done.id)).statusCode).toBe(200)
  await server.work()
  expect(await readImport(server, done.id)).toMatchObject({
    takenBack: { removed: 0, stayed: { mailed: 2, caught: 1, unreached: 3 } },
  })
})

test('a remark on a line that is put to an earlier one of the same address is in the report', async () => {
  const file = 'email,created at\nada@example.org,2024-01-02\nada@example.org,2024-15-15\n'
  const { report, counts } = await checkFile(server, file)
  expect(counts).toMatchObject({ added: 1, twins: 1, reasons: { no_such_day: 1 } })
  expect(report).toMatchObject([{ line: 3, reason: 'no_such_day', cell: '2024-15-15' }])
})

test('a day to come, before there was mail or in no calendar is left out with that reason', async () => {
  const file =
    'email,created at\nada@example.org,2099-12-31\nyann@example.org,31/12/2099\nzoe@example.org,1970-01-01\nkarl@example.org,soon\nemma@example.org,31/02/2024\nlea@example.org,2024-02-30 09:00\n'
  const { report, counts } = await checkFile(server, file)
  expect(counts).toMatchObject({
    added: 6,
    reasons: { time_to_come: 2, time_too_early: 1, not_a_time: 1, no_such_day: 2 },
  })
  expect(report.map(({ line, reason }) => [line, reason])).toEqual([
    [2, 'time_to_come'],
    [3, 'time_to_come'],
    [4, 'time_too_early'],
    [5, 'not_a_time'],
    [6, 'no_such_day'],
    [7, 'no_such_day'],
  ])
})

test.each(['unsubscribed', 'Opted out', 'Désabonné', 'Désinscrit', 'désinscrite'])(
  'a yes in the column %s is a no to mail',
  async (name) => {
    const { sheet, counts } = await checkFile(server, `email,${name}\nada@example.org,no\ngone@example.org,oui\n`)
    expect(sheet?.columns[1]?.target).toEqual({ to: 'has_left' })
    expect(counts).toMatchObject({ added: 1, keptAway: 1 })
  },
)

test('a column that says who has left with days is read as days, and one with other words is not guessed at', async () => {
  const dated = await checkFile(server, 'email,unsubscribed\nada@example.org,\ngone@example.org,2024-01-31\n')
  expect(dated.sheet?.columns[1]?.target).toEqual({ to: 'left' })
  expect(dated.counts).toMatchObject({ added: 1, keptAway: 1 })
  const other = await checkFile(server, 'email,subscribed\nada@example.org,the weekly one\n')
  expect(other.sheet?.columns[1]?.target).toEqual({ to: 'skip' })
})

test('whoever an import brought and took away again has neither joined nor left, and whoever stays has', async () => {
  const { db } = server.context
  await server.addSubscribers(['ada@example.org'])
  const days = async () =>
    (
      await sql`select to_char(day, 'YYYY-MM-DD') as day, joined, departed from daily_count
        where joined <> 0 or departed <> 0 order by day`.execute(db)
    ).rows
  const before = await days()
  const file = [
    'email,status,source,created_at,confirmed_at,left_at',
    'quiet@example.org,active,page,,2022-05-01T10:00:00Z,',
    'today@example.org,active,page,,,',
    'stays@example.org,active,api,,2022-05-01T10:00:00Z,',
    'gone@example.org,unsubscribed,page,,2022-05-02T10:00:00Z,2023-01-08T10:00:00Z',
    'undated@example.org,unsubscribed,page,,2022-05-03T10:00:00Z,',
  ]
  const done = await importFile(server, file.join('\n'))
  expect(await days()).toEqual(
    expect.arrayContaining([
      { day: '2022-05-01', joined: 2, departed: 0 },
      { day: '2022-05-02', joined: 1, departed: 0 },
      { day: '2023-01-08', joined: 0, departed: 1 },
    ]),
  )
  await sql`insert into event (newsletter_id, id, at, kind, subscriber_id)
    select newsletter_id, gen_random_uuid(), now(), 'opened', id from subscriber where email = 'stays@example.org'`.execute(
    db,
  )
  await takeBack(done.id, { keepLeft: false })
  await server.work()
  expect(await readImport(server, done.id)).toMatchObject({ takenBack: { removed: 4, stayed: { changed: 1 } } })
  expect(await days()).toEqual([{ day: '2022-05-01', joined: 1, departed: 0 }, ...before])
  const { figures } = (await server.owner.call('GET', `${server.path}/dashboard?from=first`)).json()
  expect(figures).toMatchObject({ joined: 2, departed: 0, subscribers: 2 })
  const { sources } = (await server.owner.call('GET', `${server.path}/dashboard/highlights?from=first`)).json()
  expect(sources.map(({ joined }: { joined: number }) => joined)).toEqual([1, 1])
  const quiet = await db.selectFrom('subscriber').select('id').where('email', '=', 'ada@example.org').execute()
  await db
    .deleteFrom('subscriber')
    .where('id', '=', quiet[0]?.id ?? '')
    .execute()
  const after = (await server.owner.call('GET', `${server.path}/dashboard?from=first`)).json()
  expect(after.figures, 'others who are removed have left').toMatchObject({ joined: 2, departed: 1, subscribers: 1 })
})

test('what is taken back leaves who paid, was given something, or books for a sponsor, with what they may read', async () => {
  const { db } = server.context
  const file = ['quiet', 'paid', 'given', 'Buyer', 'books'].map((who) => `${who}@example.org\n`)
  const done = await importFile(server, `email\n${file.join('')}`)
  const planId = await addPaidPlan(db, server.newsletterId)
  const cash = { currency: 'eur', amount: 5400, means: 'cash', at: new Date().toISOString() }
  for (const entered of [
    { email: 'paid@example.org', way: 'outside', period: 'year', payment: cash },
    { email: 'given@example.org', way: 'gift' },
  ]) {
    const body = { ...entered, planId, until: new Date(Date.now() + 86_400_000).toISOString() }
    const answer = await server.owner.call('POST', `${server.path}/charge/subscriptions`, body)
    expect([entered.email, answer.statusCode]).toEqual([entered.email, 200])
  }
  const here = { newsletter_id: server.newsletterId, id: uuidv7(), currency: 'eur', amount: 1, language: 'en' } as const
  await sql`insert into gift_order (newsletter_id, id, plan_id, price_id, months, test, language, buyer_email, created_at)
    select newsletter_id, ${here.id}, plan_id, min(id), 12, false, 'en', 'buyer@EXAMPLE.org', now() from price
    where plan_id = ${planId} group by 1, 3`.execute(db)
  const placement = { newsletter_id: server.newsletterId, words: '{}', place: 'top' as const, max_words: 60 }
  const { id: placement_id } = await db
    .insertInto('placement')
    .values(placement)
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('booking')
    .values({
      ...{ ...here, placement_id, day: '2098-01-02', seat: 1, state: 'requested', sponsor: 'Halyard Books' },
      ...{ contact: 'Ada', email: 'Books@example.org', message: '', requested_at: new Date() },
      ...{ max_words: 60, takes_image: true, lead_days: 5 },
    })
    .execute()
  expect((await server.owner.call('POST', `${server.path}/imports/${done.id}/take-back`, {})).statusCode).toBe(200)
  await server.work()
  expect(await readImport(server, done.id)).toMatchObject({
    state: 'taken_back',
    takenBack: { removed: 1, stayed: { paid: 3, booked: 1 } },
  })
  expect((await people()).map(({ email }) => email)).toEqual(
    ['books', 'buyer', 'given', 'paid'].map((who) => `${who}@example.org`),
  )
  const { rows } = (await server.owner.call('GET', `${server.path}/charge/subscriptions`)).json()
  expect(rows.map((row: { subscriber: { email: string } | null }) => row.subscriber?.email).toSorted()).toEqual([
    'given@example.org',
    'paid@example.org',
  ])
})

test('every table that holds something of a person is looked at when an import is taken back, or is named here', () => {
  const looked = readFileSync(new URL('./traces.ts', import.meta.url), 'utf8')
  // What an import writes itself, what follows from another table that is looked at, and what is only planned for somebody.
  const others = [
    ...['subscriber', 'receipt_chain', 'subscriber_tag', 'import', 'import_row', 'import_refusal'],
    ...['link_clicker', 'publication_clicker', 'payment_event', 'stripe_difference', 'recommendation_asked', 'arrival'],
    ...['newcomer', 'welcomed', 'passed_over', 'digest_item', 'bulk_change_subscriber'],
  ]
  const tables = [...new Set(heldOfSubscribers.map(({ table }) => table))]
  const isLookedAt = (table: string) => new RegExp(`(of|named)\\('${table}'|(from|join) ${table} `).test(looked)
  expect(tables.filter((table) => !others.includes(table) && !isLookedAt(table))).toEqual([])
})

test('another role, another newsletter and a repeated step are refused', async () => {
  const editor = await server.asMember(server.newsletterId, 'editor')
  expect((await uploadFile(server, substack, { cookie: editor.cookie })).statusCode).toBe(403)
  const stranger = await server.signUp()
  expect((await uploadFile(server, substack, { cookie: stranger.cookie })).statusCode).toBe(404)
  const done = await importFile(server, substack)
  for (const step of ['start', 'cancel', 'check']) {
    const body =
      step === 'check'
        ? {
            targets: done.sheet?.columns.map(({ target }) => target),
            hasHeader: true,
            origin: 'other',
            words,
            confirmed: true,
          }
        : {}
    const answer = await server.owner.call('POST', `${server.path}/imports/${done.id}/${step}`, body)
    expect([step, answer.statusCode, answer.json().error.code]).toEqual([step, 409, 'import_moved_on'])
  }
  const other = await server.createNewsletter(server.owner)
  for (const [method, rest] of [
    ['GET', ''],
    ['POST', '/take-back'],
    ['GET', '/report.csv'],
  ] as const) {
    const answer = await server.owner.call(
      method,
      `/api/newsletters/${other}/imports/${done.id}${rest}`,
      method === 'POST' ? {} : undefined,
    )
    expect(answer.json().error.code).toBe('import_not_found')
  }
})

test('nobody who was erased comes back by a file, and who was not is imported', async () => {
  await importFile(server, 'email\nada@example.org\ngrace@example.org\n')
  const { rows } = (await server.owner.call('GET', `${server.path}/subscribers?search=ada`)).json()
  expect((await server.owner.call('DELETE', `${server.path}/subscribers/${rows[0].id}`)).statusCode).toBe(200)
  const again = await importFile(server, 'email\nADA@example.org\nnew@example.org\n')
  expect(again.counts).toMatchObject({ rows: 2, added: 1, leftOut: 1, reasons: { erased_before: 1 } })
  expect((await people()).map(({ email }) => email)).toEqual(['grace@example.org', 'new@example.org'])
  const byHand = await server.owner.call('POST', `${server.path}/subscribers`, { email: 'ada@example.org' })
  expect([byHand.statusCode, byHand.json().error.fields]).toEqual([
    422,
    { email: expect.stringContaining('erased here') },
  ])
})

test('an own field catches a column by its label, and by its key only where such columns are not usually called so', async () => {
  for (const [key, label] of [
    ['email', 'City'],
    ['name', 'Given name'],
    ['wharf', 'Mooring'],
    ['mail', 'Email'],
  ])
    await server.owner.call('POST', `${server.path}/fields`, { key, label, kind: 'text' })
  const { sheet } = await checkFile(server, 'Email,Name,City,wharf\nada@example.org,Ada,Brest,3\n')
  expect(sheet?.columns.map(({ target }) => target)).toEqual([
    { to: 'email' },
    { to: 'name' },
    { to: 'field', field: 'email' },
    { to: 'field', field: 'wharf' },
  ])
})

test('beside a first name, a name is the last name', async () => {
  const recognised = async (csv: string) => (await checkFile(server, csv)).sheet?.columns.map(({ target }) => target.to)
  const french = await recognised('Adresse e-mail;Prénom;Nom\nada@example.org;Ada;Lovelace\n')
  expect(french).toEqual(['email', 'first_name', 'last_name'])
  expect(await recognised('Adresse e-mail;Nom\nada@example.org;Ada\n')).toEqual(['email', 'name'])
})

test('the usual names of dates and plans are recognised', async () => {
  const recognised = async (csv: string) => (await checkFile(server, csv)).sheet?.columns.map(({ target }) => target.to)
  expect(await recognised('email;Abonné le;Désabonnée le\nada@example.org;2025-03-01;\n')).toEqual([
    'email',
    'joined',
    'left',
  ])
  expect(await recognised('Email;Sign-up date;Unsubscribed on;Plan\nada@example.org;2025-03-01;;Friend\n')).toEqual([
    ...['email', 'joined', 'left', 'new_field'],
  ])
})

test('whoever is here already gets tags up to the limit, and the report says that there were more', async () => {
  await importFile(
    server,
    `email,tags\nnour@example.org,"${Array.from({ length: 99 }, (_, n) => `t${n}`).join(',')}"\n`,
  )
  const { report, counts } = await importFile(server, 'email,tags\nnour@example.org,"t3,one,two,three"\n')
  expect(report).toMatchObject([{ line: 2, reason: 'too_many_tags', cell: 'two' }])
  expect([counts?.here, (await people())[0]?.tags]).toEqual([1, expect.objectContaining({ length: 100 })])
})

test('after a crash of the database has emptied the rows in the middle, those that are in stay known as added', async () => {
  const { db } = server.context
  const { id } = await checkFile(
    server,
    'email,name\nfirst@example.org,First\nhere@example.org,Here\nlast@example.org,Last\n',
  )
  await server.owner.call('POST', `${server.path}/imports/${id}/start`, {})
  // As it is after a batch that ended with line 2.
  const [first = '', here = ''] = await server.addSubscribers(['first@example.org', 'here@example.org'])
  await sql`insert into consent (newsletter_id, id, subscriber_id, act, wording, wording_version, language, means, proof)
    select newsletter_id, gen_random_uuid(), id, 'given', ${words}, 'own', 'en', 'import', ${`import ${id}, own_newsletter, line 2`}
    from subscriber where id = ${first}`.execute(db)
  await sql`update import set done = 2, total = 4, begun_at = now() where id = ${id}`.execute(db)
  await sql`truncate ${sql.table(`import_row_${id}`)}`.execute(db)
  await server.work()
  const { state, counts } = await readImport(server, id)
  expect([state, counts]).toMatchObject(['done', { rows: 3, added: 2, here: 1, leftOut: 0 }])
  const rows = await db.selectFrom('subscriber').select(['id', 'name']).orderBy('email').execute()
  expect(rows.map(({ id: one, name }) => [[first, here].includes(one), name])).toEqual([
    [true, null],
    [true, 'Here'],
    [false, 'Last'],
  ])
})

test('the history of whoever a file brought names it, its day and who imported it, and so do the data they are given', async () => {
  const begun = Date.now()
  await importFile(server, substack)
  const id = (
    await server.context.db
      .selectFrom('subscriber')
      .select('id')
      .where('email', '=', 'yann@example.org')
      .executeTakeFirstOrThrow()
  ).id
  const { rows } = (await server.owner.call('GET', `${server.subscriberPath(id)}/timeline`)).json()
  expect(rows).toMatchObject([{ kind: 'imported', file: 'people.csv', by: 'Inès' }])
  expect(Date.parse(rows[0].at)).toBeGreaterThanOrEqual(begun)
  const given = await exportSubscriber(server.context.db, { newsletterId: server.newsletterId, subscriberId: id })
  expect(given?.['import.id']).toMatchObject([{ file_name: 'people.csv' }])
})
