import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Session } from '../../testing/app.ts'
import { addNewsletter, startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { addOptInCampaign, optInWords, pressOnOptIn } from '../../testing/opt-in.ts'
import { type RecordingRelay, startRecordingRelay } from '../../testing/recording-relay.ts'

// Another newsletter hears once of a campaign that would bring it readers, and its yes is one to words.

let server: TestNewsletter
let relay: RecordingRelay
let boss: Session
let theirId: string
let round = 0
let subscriberId: string
let campaignId: string

beforeAll(async () => {
  relay = await startRecordingRelay()
  server = await startTestNewsletter({ SMTP_URL: relay.url })
})
afterAll(async () => {
  await server?.stop()
  await relay?.stop()
})

const proven = (session: Session) =>
  server.context.db.updateTable('user').set({ email_verified: true }).where('id', '=', session.userId).execute()
async function member(role: 'owner' | 'editor' | 'analyst', language: 'en' | 'fr', isProven = true): Promise<Session> {
  const session = await server.asMember(theirId, role)
  if (isProven) await proven(session)
  const profile = { user_id: session.userId, language }
  await server.context.db
    .insertInto('profile')
    .values(profile)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ language }))
    .execute()
  return session
}

beforeEach(async () => {
  round += 1
  relay.received.length = 0
  boss = await server.signUp({ name: 'Yann', email: `yann${round}@example.org` })
  await proven(boss)
  theirId = await addNewsletter(server.context.db, boss.userId, `Rope ${round}`)
  ;[subscriberId = ''] = await server.addSubscribers([`reader${round}@example.org`])
})

const path = () => `${server.path}/opt-in-campaigns/${campaignId}`
const offer = () => addOptInCampaign(server, { beneficiary: { kind: 'other_newsletter', newsletter: theirId } })
const change = async (values: object) => {
  const answer = await server.owner.call('PATCH', path(), values)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}
const seen = async () => (await server.owner.call('GET', path())).json()
const others = { en: { ...optInWords, question: 'A free telephone?' } }
const answer = async (method: 'PUT' | 'DELETE', body?: object) => {
  const { statusCode, body: text } = await boss.call(
    method,
    `/api/newsletters/${theirId}/campaign-offers/${campaignId}`,
    body,
  )
  return statusCode === 200 ? 200 : JSON.parse(text).error.code
}
const offers = async () => (await boss.call('GET', `/api/newsletters/${theirId}/campaign-offers`)).json().offers
/** Those who were mailed of an offer since the last time, each with the subject. */
async function told(): Promise<[string, string][]> {
  await server.work()
  const mails = relay.received.splice(0).filter(({ raw }) => /\/advertise\/campaigns/.test(raw.replaceAll('=\r\n', '')))
  const subjectOf = (raw: string) => /^Subject: (.*(?:\r\n[ \t].*)*)/m.exec(raw)?.[1]?.replaceAll(/\r\n\s/g, ' ') ?? ''
  return mails.map(({ to, raw }): [string, string] => [to, subjectOf(raw)]).toSorted()
}
const asksReaders = async () =>
  (await pressOnOptIn(server, { campaignId, subscriberId, act: 'yes' })).statusCode === 303

test('those who may answer are mailed once, each in their language, and nothing of the words is in it', async () => {
  const second = await member('owner', 'fr')
  await member('owner', 'en', false)
  await member('editor', 'en')
  await member('analyst', 'en')
  campaignId = await addOptInCampaign(server, {
    ...{ beneficiary: { kind: 'other_newsletter', newsletter: theirId }, startsAt: null },
  })
  // A draft is nobody’s business yet.
  expect(await told()).toEqual([])
  await change({
    startsAt: new Date(Date.now() - 1000).toISOString(),
    words: { en: { ...optInWords, offer: 'Buy zqpills' } },
  })
  await server.work()
  expect(relay.received.map(({ raw }) => raw.includes('zqpills') || raw.includes('Kelp'))).toEqual([false, false])
  expect(await told()).toEqual(
    [
      [boss.email, `Low Water wants to introduce its readers to Rope ${round}`],
      [second.email, expect.stringMatching(/^(?:=\?utf-8\?|Low Water veut présenter)/i)],
    ].toSorted(([a], [b]) => String(a).localeCompare(String(b))),
  )
  // Neither a change before the answer nor the answer mails again.
  await change({ name: 'Other', cap: 50, words: others, accent: '#112233' })
  await answer('PUT')
  await change({ name: 'Another' })
  expect(await told()).toEqual([])
})

