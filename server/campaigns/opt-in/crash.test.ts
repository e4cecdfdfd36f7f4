import PostalMime from 'postal-mime'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { examine } from '../../doctor.ts'
import { Signer } from '../../http/signing.ts'
import { SubscriberLinks } from '../../subscribers/subscriber-links.ts'
import { type Cluster, startCluster, type WorkerProcess } from '../../testing/cluster.ts'
import { optInWords } from '../../testing/opt-in.ts'
import { type RecordingRelay, startRecordingRelay } from '../../testing/recording-relay.ts'
import { translator } from '../../translator.ts'

const ASKING = 'low'
const GETTING = 'high'
const KNOWN = 140
const STRANGERS = Array.from({ length: 60 }, (_, n) => `stranger${n}@example.com`)
const CAP = 120

let relay: RecordingRelay
let cluster: Cluster
let worker: WorkerProcess
let campaignId: string
/** The addresses at which people say yes: by a link of a mail of the newsletter, or by one that was mailed to what they typed. */
let ways: string[]
beforeAll(async () => {
  relay = await startRecordingRelay()
  const env = { SUBSCRIBE_LIMIT: '1000', SUBSCRIBE_PRESSURE: '100000', TRUST_PROXY: 'true' }
  cluster = await startCluster({ env })
  await cluster.addNewsletter(ASKING, KNOWN)
  await cluster.addNewsletter(GETTING, 0)
  worker = await cluster.startWorker(relay.url)
  campaignId = await begin()
}, 60_000)
afterAll(async () => {
  await cluster?.stop()
  await relay?.stop()
})

async function begin(): Promise<string> {
  const campaigns = `/api/newsletters/${ASKING}/opt-in-campaigns`
  const { id } = await cluster.call<{ id: string }>('POST', campaigns, { name: 'Kelp & Rye' })
  await cluster.call('PATCH', `${campaigns}/${id}`, {
    words: { en: optInWords },
    beneficiary: { kind: 'other_newsletter', newsletter: GETTING },
    startsAt: '2026-01-01T00:00:00.000Z',
    cap: CAP,
  })
  return id
}

const count = async (of: string): Promise<number> =>
  (await cluster.query<{ n: number }>(`select count(*)::integer as n from ${of}`))[0]?.n ?? 0

let restarted: Promise<unknown> = Promise.resolve()
function killWeb(): void {
  restarted = cluster.web.end('SIGKILL').then(() => cluster.web.start())
}

/** As somebody who presses again when nothing came; each from a network of their own. */
async function press(path: string, fields: Record<string, string>): Promise<number> {
  const from = `10.0.${ways?.indexOf(path) ?? 0}.1`
  for (;;) {
    const answer = await fetch(cluster.url + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'x-forwarded-for': from },
      body: new URLSearchParams(fields),
    }).catch(() => null)
    if (answer) return answer.status
    await restarted
  }
}

/** Everybody presses, sixteen at a time; the server is killed whenever so many more were answered. */
async function everybody(people: string[], fields: Record<string, string>, killedAfter: number) {
  const statuses = new Map<string, number>()
  const waiting = [...people]
  const one = async () => {
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      statuses.set(path, await press(path, fields))
      if (statuses.size % killedAfter === 0) killWeb()
    }
  }
  await Promise.all(Array.from({ length: 16 }, one))
  await restarted
  return statuses
}

const yes = { act: 'yes', version: '1', words: 'en' }

/** Nothing is half passed on: a yes, its place, its receipts, and what the beneficiary has of it are there together. */
async function expectWhole(): Promise<number> {
  const standing = await count('opt_in where undone_at is null')
  const undone = await count('opt_in where undone_at is not null')
  const [campaign] = await cluster.query<{ taken: number }>('select taken from opt_in_campaign')
  expect(campaign?.taken).toBe(standing)
  const receipts = (act: string, where: string) => count(`consent where act = '${act}' and ${where}`)
  const ofCampaign = `newsletter_id = '${ASKING}' and purpose = 'campaign ${campaignId}'`
  const ofJoining = `newsletter_id = '${GETTING}' and purpose = 'newsletter'`
  for (const where of [ofCampaign, ofJoining])
    expect([await receipts('given', where), await receipts('withdrawn', where)]).toEqual([standing + undone, undone])
  const joined = `subscriber j where newsletter_id = '${GETTING}' and status = 'active'`
  expect(await count(joined)).toBe(standing)
  const matched = `opt_in o join subscriber s on s.newsletter_id = o.newsletter_id and s.id = o.subscriber_id
    join subscriber j on j.newsletter_id = '${GETTING}' and j.email_normalised = s.email_normalised and j.status = 'active'
    where o.undone_at is null and o.subscribed`
  expect(await count(matched)).toBe(standing)
  return standing
}

