import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Session } from '../../testing/app.ts'
import { addNewsletter, startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { addOptInCampaign, pressOnOptIn } from '../../testing/opt-in.ts'
import { OptInCodes } from './address.ts'
import { typedLinks } from './typed-links.ts'

let server: TestNewsletter
/** Somebody with a newsletter of their own on the same server. */
let neighbour: Session
let theirPath: string
let theirId: string
let campaignId: string
let round = 0
beforeAll(async () => {
  server = await startTestNewsletter({ SUBSCRIBE_LIMIT: '100000', SUBSCRIBE_PRESSURE: '100000' })
  neighbour = await server.signUp({ name: 'Yann', email: 'yann@example.org' })
  await server.context.db.updateTable('user').set({ email_verified: true }).where('id', '=', neighbour.userId).execute()
  theirId = await addNewsletter(server.context.db, neighbour.userId, 'Of a neighbour')
  theirPath = `/api/newsletters/${theirId}`
})
afterAll(() => server?.stop())
beforeEach(async () => {
  round += 1
  campaignId = await addOptInCampaign(server)
})

const campaigns = () => `${server.path}/opt-in-campaigns`
const seen = async () => (await server.owner.call('GET', `${campaigns()}/${campaignId}`)).json()
const form = { 'content-type': 'application/x-www-form-urlencoded' }
const confirming = (email: string) => {
  const link = { newsletterId: server.newsletterId, campaignId, email, language: 'en' as const, shortLinkId: 'none' }
  return `/optin/${campaignId}/confirm/${typedLinks(server.context.sealer).make(link, new Date())}`
}
let networks = 0
const press = (url: string, act: 'yes' | 'undo') =>
  server.app.inject({
    method: 'POST',
    url,
    remoteAddress: `198.51.${Math.floor(++networks / 200)}.${networks % 200}`,
    headers: form,
    payload: new URLSearchParams({ act, version: '1', words: 'en' }).toString(),
  })
const standing = async () => {
  const { rows } = await sql<{ yes: number; receipts: number }>`
    select (select count(*) from opt_in where campaign_id = ${campaignId} and undone_at is null)::integer as yes,
      (select count(*) filter (where act = 'given') - count(*) filter (where act = 'withdrawn') from consent
        where purpose = ${`campaign ${campaignId}`})::integer as receipts`.execute(server.context.db)
  return rows[0]
}

describe('a neighbour', () => {
  test('names nothing of this newsletter in a campaign of their own', async () => {
    const { id: tagId } = (await server.owner.call('POST', `${server.path}/tags`, { name: `Ours ${round}` })).json()
    const { id } = (await neighbour.call('POST', `${theirPath}/opt-in-campaigns`, { name: 'Theirs' })).json()
    const change = async (beneficiary: object) => {
      const answer = await neighbour.call('PATCH', `${theirPath}/opt-in-campaigns/${id}`, { beneficiary })
      return answer.json().error?.code ?? answer.statusCode
    }
    expect(await change({ kind: 'newsletter', tagId })).toBe('tag_not_found')
    expect(await change({ kind: 'other_newsletter', newsletter: theirId })).toBe('newsletter_not_found')
    expect(await change({ kind: 'other_newsletter', newsletter: 'nobody' })).toBe('newsletter_not_found')
    // They may ask, and nothing comes of it before its owner agrees.
    expect(await change({ kind: 'other_newsletter', newsletter: server.newsletterId })).toBe(200)
    const asked = (await neighbour.call('GET', `${theirPath}/opt-in-campaigns/${id}`)).json()
    expect(asked.beneficiary.newsletter).toMatchObject({ accepted: false })
    for (const method of ['PUT', 'DELETE'] as const)
      expect((await neighbour.call(method, `${server.path}/campaign-offers/${id}`)).statusCode).toBe(404)
    expect((await neighbour.call('PUT', `${theirPath}/campaign-offers/${id}`)).statusCode).toBe(404)
  })

  test('reads, changes and downloads nothing of a campaign here, also under their own newsletter', async () => {
    const made = await server.owner.call('POST', `${campaigns()}/${campaignId}/list-links`, { days: 7 })
    const [{ id: listLinkId }] = made.json().listLinks
    for (const path of [server.path, theirPath]) {
      const at = `${path}/opt-in-campaigns/${campaignId}`
      const answers = [
        await neighbour.call('GET', at),
        await neighbour.call('PATCH', at, { name: 'Mine' }),
        await neighbour.call('POST', `${at}/withdrawal`),
        await neighbour.call('POST', `${at}/places`, { name: 'Mine' }),
        await neighbour.call('POST', `${at}/list-links`, { days: 1 }),
        await neighbour.call('DELETE', `${at}/list-links/${listLinkId}`),
        await neighbour.call('GET', `${at}/opt-ins.csv`),
      ]
      expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 404))
    }
    expect(await seen()).toMatchObject({ name: 'Kelp & Rye', state: 'running', listLinks: [{ revokedAt: null }] })
  })

  test('has codes of their own subscribers, which are nobody here', async () => {
    const id = crypto.randomUUID()
    const email = `theirs${round}@example.org`
    const theirs = { newsletter_id: theirId, id, email, email_normalised: email, language: 'en' as const }
    await server.context.db
      .insertInto('subscriber')
      .values({ ...theirs, status: 'active', confirmed_at: new Date() })
      .execute()
    const answer = await pressOnOptIn(server, { campaignId, subscriberId: id, act: 'yes' })
    // Nobody typed an address either.
    expect(answer.statusCode).toBe(422)
    expect(await standing()).toEqual({ yes: 0, receipts: 0 })
  })
})