test('a newsletter that may not mail causes none, and one that asks again and again is heard four times a day', async () => {
  campaignId = await addOptInCampaign(server)
  const ask = { beneficiary: { kind: 'other_newsletter', newsletter: theirId } }
  const counts: number[] = []
  for (let times = 0; times < 6; times += 1) {
    await change(ask)
    counts.push((await told()).length)
    await change({ beneficiary: { kind: 'newsletter', tagId: null } })
  }
  expect(counts).toEqual([1, 1, 1, 1, 0, 0])
  const guest = await server.signUp()
  const guestsId = await addNewsletter(server.context.db, guest.userId, 'Of somebody unproven')
  await server.context.db.deleteFrom('sender_proof').where('newsletter_id', '=', guestsId).execute()
  await addOptInCampaign({ ...server, owner: guest, path: `/api/newsletters/${guestsId}` }, ask)
  expect(await offers()).toMatchObject([{ from: 'Of somebody unproven', waits: true }])
  expect(await told()).toEqual([])
})

test('other words need a new yes, which is asked for by mail; another name, colour or period do not', async () => {
  campaignId = await offer()
  expect(await answer('PUT')).toBe(200)
  await told()
  await change({ accent: '#112233', name: 'Other', cap: 90, endsAt: new Date(Date.now() + 9e8).toISOString() })
  expect(await seen()).toMatchObject({
    state: 'running',
    beneficiary: { newsletter: { accepted: true, changed: false } },
  })
  expect(await told()).toEqual([])
  const changed = await change({ words: others })
  expect(changed).toMatchObject({ state: 'waiting', beneficiary: { newsletter: { accepted: false, changed: true } } })
  expect(await asksReaders()).toBe(false)
  expect(await offers()).toMatchObject([
    { campaignId, acceptedAt: null, waits: true, words: others, agreedTo: { en: optInWords } },
  ])
  await change({ words: { en: { ...optInWords, question: 'A free car?' } } })
  expect(await told()).toEqual([[boss.email, 'Low Water has changed the words that you agreed to']])
  expect(await answer('PUT')).toBe(200)
  expect(await offers()).toMatchObject([{ acceptedAt: expect.any(String), waits: false, agreedTo: null }])
  expect((await seen()).state).toBe('running')
  // A language that was not there is read by somebody too.
  await change({ words: { en: { ...optInWords, question: 'A free car?' }, fr: optInWords } })
  expect((await seen()).state).toBe('waiting')
  expect(await told()).toHaveLength(1)
})

test('whoever may answer for the other newsletter changes words without asking, and nobody else does in their name', async () => {
  campaignId = await offer()
  await answer('PUT')
  await server.context.db
    .insertInto('member')
    .values({ newsletter_id: theirId, user_id: server.owner.userId, role: 'owner' })
    .execute()
  expect(await change({ words: others })).toMatchObject({ state: 'running' })
  await server.context.db
    .updateTable('member')
    .set({ role: 'editor' })
    .where('newsletter_id', '=', theirId)
    .where('user_id', '=', server.owner.userId)
    .execute()
  expect(await change({ words: { en: optInWords } })).toMatchObject({ state: 'waiting' })
  expect(await offers()).toMatchObject([{ agreedTo: others }])
})

test('nobody agrees to words that they have not read', async () => {
  campaignId = await offer()
  const [{ version }] = await offers()
  await change({ words: others })
  expect(await answer('PUT', { version })).toBe('offer_changed')
  expect(await offers()).toMatchObject([{ acceptedAt: null, waits: true }])
  expect(await answer('PUT', { version: version + 7 })).toBe('offer_changed')
  const [read] = await offers()
  // Another colour changes nothing of what was read.
  await change({ accent: '#445566' })
  expect(await answer('PUT', { version: read.version })).toBe(200)
  expect((await seen()).state).toBe('running')
})

test('a yes and other words at the same moment: what runs was agreed to', async () => {
  for (let times = 0; times < 8; times += 1) {
    campaignId = await offer()
    const [{ version }] = await offers()
    const [agreed] = await Promise.all([answer('PUT', { version }), change({ words: others })])
    const { state, words } = await seen()
    // Either it came first, and lapsed with the change, or it came second, and was refused.
    expect([200, 'offer_changed']).toContain(agreed)
    expect([state, words.en.question]).toEqual(['waiting', others.en.question])
    await server.owner.call('POST', `${path()}/withdrawal`)
  }
})

test('a no is not asked again by other words', async () => {
  campaignId = await offer()
  await told()
  expect(await answer('DELETE')).toBe(200)
  await change({ words: others })
  expect(await offers()).toMatchObject([{ acceptedAt: null, waits: false }])
  expect(await told()).toEqual([])
})

test('who takes their yes back is not told that words changed', async () => {
  campaignId = await offer()
  expect(await answer('PUT')).toBe(200)
  expect(await answer('DELETE')).toBe(200)
  expect(await offers()).toMatchObject([{ acceptedAt: null, agreedTo: null, waits: false }])
  expect((await seen()).beneficiary.newsletter).toMatchObject({ accepted: false, changed: false })
})