/** The newest mail to an address has this link. */
async function linkTo(address: string): Promise<string> {
  const mail = relay.received.findLast(({ to }) => to === address)
  const { html } = await PostalMime.parse(mail?.raw ?? '')
  return /href="[^"]*?(\/optin\/[^"]+)"/.exec(html ?? '')?.[1] ?? ''
}

test('a worker that is killed loses nobody who typed their address', { timeout: 60_000 }, async () => {
  const asked = await Promise.all(STRANGERS.map((email) => press(`/optin/${campaignId}`, { ...yes, email })))
  expect(new Set(asked)).toEqual(new Set([303]))
  await expect.poll(() => relay.received.length, { interval: 5, timeout: 20_000 }).toBeGreaterThan(5)
  await worker.end('SIGKILL')
  // Four hours later, what it was about to do is free for another one.
  await cluster.query('update graphile_worker._private_jobs set locked_at = null, locked_by = null')
  await worker.start()
  const mailed = () => new Set(relay.received.map(({ to }) => to))
  await expect.poll(() => STRANGERS.filter((email) => !mailed().has(email)), { timeout: 30_000 }).toEqual([])
  expect(await count('opt_in_request')).toBe(STRANGERS.length)
  await worker.end('SIGTERM')

  const rows = await cluster.query<{ id: string }>(`select id from subscriber where newsletter_id = $1`, [ASKING])
  const codes = new SubscriberLinks(cluster.env.SECRET, new Signer(cluster.env.SECRET), 'opt-in')
  const known = rows.map(({ id }) => `/optin/${campaignId}?k=${codes.code(id)}`)
  const strangers = await Promise.all(STRANGERS.map(linkTo))
  // One after another of both kinds, as they come.
  ways = known.flatMap((way, n) => (n < strangers.length ? [way, strangers[n] ?? ''] : [way]))
  expect(new Set(ways).size).toBe(KNOWN + STRANGERS.length)
})

test('killed between a yes and passing it on: each reaches the beneficiary once, and the cap holds', {
  timeout: 120_000,
}, async () => {
  const first = await everybody(ways, yes, 80)
  const standing = await expectWhole()
  expect(standing).toBe(CAP)
  const said = [...first].filter(([, status]) => status === 303).map(([path]) => path)
  // Whoever was told yes still has it, and whoever was told that it is full gets no place by asking again.
  const second = await everybody(ways.toReversed(), yes, 150)
  expect(await expectWhole()).toBe(CAP)
  expect([...second.values()].filter((status) => status === 303)).toHaveLength(CAP)
  expect(said.filter((path) => second.get(path) !== 303)).toEqual([])
  expect(new Set(second.values())).toEqual(new Set([303, 409]))

  const strangers = [...second].filter(([path, status]) => path.includes('/confirm/') && status === 303)
  expect(strangers.length).toBeGreaterThan(0)
  expect(strangers.length).toBeLessThan(CAP)
  const { counts } = await cluster.call<{ counts: Record<string, number> }>(
    'GET',
    `/api/newsletters/${ASKING}/opt-in-campaigns/${campaignId}`,
  )
  // Those who typed an address and came too late are counted as asked, and nobody twice.
  const late = STRANGERS.length - strangers.length
  expect(counts).toMatchObject({ yes: CAP + late, confirmed: CAP, passed: CAP, undone: 0 })
})

test('everybody who said yes gets the receipt by mail, and the chains of receipts are whole', {
  timeout: 60_000,
}, async () => {
  const before = relay.received.length
  await worker.start()
  const people = await cluster.query<{ email: string }>(
    `select s.email from opt_in o join subscriber s on s.newsletter_id = o.newsletter_id and s.id = o.subscriber_id`,
  )
  const mailed = () => new Set(relay.received.slice(before).map(({ to }) => to))
  await expect.poll(() => people.filter(({ email }) => !mailed().has(email)), { timeout: 30_000 }).toEqual([])
  await expect.poll(() => count('unchained_receipt'), { timeout: 20_000 }).toBe(0)
  const findings = await examine({ ...cluster.env, DATA_DIR: '/nowhere' }, translator('en'))
  const receipts = findings.filter(({ about }) => about === 'receipts').map(({ state }) => state)
  expect(receipts).toEqual(['good'])
})

test('killed while people take it back: each place is free once, and who was joined by it has left', {
  timeout: 120_000,
}, async () => {
  await everybody([...ways, ...ways], { act: 'undo' }, 150)
  expect(await expectWhole()).toBe(0)
  expect(await count('opt_in')).toBe(CAP)
})