test('an analyst learns figures and no address, and a guest nothing', async () => {
  const email = `secret${round}@example.org`
  const [subscriberId = ''] = await server.addSubscribers([email])
  await pressOnOptIn(server, { campaignId, subscriberId, act: 'yes' })
  const analyst = await server.asMember(server.newsletterId, 'analyst')
  const shown = await analyst.call('GET', `${campaigns()}/${campaignId}`)
  expect([shown.statusCode, shown.body.includes(email)]).toEqual([200, false])
  for (const rest of ['opt-ins.csv', 'list-links'])
    expect((await server.app.inject(`${campaigns()}/${campaignId}/${rest}`)).statusCode).toBeGreaterThanOrEqual(401)
  expect((await server.app.inject(campaigns())).statusCode).toBe(401)
})

test('the address of one list opens no other, and knows only who was passed on', async () => {
  const listOf = async (id: string) => {
    const made = await server.owner.call('POST', `${campaigns()}/${id}/list-links`, { days: 7 })
    return new URL(made.json().listLinks[0].url).pathname
  }
  const other = await addOptInCampaign(server)
  const path = await listOf(campaignId)
  const email = `listed${round}@example.org`
  const [subscriberId = ''] = await server.addSubscribers([email])
  await pressOnOptIn(server, { campaignId: other, subscriberId, act: 'yes' })
  const swapped = path.replace(campaignId, other)
  for (const rest of ['', '/confirmed.csv', '/withdrawn.csv']) {
    const answer = await server.app.inject(`${swapped}${rest}`)
    expect([answer.statusCode, answer.body.includes(email)]).toEqual([404, false])
  }
  expect((await server.app.inject(`${path}/confirmed.csv`)).body).not.toContain('@')
})

test('whoever was erased has no link any more, and is in no list', async () => {
  const email = `erased${round}@example.org`
  const [subscriberId = ''] = await server.addSubscribers([email])
  const made = await server.owner.call('POST', `${campaigns()}/${campaignId}/list-links`, { days: 7 })
  const list = new URL(made.json().listLinks[0].url).pathname
  await pressOnOptIn(server, { campaignId, subscriberId, act: 'yes' })
  const confirm = confirming(email)
  await server.owner.call('DELETE', server.subscriberPath(subscriberId))
  for (const act of ['yes', 'undo'] as const) await pressOnOptIn(server, { campaignId, subscriberId, act })
  expect(await seen()).toMatchObject({ taken: 1, counts: { confirmed: 1 } })
  for (const file of ['confirmed', 'withdrawn'])
    expect((await server.app.inject(`${list}/${file}.csv`)).body.trim().split('\n')).toHaveLength(1)
  // An undo by a link that was mailed before takes nobody's yes back.
  expect((await press(confirm, 'undo')).statusCode).toBe(303)
  expect(await seen()).toMatchObject({ taken: 1 })
})

test('a hundred yeses and undos at once, by one tap and by mail: places and receipts add up', {
  timeout: 60_000,
}, async () => {
  await server.owner.call('PATCH', `${campaigns()}/${campaignId}`, { cap: 10 })
  const ids = await server.addSubscribers(Array.from({ length: 12 }, (_, n) => `tap${round}.${n}@example.org`))
  const codes = new OptInCodes(server.context)
  const taps = ids.map((id) => `/optin/${campaignId}?k=${codes.code(id)}`)
  const mailed = Array.from({ length: 12 }, (_, n) => confirming(`mailed${round}.${n}@example.org`))
  const ways = [...taps, ...mailed]
  await Promise.all(
    Array.from({ length: 100 }, (_, n) => press(ways[n % ways.length] ?? '', n % 3 === 2 ? 'undo' : 'yes')),
  )
  const during = await standing()
  expect((await seen()).taken).toBe(during?.yes)
  expect(during?.receipts).toBe(during?.yes)
  expect(during?.yes).toBeLessThanOrEqual(10)
  // Everybody who has none asks at once for what is left.
  await Promise.all(ways.map((way) => press(way, 'yes')))
  expect([(await seen()).taken, (await standing())?.yes]).toEqual([10, 10])
  await Promise.all([...ways, ...ways, ...ways].map((way) => press(way, 'undo')))
  expect([(await seen()).taken, await standing()]).toEqual([0, { yes: 0, receipts: 0 }])
})
