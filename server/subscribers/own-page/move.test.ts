import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { enqueue } from '../../jobs/queue.ts'
import { type PublicSite, startPublicSite } from '../../testing/public-site.ts'
import { confirmToken } from '../confirm.ts'
import { SubscriberLinks } from '../subscriber-links.ts'
import { MoveLinks } from './move-links.ts'

const DAY = 24 * 3600 * 1000
let server: PublicSite
let links: SubscriberLinks
let newsletter: string
let people = 0
/** The address before and the one that is asked for: others in each test, because requests are counted by address. */
let before: string
let after: string
let id: string

beforeAll(async () => {
  server = await startPublicSite({ SUBSCRIBE_LIMIT: '1000' })
  links = new SubscriberLinks(server.context.config.secret, server.context.signer)
})
afterAll(() => server.stop())
beforeEach(async () => {
  newsletter = await server.addNewsletter()
  people += 1
  before = `ada${people}@example.org`
  after = `Lovelace${people}@example.net`
  id = await add(before)
})

async function add(email: string, status = 'active'): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into subscriber (newsletter_id, id, email, email_normalised, language, status, confirmed_at, source)
    values (${newsletter}, uuidv7(), ${email}, ${email.toLowerCase()}, 'en', ${status}, now(), 'page') returning id`.execute(
    server.context.db,
  )
  return rows[0]?.id ?? ''
}

const find = () =>
  server.context.db
    .selectFrom('subscriber')
    .selectAll()
    .where('newsletter_id', '=', newsletter)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const standing = () => `/me/${links.standing({ newsletterId: newsletter, subscriberId: id })}`
const fresh = async () => `/me/${links.fresh(await find(), server.clock.now)}`

/** The path of the link that was mailed last, and to whom; null when nothing was mailed since the last call. */
let seen = 0
async function mailed(): Promise<{ to: string; path: string } | null> {
  await server.work()
  const mails = (await server.context.relays.outbox.list()).filter((one) => one.newsletterId === newsletter)
  const news = mails.length > seen
  seen = mails.length
  const [newest] = mails
  if (!newest || !news) return null
  const source = (await server.context.relays.outbox.read(newest.id))?.source.toString().replaceAll(/=\r?\n/g, '') ?? ''
  return {
    to: /^To: .*?([^\s<>]+@[^\s<>]+)/m.exec(source)?.[1] ?? '',
    path: /(\/move\/[\w.-]+)/.exec(source)?.[1] ?? '',
  }
}
beforeEach(() => {
  seen = 0
})

const ask = async (to = after) => server.submit(await fresh(), { act: 'move', email: to })
const receipts = async () =>
  await server.context.db
    .selectFrom('consent')
    .select(['act', 'wording', 'means', 'proof'])
    .where('subscriber_id', '=', id)
    .execute()
const events = async () =>
  (await server.context.db.selectFrom('event').select('kind').where('subscriber_id', '=', id).execute()).map(
    ({ kind }) => kind,
  )

test('a subscription goes to another address once that has confirmed; the one before is told, and takes it back', async () => {
  const asked = await ask()
  expect(asked.headers.location).toContain('said=moving')
  const toNew = await mailed()
  expect(toNew?.to).toBe(after)
  const page = await server.get(toNew?.path ?? '')
  expect([page.statusCode, page.headers['referrer-policy'], page.headers['cache-control']]).toEqual([
    200,
    'no-referrer',
    'no-store',
  ])
  expect((await find()).email).toBe(before)
  const done = await server.submit(toNew?.path ?? '', {})
  expect(done.body).toContain('It is done.')
  expect(await find()).toMatchObject({
    email: after,
    email_normalised: after.toLowerCase(),
    status: 'active',
    source: 'page',
  })
  expect(await receipts()).toMatchObject([
    { act: 'given', wording: expect.stringContaining('no longer to the one before'), means: 'confirmation' },
  ])
  expect(await events()).toEqual(['moved'])
  expect((await server.submit(toNew?.path ?? '', {})).statusCode).toBe(410)

  const toOld = await mailed()
  expect(toOld?.to).toBe(before)
  expect((await server.get(toOld?.path ?? '')).statusCode).toBe(200)
  expect((await find()).email).toBe(after)
  expect((await server.submit(toOld?.path ?? '', {})).statusCode).toBe(200)
  expect(await find()).toMatchObject({ email: before, email_normalised: before })
  expect(await receipts()).toHaveLength(2)
  expect(await mailed()).toMatchObject({ to: after, path: '' })
  for (const { path } of [toNew, toOld].flatMap((one) => one ?? []))
    expect((await server.submit(path, {})).statusCode).toBe(410)
})

test('the link in each mail, which may have been forwarded, takes nobody anywhere', async () => {
  expect((await server.get(standing())).body).not.toContain('value="move"')
  await server.submit(standing(), { act: 'move', email: after })
  expect(await mailed()).toBeNull()
  expect((await server.get(await fresh())).body).toContain('value="move"')
})

test('every address has the same answer, and none is mailed that is subscribed, was stopped or is not taken', async () => {
  const { db } = server.context
  await add('known@example.org')
  await add('gone@example.org', 'unsubscribed')
  await sql`insert into suppression (newsletter_id, email_normalised, reason) values (${newsletter}, 'stopped@example.org', 'bounced')`.execute(
    db,
  )
  await sql`update newsletter set role_addresses = 'refuse' where id = ${newsletter}`.execute(db)
  const addresses = ['known@example.org', 'gone@example.org', 'stopped@example.org', 'info@example.org']
  const answers = new Set<unknown>()
  const answer = ({ statusCode, headers }: Awaited<ReturnType<typeof ask>>, address: string) => {
    const query = String(headers.location).split('?')[1]
    answers.add(JSON.stringify([statusCode, query?.replace(encodeURIComponent(address), 'ADDRESS')]))
  }
  for (const address of addresses) {
    // Asking is counted for each subscriber.
    await sql`delete from rate_limit`.execute(db)
    answer(await ask(address), address)
    expect([address, await mailed()]).toEqual([address, null])
  }
  await sql`delete from rate_limit`.execute(db)
  answer(await ask(), after)
  expect(await mailed()).toMatchObject({ to: after })
  expect(answers.size).toBe(1)
})

test('whoever asks reads which address was written to, or that it is theirs already, where they asked', async () => {
  const path = await fresh()
  const { headers } = await server.submit(path, { act: 'move', email: after })
  const [address = '', place] = String(headers.location).split('#')
  expect(place).toBe('move')
  const { body } = await server.get(address)
  expect(body.slice(body.indexOf('id="move"'))).toMatch(
    new RegExp(`You asked for ${after}\\..*This server cannot send email yet\\.`),
  )
  expect(await mailed()).toMatchObject({ to: after })
  const own = await server.submit(path, { act: 'move', email: before.toUpperCase() })
  const said = (await server.get(String(own.headers.location).split('#')[0] ?? '')).body
  expect(said.slice(said.indexOf('id="move"'))).toContain('That is your address already.')
  expect(await mailed()).toBeNull()
  // Whoever changes the address of the page gets no sentence with what they wrote.
  expect((await server.get(`${path}?said=moving&to=buy+now`)).body).not.toContain('buy now')
})

test('a link that ended with a move says so, and not that it was too old', async () => {
  const path = await fresh()
  await ask()
  await server.submit((await mailed())?.path ?? '', {})
  const { body } = await server.get(path)
  expect(body).toContain('the address is another one now')
  expect(body).not.toContain('has had its hour')
})

test('the caught mail of who is erased goes, to both of their addresses, and that of others stays', async () => {
  const caught = async () => {
    const mails = (await server.context.relays.outbox.list()).filter((one) => one.newsletterId === newsletter)
    return mails.flatMap(({ envelope }) => envelope.to).sort()
  }
  await ask()
  await server.submit((await mailed())?.path ?? '', {})
  await mailed()
  const other = await add('other@example.org')
  await enqueue(server.context.db, 'mail_own_page', { newsletterId: newsletter, subscriberId: other })
  await server.work()
  expect(await caught()).toEqual([after, before, 'other@example.org'].sort())
  await server.submit(await fresh(), { act: 'erase' })
  await server.work()
  expect(await caught()).toEqual(['other@example.org'])
})

test('what is no address is refused, and asking often is', async () => {
  for (const wrong of ['', 'ada', 'a@b', '"<x>"@example.org', `${'a'.repeat(300)}@example.org`])
    expect((await ask(wrong)).headers.location).toContain('said=notAddress')
  const statuses = []
  for (let n = 0; n < 6; n += 1) statuses.push((await ask(`other${people}.${n}@example.net`)).statusCode)
  expect(statuses).toEqual([303, 303, 303, 303, 303, 429])
})

test('an address that somebody took, or to which mail was stopped, since it was asked for stays theirs', async () => {
  await ask()
  const { path = '' } = (await mailed()) ?? {}
  await add(after)
  expect((await server.submit(path, {})).statusCode).toBe(410)
  const { db } = server.context
  await sql`delete from subscriber where newsletter_id = ${newsletter} and email = ${after}`.execute(db)
  await sql`insert into suppression (newsletter_id, email_normalised, reason) values (${newsletter}, ${after.toLowerCase()}, 'complained')`.execute(
    db,
  )
  expect((await server.submit(path, {})).statusCode).toBe(410)
  await sql`delete from suppression where newsletter_id = ${newsletter}`.execute(db)
  await sql`insert into suppression (newsletter_id, email_normalised, reason) values (${newsletter}, ${before}, 'by_hand')`.execute(
    db,
  )
  expect((await server.submit(path, {})).statusCode).toBe(410)
  expect(await receipts()).toEqual([])
  expect((await find()).email).toBe(before)
})

test('of two who confirm the same address at once, one gets it', async () => {
  const others = [id, await add(`second${people}@example.org`)]
  const paths: string[] = []
  for (const one of others) {
    id = one
    await ask()
    paths.push((await mailed())?.path ?? '')
  }
  const answers = await Promise.all(paths.map((path) => server.submit(path, {})))
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 410])
})

test('whoever moved a subscription cannot move it on while the first address can take it back', async () => {
  await ask()
  await server.submit((await mailed())?.path ?? '', {})
  const back = await mailed()
  await ask(`further${people}@example.net`)
  expect(await mailed()).toBeNull()
  // Nor with a link that was asked for before.
  const stolen = new MoveLinks(server.context.config.secret, server.context.signer)
  const further = stolen.make(await find(), { kind: 'to', to: `further${people}@example.net`, now: server.clock.now })
  expect((await server.submit(`/move/${further}`, {})).statusCode).toBe(410)
  expect((await server.submit(back?.path ?? '', {})).statusCode).toBe(200)
  expect((await find()).email).toBe(before)
})

test('links end: after two days, and after seven; and one letter changed makes them nothing', async () => {
  await ask()
  const { path = '' } = (await mailed()) ?? {}
  for (const wrong of [
    `${path}x`,
    // Not the last letter: some of its bits say nothing.
    path.replace(/(.).$/, (end, letter) => `${letter === 'A' ? 'B' : 'A'}${end[1]}`),
    path.replace('.to.', '.back.'),
    '/move/x',
  ])
    expect((await server.submit(wrong, {})).statusCode).toBe(410)
  const elsewhere = path.replace(
    Buffer.from(after).toString('base64url'),
    Buffer.from('eve@example.net').toString('base64url'),
  )
  expect(elsewhere).not.toBe(path)
  expect((await server.submit(elsewhere, {})).statusCode).toBe(410)
  server.clock.pass(2 * DAY)
  expect((await server.get(path)).statusCode).toBe(410)
  await sql`delete from rate_limit`.execute(server.context.db)
  await ask()
  await server.submit((await mailed())?.path ?? '', {})
  const back = (await mailed())?.path ?? ''
  server.clock.pass(7 * DAY - 1000)
  expect((await server.get(back)).statusCode).toBe(200)
  server.clock.pass(1000)
  expect((await server.submit(back, {})).statusCode).toBe(410)
  expect((await find()).email).toBe(after)
})

test('the confirmation that was mailed to the address before brings nobody back who has left at the one after', async () => {
  const token = confirmToken(server.context.signer, await find())
  await ask()
  await server.submit((await mailed())?.path ?? '', {})
  server.clock.pass(DAY)
  await server.submit(`/unsub/${newsletter}/${id}`, {})
  server.clock.pass(DAY)
  await server.submit(`/subscribe/${newsletter}`, { email: after, consent: 'yes', language: 'en' })
  expect((await server.submit(`/confirm/${token}`, {})).statusCode).toBe(410)
  expect(await find()).toMatchObject({ status: 'unsubscribed' })
  const confirmed = await server.submit(`/confirm/${confirmToken(server.context.signer, await find())}`, {})
  expect([confirmed.statusCode, (await find()).status]).toEqual([303, 'active'])
})
