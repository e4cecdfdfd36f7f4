import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { suppress } from '../change.ts'
import { confirmToken } from '../confirm.ts'
import { WORDING_VERSION } from '../consent.ts'

let server: TestNewsletter
let round = 0
let email: string
beforeAll(async () => {
  server = await startTestNewsletter()
})
afterAll(() => server?.stop())
beforeEach(() => {
  email = `reader${++round}@example.org`
})

const from = { remoteAddress: '198.51.100.23' }
const form = (url: string, fields: Record<string, string>) =>
  server.inject({
    method: 'POST',
    url,
    ...from,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  })

async function subscriberId(): Promise<string> {
  const query = server.context.db.selectFrom('subscriber').select('id').where('email', '=', email)
  return (await query.executeTakeFirstOrThrow()).id
}

/** The receipts of the subscriber as members see them, oldest first. */
async function receipts() {
  const answer = await server.owner.call('GET', server.subscriberPath(await subscriberId()))
  return answer.json<{ receipts: Record<string, unknown>[] }>().receipts.toReversed()
}
const newest = async () => (await receipts()).at(-1)

const common = {
  wordingVersion: WORDING_VERSION,
  language: 'en',
  beneficiary: 'Low Water',
  at: expect.any(String),
  dated: null,
  toCampaign: false,
  position: null,
}
const fromReader = { ...common, network: '198.51.100.0/24' }

async function active(): Promise<string> {
  const [id = ''] = await server.addSubscribers([email])
  return id
}

test('the form, then the link of the mail: what was ticked, and which mail proves it', async () => {
  await form(`/subscribe/${server.newsletterId}?lang=fr`, { email, language: 'fr', consent: 'yes', website: '' })
  const asked = {
    ...fromReader,
    act: 'asked',
    wording: 'Oui, je veux recevoir Low Water par email. Je peux partir d’un clic.',
    language: 'fr',
    means: 'page',
    proof: null,
  }
  expect(await receipts()).toEqual([asked])
  const id = await subscriberId()
  const { asked_at } = await server.context.db
    .selectFrom('subscriber')
    .select('asked_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await form(`/confirm/${confirmToken(server.context.signer, { newsletter_id: server.newsletterId, id, email })}`, {})
  const proof = `signed link of the mail asked for at ${asked_at.toISOString()}`
  expect(await newest()).toEqual({ ...asked, act: 'given', means: 'confirmation', proof })
  await server.work()
  expect((await receipts()).map(({ position }) => typeof position)).toEqual(['number', 'number'])
})

test('a member adds somebody, with their words or without', async () => {
  await server.owner.call('POST', `${server.path}/subscribers`, { email })
  const wording = 'Added by whoever runs Low Water, and asked to confirm.'
  const added = { ...common, act: 'asked', means: 'by-hand', proof: null, network: expect.any(String) }
  expect(await receipts()).toEqual([{ ...added, wording }])
  email = `own${email}`
  const words = 'At the fair she said: “put me on your list”'
  await server.owner.call('POST', `${server.path}/subscribers`, { email, words })
  expect(await receipts()).toEqual([{ ...added, wording: words, wordingVersion: 'own' }])
})

test('a program adds somebody: its API key is the proof, and the words are those of its form', async () => {
  const made = await server.owner.call('POST', `${server.path}/api-keys`, { name: 'Form', role: 'editor' })
  const { id, secret } = made.json()
  const key = server.withKey(secret)
  const answer = await key('POST', `${server.path}/subscribers`, { email, words: 'I want the letter' })
  expect(answer.statusCode).toBe(200)
  expect(await receipts()).toMatchObject([
    { act: 'asked', means: 'api', proof: `API key ${id}`, wording: 'I want the letter', wordingVersion: 'own' },
  ])
  for (const words of ['', 'x'.repeat(1_001), 7, 'two\nlines'])
    expect((await key('POST', `${server.path}/subscribers`, { email: `x${email}`, words })).statusCode).toBe(422)
})

test('one click in the mail program, and the way back on the page', async () => {
  const id = await active()
  const { id: publicationId } = await server.draft()
  const page = `/unsub/${server.newsletterId}/${id}`
  await form(`${page}?p=${publicationId}`, { 'List-Unsubscribe': 'One-Click' })
  const left = { ...fromReader, act: 'withdrawn', wording: 'Unsubscribe me from Low Water.' }
  expect(await receipts()).toEqual([{ ...left, means: 'one-click', proof: `publication ${publicationId}` }])
  await form(page, { act: 'return' })
  const wording = 'A mistake: subscribe me to Low Water again'
  expect(await newest()).toEqual({ ...fromReader, act: 'given', wording, means: 'page', proof: null })
  await form(`${page}?p=nonsense`, { act: 'leave' })
  expect(await newest()).toEqual({ ...left, means: 'page', proof: null })
  // A second time changes nothing, and neither does opening the page.
  await form(page, { act: 'leave' })
  await server.inject({ method: 'GET', url: page })
  expect(await receipts()).toHaveLength(3)
})

test('a member unsubscribes somebody, with their words or without', async () => {
  const path = server.subscriberPath(await active())
  await server.owner.call('POST', `${path}/unsubscribe`, { words: 'Please no more, she wrote on a postcard' })
  const withdrawn = { ...common, act: 'withdrawn', means: 'by-hand', proof: null, network: expect.any(String) }
  expect(await receipts()).toEqual([
    { ...withdrawn, wording: 'Please no more, she wrote on a postcard', wordingVersion: 'own' },
  ])
  email = `plain${email}`
  await server.owner.call('POST', `${server.subscriberPath(await active())}/unsubscribe`)
  expect(await receipts()).toEqual([{ ...withdrawn, wording: 'Unsubscribed by whoever runs Low Water.' }])
})

test('the spam button is a withdrawal, and a bounce and its end are neither a yes nor a no', async () => {
  const { newsletterId } = server
  const key = { newsletterId, subscriberId: await active() }
  const { id: publicationId } = await server.draft()
  await suppress(server.context.db, 'bounced', [{ ...key, publicationId, words: '550' }])
  await server.owner.call('POST', `${server.subscriberPath(key.subscriberId)}/restore`, { reason: 'Our relay' })
  expect(await receipts()).toEqual([])
  await suppress(server.context.db, 'complained', [{ ...key, publicationId, words: 'abuse' }])
  await suppress(server.context.db, 'complained', [{ ...key, publicationId, words: 'abuse' }])
  const wording = 'Marked as spam in the mail program: no more mail from Low Water.'
  const proof = `publication ${publicationId}`
  expect(await receipts()).toEqual([{ ...common, act: 'withdrawn', wording, means: 'complaint', proof, network: null }])
})

test('the name of a newsletter in a receipt is that of its time', async () => {
  await server.owner.call('POST', `${server.path}/subscribers`, { email })
  await server.owner.call('PATCH', server.path, { name: 'High Water' })
  expect(await newest()).toMatchObject({ beneficiary: 'Low Water' })
  await server.owner.call('PATCH', server.path, { name: 'Low Water' })
})
