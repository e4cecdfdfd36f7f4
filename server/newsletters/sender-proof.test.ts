import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { projectRoot } from '../root.ts'
import { type Session, startTestApp, type TestApp } from '../testing/app.ts'
import { createTestDatabase } from '../testing/database.ts'
import { paragraph } from '../testing/newsletter.ts'
import { type RecordingRelay, startRecordingRelay } from '../testing/recording-relay.ts'

let relay: RecordingRelay
let server: TestApp
let owner: Session
beforeAll(async () => {
  relay = await startRecordingRelay()
  server = await startTestApp({
    env: { SMTP_URL: relay.url, PUBLIC_URL: 'http://news.house.example', MAIL_FROM: 'Tirage <post@house.example>' },
  })
  owner = await provenPerson('ines@example.org')
})
afterAll(async () => {
  await server?.stop()
  await relay?.stop()
})

async function provenPerson(email: string): Promise<Session> {
  const person = await server.signUp({ email })
  await server.context.db.updateTable('user').set({ email_verified: true }).where('id', '=', person.userId).execute()
  return person
}
const codeOf = (answer: { json(): { error?: { code: string } } }) => answer.json().error?.code

/** A newsletter with one subscriber and a draft. */
async function newsletterOf(session: Session, senderAddress: string | null, more: object = {}) {
  const id = await server.createNewsletter(session)
  const path = `/api/newsletters/${id}`
  const saved = await session.call('PATCH', path, { postalAddress: '4 quai de la Criée', senderAddress, ...more })
  await sql`insert into subscriber (newsletter_id, id, email, email_normalised, language, status, confirmed_at)
    values (${id}, gen_random_uuid(), 'r@example.com', 'r@example.com', 'en', 'active', now())`.execute(
    server.context.db,
  )
  const content = { type: 'doc', content: [paragraph('The sea leaves.')] }
  const draft = (await session.call('POST', `${path}/publications`, { title: 'Low tide', content })).json()
  const publication = `${path}/publications/${draft.id}`
  const call = (method: 'GET' | 'POST' | 'PATCH', below: string, body?: unknown) =>
    session.call(method, path + below, body)
  const proofs = async () =>
    (await call('GET', '/senders')).json().senders as { address: string; proof: string | null }[]
  return {
    id,
    path,
    saved,
    publication,
    call,
    proofs,
    send: (body = {}) => session.call('POST', `${publication}/send`, body),
  }
}

const mailedCode = async (address: string) => {
  const [mail] = await server.queuedMail(address)
  return /^([1-9A-HJ-NP-Za-km-z]{8})$/m.exec(mail?.text ?? '')?.[1] ?? ''
}

