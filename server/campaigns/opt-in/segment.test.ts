import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addNewsletter, startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { addOptInCampaign, pressOnOptIn } from '../../testing/opt-in.ts'

let server: TestNewsletter
let campaignId: string
let people: string[]
beforeAll(async () => {
  server = await startTestNewsletter()
  campaignId = await addOptInCampaign(server)
  people = await server.addSubscribers(['yes@example.org', 'undone@example.org', 'never@example.org'])
  const [yes = '', undone = ''] = people
  for (const subscriberId of [yes, undone]) await pressOnOptIn(server, { campaignId, subscriberId, act: 'yes' })
  await pressOnOptIn(server, { campaignId, subscriberId: undone, act: 'undo' })
})
afterAll(() => server?.stop())

const said = (op: 'did' | 'did_not', campaign = campaignId) => ({ on: 'campaign', op, campaign })

async function segmentOf(filter: object): Promise<number> {
  const name = JSON.stringify(filter).slice(0, 60)
  return (await server.owner.call('POST', `${server.path}/segments`, { name, filter })).json().id
}

async function emailsIn(segmentId: number, rest = ''): Promise<string[]> {
  const listed = await server.owner.call('GET', `${server.path}/subscribers?segmentId=${segmentId}${rest}`)
  return listed.json().rows.map(({ email }: { email: string }) => email.split('@')[0])
}

test('those whose yes stands are a segment, whoever took theirs back is not, and the opposite is everybody else', async () => {
  const standing = await segmentOf(said('did'))
  const others = await segmentOf(said('did_not'))
  expect(await emailsIn(standing)).toEqual(['yes'])
  expect((await emailsIn(others)).toSorted()).toEqual(['never', 'undone'])
  const count = await server.owner.call('POST', `${server.path}/segments/count`, { filter: said('did') })
  expect(count.json()).toMatchObject({ subscribers: 1, receive: 1, margin: null })
  const csv = await server.owner.call('GET', `${server.path}/subscribers.csv?segmentId=${standing}`)
  expect([csv.body.includes('yes@example.org'), csv.body.includes('never@example.org')]).toEqual([true, false])
})

test('they are an audience, and whoever takes their yes back before their copy leaves gets none', async () => {
  const [yes = '', , never = ''] = people
  await pressOnOptIn(server, { campaignId, subscriberId: never, act: 'yes' })
  const { id } = await server.draft()
  const audience = { kind: 'segment', segmentId: await segmentOf({ all: [said('did')] }) }
  expect((await server.send(id, { audience })).statusCode).toBe(200)
  await pressOnOptIn(server, { campaignId, subscriberId: never, act: 'undo' })
  await server.work()
  const { rows } = await sql<{ subscriber_id: string }>`
    select subscriber_id from delivery where publication_id = ${id} and state = 'caught'`.execute(server.context.db)
  expect(rows).toEqual([{ subscriber_id: yes }])
})

test('a campaign of another newsletter is none, whoever asks', async () => {
  const other = await addNewsletter(server.context.db, server.owner.userId, 'Of a neighbour')
  const path = `/api/newsletters/${other}`
  for (const campaign of [campaignId, 'none', 'abcdefghij']) {
    const made = await server.owner.call('POST', `${path}/segments`, { name: 'Theirs', filter: said('did', campaign) })
    expect([made.statusCode, made.json().error.code]).toEqual([404, 'campaign_not_found'])
    const count = await server.owner.call('POST', `${path}/segments/count`, { filter: said('did', campaign) })
    expect(count.statusCode === 404 || count.json().subscribers === 0).toBe(true)
  }
})