describe('a sender address', () => {
  test('of an owner whose address is proven needs nothing more, until they leave', async () => {
    const { id, send, proofs } = await newsletterOf(owner, 'Ines@Example.org')
    expect(await proofs()).toEqual([{ address: 'Ines@Example.org', proof: 'own' }])
    const other = await provenPerson('other-owner@example.org')
    await server.context.db
      .insertInto('member')
      .values({ newsletter_id: id, user_id: other.userId, role: 'owner' })
      .execute()
    await owner.call('DELETE', `/api/newsletters/${id}/members/${owner.userId}`)
    expect((await other.call('GET', `/api/newsletters/${id}/senders`)).json().senders).toMatchObject([{ proof: null }])
    expect((await send()).statusCode).toBe(404)
  })

  test('that is not proven yet is not said to be where mail comes from, and who only gets answers is asked about answers', async () => {
    const { call } = await newsletterOf(owner, 'letters@harbour.example', { replyTo: 'answers@harbour.example' })
    const comesFrom = async () => (await call('GET', '/senders')).json().comesFrom
    expect(await comesFrom()).toBe('post@house.example')
    for (const address of ['letters@harbour.example', 'answers@harbour.example'])
      await call('POST', '/senders/code', { address })
    const [sender] = await server.queuedMail('letters@harbour.example')
    const [replies] = await server.queuedMail('answers@harbour.example')
    expect(sender?.text).toContain('from this address')
    expect(replies?.text).toContain('the answers of the readers of')
    expect(replies?.text).not.toContain('from this address')
    const code = await mailedCode('letters@harbour.example')
    await call('POST', '/senders/proof', { address: 'letters@harbour.example', code })
    expect(await comesFrom()).toBe('letters@harbour.example')
  })

  test('that is not proven says how many scheduled publications wait for it, and when the first leaves', async () => {
    const { call, send } = await newsletterOf(owner, 'ines@example.org')
    const scheduled = async () => (await call('GET', '/senders')).json().scheduled
    expect(await scheduled()).toEqual({ count: 0, first: null })
    const at = new Date(Date.now() + 86_400_000).toISOString()
    expect((await send({ at })).statusCode).toBe(200)
    await call('PATCH', '', { senderAddress: 'letters@harbour.example' })
    expect(await scheduled()).toEqual({ count: 1, first: at })
  })

  test('that is nobody’s yet sends nothing, and the check says what to do', async () => {
    const { send, publication, call } = await newsletterOf(owner, 'ceo@bank.example')
    expect((await owner.call('GET', `${publication}/check`)).json().problems).toContainEqual({
      code: 'sender_unproven',
      blocks: true,
      count: null,
    })
    for (const answer of [
      await send(),
      await send({ at: '2999-01-01T00:00:00Z' }),
      await owner.call('POST', `${publication}/test`, {}),
    ]) {
      expect([answer.statusCode, codeOf(answer)]).toEqual([403, 'sender_unproven'])
      expect(answer.json().error.message).toContain('settings, under Sender')
    }
    expect((await send({ channel: 'web' })).statusCode).toBe(200)
    await call('POST', '/subscribers', { email: 'asks@example.com' })
    await server.work()
    const confirmation = relay.received.find(({ to }) => to === 'asks@example.com')
    expect(confirmation?.raw.toString()).toMatch(/^From: .*<post@house\.example>/m)
    expect(relay.received.map(({ raw }) => raw.toString()).join()).not.toContain('ceo@bank.example')
  })

  test('of an editor is not theirs to lend without being asked', async () => {
    const { id, proofs } = await newsletterOf(owner, 'editor@example.org')
    const editor = await provenPerson('editor@example.org')
    await server.context.db
      .insertInto('member')
      .values({ newsletter_id: id, user_id: editor.userId, role: 'editor' })
      .execute()
    expect(await proofs()).toMatchObject([{ proof: null }])
  })

  test('is proven by the code that was mailed to it, once, for the newsletter that asked', async () => {
    const address = 'hello@lowwater.example'
    const { call, proofs, send } = await newsletterOf(owner, address)
    expect((await call('POST', '/senders/code', { address })).json()).toEqual({ done: true })
    const [mail] = await server.queuedMail(address)
    expect(mail?.subject).toBe('A code to prove your address')
    const code = await mailedCode(address)
    const another = await newsletterOf(await provenPerson('thief@example.org'), address)
    expect(codeOf(await another.call('POST', '/senders/proof', { address, code }))).toBe('code_wrong')
    expect(codeOf(await call('POST', '/senders/proof', { address, code: 'wrong' }))).toBe('code_wrong')
    expect((await call('POST', '/senders/proof', { address, code })).json()).toEqual({ done: true })
    expect(codeOf(await call('POST', '/senders/proof', { address, code }))).toBe('code_wrong')
    expect(await proofs()).toEqual([{ address, proof: 'mail' }])
    expect((await send()).statusCode).toBe(200)
    await server.work()
    expect(relay.received.some(({ raw }) => raw.toString().includes('<hello@lowwater.example>'))).toBe(true)

    // Another newsletter can no longer take it; one of the same owner can.
    expect(codeOf(await another.call('POST', '/senders/code', { address }))).toBeUndefined()
    expect((await server.queuedMail(address)).filter(({ subject }) => subject.includes('code'))).toHaveLength(0)
    const third = await newsletterOf(await provenPerson('third@example.org'), address)
    expect(codeOf(third.saved)).toBe('sender_taken')
    expect((await newsletterOf(owner, address)).saved.statusCode).toBe(200)
  })

  test('with two newsletters that prove it at once belongs to one', async () => {
    const address = 'race@lowwater.example'
    const both = []
    for (const email of ['race1@example.org', 'race2@example.org']) {
      const one = await newsletterOf(await provenPerson(email), address)
      await one.call('POST', '/senders/code', { address })
      both.push({ one, code: await mailedCode(address) })
    }
    const answers = await Promise.all(
      both.map(({ one, code }) => one.call('POST', '/senders/proof', { address, code })),
    )
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 409])
  })

  test('is not guessed: after ten wrong codes the right one is wrong too', async () => {
    const address = 'guess@lowwater.example'
    const { call } = await newsletterOf(owner, address)
    await call('POST', '/senders/code', { address })
    const code = await mailedCode(address)
    for (let n = 0; n < 10; n += 1) await call('POST', '/senders/proof', { address, code: `no${n}` })
    expect(codeOf(await call('POST', '/senders/proof', { address, code }))).toBe('code_wrong')
  })

  test('gets five codes a day from all newsletters together, and nobody who asks learns it', async () => {
    const address = 'often@lowwater.example'
    const answers = []
    for (let n = 0; n < 7; n += 1) {
      const { call } = await newsletterOf(owner, address)
      answers.push((await call('POST', '/senders/code', { address })).body)
    }
    expect(new Set(answers)).toEqual(new Set(['{"done":true}']))
    expect(await server.queuedMail(address)).toHaveLength(5)
  })

  test('that is not the newsletter’s own setting gets no code, and guests and keys ask for none', async () => {
    const { call, path, id } = await newsletterOf(owner, 'set@lowwater.example')
    expect((await call('POST', '/senders/code', { address: 'victim@example.net' })).statusCode).toBe(404)
    const key = await owner.call('POST', `${path}/api-keys`, { name: 'k', role: 'owner' })
    const byKey = server.withKey(key.json().secret)
    expect(codeOf(await byKey('POST', `${path}/senders/code`, { address: 'set@lowwater.example' }))).toBe('key_cannot')
    const editor = await server.asMember(id, 'editor')
    expect((await editor.call('POST', `${path}/senders/code`, { address: 'set@lowwater.example' })).statusCode).toBe(
      403,
    )
  })

  test('of the server is refused, and so is one beside it', async () => {
    for (const address of ['post@house.example', 'Abuse@House.example', 'x@mail.house.example']) {
      const { saved } = await newsletterOf(owner, address)
      expect([address, saved.statusCode, codeOf(saved)]).toEqual([address, 422, 'sender_reserved'])
    }
    const operator = await provenPerson('operator@house.example')
    expect((await newsletterOf(operator, 'operator@house.example')).saved.statusCode).toBe(200)
  })

  test('is proven by a record of the newsletter in its domain, seen in DNS', async () => {
    const { id, proofs } = await newsletterOf(owner, 'news@records.example', { replyTo: 'answers@records.example' })
    const key = {
      newsletter_id: id,
      id: `${id}k`,
      domain: 'records.example',
      selector: 's',
      algorithm: 'rsa-sha256',
      public_key: 'x',
    }
    await server.context.db
      .insertInto('dkim_key')
      .values({ ...key, algorithm: 'rsa-sha256', private_key: Buffer.from('x') })
      .execute()
    expect(await proofs()).toMatchObject([{ proof: null }, { proof: null }])
    await sql`update dkim_key set verified_at = now() where id = ${`${id}k`}`.execute(server.context.db)
    expect(await proofs()).toMatchObject([{ proof: 'domain' }, { proof: 'domain' }])
  })

  test('whose proof ended stops what is scheduled and what goes on, with a sentence', async () => {
    const address = 'ends@lowwater.example'
    const { id, call, send, publication } = await newsletterOf(owner, address)
    await call('POST', '/senders/code', { address })
    await call('POST', '/senders/proof', { address, code: await mailedCode(address) })
    expect((await send()).statusCode).toBe(200)
    await server.context.db.deleteFrom('sender_proof').where('newsletter_id', '=', id).execute()
    await server.work()
    expect(relay.received.some(({ raw }) => /^From: .*<ends@/m.test(raw.toString()))).toBe(false)
    expect((await owner.call('GET', publication)).json()).toMatchObject({
      status: 'paused',
      stoppedBy: 'sender_unproven',
    })
  })
})

test.each(['support@bank.example', 'Bank (support @ bank.example)', 'support＠bank.example', 'a﹫b'])(
  'the sender name %s is refused, and never reaches a mail',
  async (senderName) => {
    const { path, id } = await newsletterOf(owner, null)
    const answer = await owner.call('PATCH', path, { senderName })
    expect(answer.json().error.fields.senderName).toContain('looks like another sender')
    await server.context.db.updateTable('newsletter').set({ sender_name: senderName }).where('id', '=', id).execute()
    const email = `${id.toLowerCase()}@example.com`
    await owner.call('POST', `${path}/subscribers`, { email })
    await server.work()
    const mail = relay.received.find(({ to }) => to === email)
    expect(/^From: (.*) </m.exec(mail?.raw.toString() ?? '')?.[1]).not.toMatch(/[@＠﹫]/)
  },
)

test('addresses that mail was sent from before the upgrade stay, others have to be proven', async () => {
  const database = await createTestDatabase({ bare: true })
  const pool = new pg.Pool({ connectionString: database.url })
  pool.on('error', () => {}).on('connect', (client) => client.on('error', () => {}))
  const folder = join(projectRoot, 'migrations')
  const files = readdirSync(folder).sort()
  for (const name of files.filter((one) => one < '0027')) await pool.query(readFileSync(join(folder, name), 'utf8'))
  await pool.query(`
    insert into "user" (id, name, email, email_verified) values ('u', 'Ada', 'ada@example.org', true);
    insert into newsletter (id, name, sender_name, sender_address, reply_to, language, timezone, currency) values
      ('used', 'a', 'a', 'Used@example.org', 'answers@example.org', 'en', 'UTC', 'eur'),
      ('idle', 'b', 'b', 'idle@example.org', null, 'en', 'UTC', 'eur'),
      ('ownerless', 'c', 'c', null, null, 'en', 'UTC', 'eur');
    insert into member (newsletter_id, user_id, role) values ('used', 'u', 'owner'), ('idle', 'u', 'owner');
    insert into publication (newsletter_id, id, title, language, content) values ('used', 'p', 't', 'en', '{}');
    insert into sending (newsletter_id, publication_id, id, audience, state, started_at) values ('used', 'p', 's', '{"kind":"everyone"}', 'sent', now());
    insert into delivery (newsletter_id, publication_id, sending_id, subscriber_id, email, state)
      values ('used', 'p', 's', gen_random_uuid(), 'r@example.org', 'accepted');
    insert into api_key (newsletter_id, id, name, role, prefix, hash, created_by) values
      ('used', 'kept', 'k', 'owner', 'p', 'x', 'u'), ('used', 'orphan', 'k', 'owner', 'p', 'y', null);`)
  await pool.query(readFileSync(join(folder, '0027_tenants.sql'), 'utf8'))
  const column = async (text: string) => (await pool.query({ text, rowMode: 'array' })).rows.flat()
  expect(
    await column(`select newsletter_id || ' ' || address from sender_proof where proved_at is not null order by 1`),
  ).toEqual(['used answers@example.org', 'used used@example.org'])
  expect(await column('select id from api_key')).toEqual(['kept'])
  expect(await column('select id from newsletter where deleted_at is not null')).toEqual(['ownerless'])
  await pool.end()
})
