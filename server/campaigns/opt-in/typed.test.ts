import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { sql } from 'kysely'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addNewsletter, startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { addOptInCampaign, optInWords } from '../../testing/opt-in.ts'
import { type RecordingRelay, startRecordingRelay } from '../../testing/recording-relay.ts'

/** From one network in ten minutes. */
const OF_A_NETWORK = 6
/** Of one address in an hour. */
const OF_AN_ADDRESS = 10

let relay: RecordingRelay
let server: TestNewsletter
let pressed: TestNewsletter
let campaignId: string
let networks = 0
let people = 0
beforeAll(async () => {
  relay = await startRecordingRelay()
  const env = { SMTP_URL: relay.url, SUBSCRIBE_LIMIT: String(OF_A_NETWORK) }
  server = await startTestNewsletter({ ...env, SUBSCRIBE_PRESSURE: '100000' })
  pressed = await startTestNewsletter({ ...env, SUBSCRIBE_PRESSURE: '0', PUBLIC_URL: 'https://tirage.test' })
})
afterAll(async () => {
  await server?.stop()
  await pressed?.stop()
  await relay?.stop()
})
beforeEach(async () => {
  campaignId = await addOptInCampaign(server)
})

const network = () => `192.0.2.${++networks}`
const person = () => `person${++people}@example.org`
const yes = { act: 'yes', version: '1', words: 'en' }
type Site = Pick<TestNewsletter, 'app'>

interface Typing {
  email: string
  from?: string
  more?: Record<string, string>
  id?: string
  site?: Site
}
const type = ({ email, from = network(), more = {}, id = campaignId, site = server }: Typing) =>
  site.app.inject({
    method: 'POST',
    url: `/optin/${id}`,
    remoteAddress: from,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ ...yes, email, ...more }).toString(),
  })

const waiting = async ({ context }: TestNewsletter = server): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = 'mail_opt_in'`.execute(context.db)
  return rows[0]?.n ?? 0
}
const seen = async () => (await server.owner.call('GET', `${server.path}/opt-in-campaigns/${campaignId}`)).json()

describe('how often', () => {
  test('so many from one network, whatever they type; another network still asks', async () => {
    const from = network()
    for (let n = 0; n < OF_A_NETWORK; n++) expect((await type({ email: person(), from })).statusCode).toBe(303)
    const refused = await type({ email: person(), from })
    expect([refused.statusCode, Number(refused.headers['retry-after']) > 0]).toEqual([429, true])
    expect(refused.body).toContain('Too many tries in a short time')
    // What was typed is still there.
    expect(refused.body).toContain(`value="person${people}@example.org"`)
    expect((await type({ email: person() })).statusCode).toBe(303)
    expect(await waiting()).toBe(OF_A_NETWORK + 1)
    await server.work()
  })

  test('so many of one address, from all networks and for all campaigns, however it is written', async () => {
    const email = person()
    const other = await addOptInCampaign(server)
    const written = [email, email.toUpperCase(), ` ${email} `]
    for (let n = 0; n < OF_AN_ADDRESS; n++) {
      const asked = await type({ email: written[n % 3] ?? email, id: n % 2 ? other : campaignId })
      expect(asked.statusCode).toBe(303)
    }
    for (const id of [campaignId, other]) expect((await type({ email, id })).statusCode).toBe(429)
    await server.work()
    const mails = relay.received.filter(({ to }) => to.toLowerCase() === email)
    expect(mails).toHaveLength(OF_AN_ADDRESS)
  })

  test('repeated, it counts once, and each link that was mailed says the same yes', async () => {
    const email = person()
    for (let n = 0; n < 3; n++) await type({ email })
    await server.work()
    expect((await seen()).counts).toMatchObject({ yes: 1, confirmed: 0 })
    const mails = relay.received.filter(({ to }) => to === email)
    const links = await Promise.all(mails.map(async ({ raw }) => linkIn((await PostalMime.parse(raw)).html)))
    expect(new Set(links).size).toBe(3)
    const payload = new URLSearchParams(yes).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const said = await Promise.all(
      links.map((url) => server.app.inject({ method: 'POST', url, headers, payload, remoteAddress: network() })),
    )
    expect(said.map(({ statusCode }) => statusCode)).toEqual([303, 303, 303])
    expect(await seen()).toMatchObject({ taken: 1, counts: { yes: 1, confirmed: 1 } })
  })

  test('typed, and then said by a link of our mail: one yes', async () => {
    const email = person()
    await server.addSubscribers([email])
    await type({ email })
    await server.work()
    expect((await seen()).counts).toMatchObject({ yes: 1, confirmed: 0 })
    const mail = relay.received.findLast(({ to }) => to === email)
    const url = linkIn((await PostalMime.parse(mail?.raw ?? '')).html)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const press = (act: string) =>
      server.app.inject({ method: 'POST', url, headers, payload: new URLSearchParams({ ...yes, act }).toString() })
    await press('yes')
    expect((await seen()).counts).toMatchObject({ yes: 1, confirmed: 1, undone: 0 })
    await press('undo')
    await type({ email })
    await server.work()
    expect((await seen()).counts).toMatchObject({ yes: 1, confirmed: 0, undone: 1 })
  })
})

const linkIn = (html = ''): string => /href="[^"]*?(\/optin\/[^"]+)"/.exec(html)?.[1] ?? ''

describe('while very many ask', () => {
  let theirs: string
  beforeAll(async () => {
    theirs = await addOptInCampaign(pressed)
  })
  const prove = async (newsletterId: string): Promise<string> => {
    const challenge = (await pressed.app.inject(`/subscribe/${newsletterId}/challenge`)).json()
    const solution = await solveChallenge({ challenge, deriveKey })
    return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
  }
  const typeThere = (proof: string) => type({ email: person(), more: { proof }, id: theirs, site: pressed })

  test('a yes for the newsletter itself says to whom it goes, and separately that it can be taken back', async () => {
    const { id: tagId } = (await server.owner.call('POST', `${server.path}/tags`, { name: 'Visit' })).json()
    const id = await addOptInCampaign(server, { beneficiary: { kind: 'newsletter', tagId } })
    const { body } = await server.app.inject({ url: `/optin/${id}` })
    expect(body).toContain('Nothing is passed on to anybody else.</p>')
    expect(body).toContain('<p>You can take your yes back at any time.</p>')
  })

  test('whoever asked is led to the outbox where their mail is caught on their own machine, and nowhere else', async () => {
    for (const [env, leads] of [
      [{ PUBLIC_URL: 'http://localhost:3000' }, true],
      [{ PUBLIC_URL: 'http://localhost:3000', SMTP_URL: relay.url }, false],
      [{ PUBLIC_URL: 'https://news.example' }, false],
    ] as const) {
      const site = await startTestNewsletter(env)
      try {
        const url = `/optin/${await addOptInCampaign(site)}?said=asked`
        const { statusCode, body } = await site.app.inject({ url })
        expect(statusCode).toBe(200)
        expect(body.includes('href="/outbox?newest='), JSON.stringify(env)).toBe(leads)
      } finally {
        await site.stop()
      }
    }
  })

  test('a proof of work is asked for, with words for a browser without scripts', async () => {
    const page = await pressed.app.inject(`/optin/${theirs}`)
    const parts = [
      'name="proof"',
      'data-challenge="/subscribe/',
      '<noscript>',
      '<script type="module" src="/static/prove',
    ]
    expect(parts.filter((part) => !page.body.includes(part))).toEqual([])
    // By mail they ask for this, and not for the newsletter.
    expect(page.body).toContain(`?subject=${encodeURIComponent(optInWords.question)}`.replaceAll('&', '&amp;'))
    const refused = await typeThere('')
    expect([refused.statusCode, refused.body.includes('Press the button once more')]).toEqual([422, true])
    expect(refused.body).toContain('name="proof"')
    expect(await waiting(pressed)).toBe(0)
  })

  test('one is good for one request, and for the newsletter that asked for it', async () => {
    const proof = await prove(pressed.newsletterId)
    expect((await typeThere(proof)).statusCode).toBe(303)
    expect((await typeThere(proof)).statusCode).toBe(422)
    const other = await addNewsletter(pressed.context.db, pressed.owner.userId, 'Of a neighbour')
    const foreign = await prove(other)
    for (const wrong of [foreign, proof.slice(1), 'x', 'e30=', '0'.repeat(5_000)])
      expect((await typeThere(wrong)).statusCode).toBe(422)
    expect(await waiting(pressed)).toBe(1)
  })

  test('whoever has a link of our mail needs none', async () => {
    const page = await pressed.app.inject(`/optin/${theirs}`)
    expect(page.body).toContain('<script')
    const quiet = await server.app.inject(`/optin/${campaignId}`)
    expect(quiet.body).not.toContain('<script')
  })
})

describe('what is no form', () => {
  const send = (payload: string | Buffer, type?: string) =>
    server.app.inject({
      method: 'POST',
      url: `/optin/${campaignId}`,
      remoteAddress: network(),
      headers: type === undefined ? {} : { 'content-type': type },
      payload,
    })

  test('huge, of another type, repeated or nested: refused, and nothing is queued', async () => {
    const form = 'application/x-www-form-urlencoded'
    const email = person()
    const asked = new URLSearchParams({ ...yes, email }).toString()
    expect((await send(`${asked}&more=${'x'.repeat(20_000)}`, form)).statusCode).toBe(413)
    for (const type of ['multipart/form-data; boundary=x', 'application/xml', 'image/png'])
      expect([400, 415]).toContain((await send(asked, type)).statusCode)
    const twice = await send(`${asked}&email=${encodeURIComponent(person())}`, form)
    expect(twice.statusCode).toBe(422)
    expect(
      (await send(new URLSearchParams({ ...yes, email: `${'a'.repeat(3_000)}@example.org` }).toString(), form))
        .statusCode,
    ).toBe(422)
    for (const wrong of ['', 'act=yes&act=yes', 'act[yes]=1', '%ff%fe', '\u0000'])
      expect((await send(wrong, form)).statusCode).toBeLessThan(500)
    for (const wrong of ['{"act":{"yes":1}}', '{"act":"yes","email":["a@example.org"]}', '[]', 'null'])
      expect((await send(wrong, 'application/json')).statusCode).toBeLessThan(500)
    expect(await waiting()).toBe(0)
  })

  test('a version that was never shown is asked anew', async () => {
    const email = person()
    await type({ email })
    await server.work()
    const mail = relay.received.findLast(({ to }) => to === email)
    const confirm = linkIn((await PostalMime.parse(mail?.raw ?? '')).html)
    for (const wrong of [{ version: 'x' }, { version: '2e9' }, { version: '-2' }, { version: '' }]) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const payload = new URLSearchParams({ ...yes, ...wrong }).toString()
      const answer = await server.app.inject({
        method: 'POST',
        url: confirm,
        headers,
        payload,
        remoteAddress: network(),
      })
      expect([answer.statusCode, answer.body.includes('The words have changed')]).toEqual([409, true])
    }
    expect((await seen()).taken).toBe(0)
  })
})

test('the link for one campaign says nothing at another, of this newsletter or of a neighbour', async () => {
  const email = person()
  await type({ email })
  await server.work()
  const mail = relay.received.findLast(({ to }) => to === email)
  const confirm = linkIn((await PostalMime.parse(mail?.raw ?? '')).html)
  const neighbour = await addNewsletter(server.context.db, server.owner.userId, 'Of a neighbour')
  const others = [
    await addOptInCampaign(server),
    await addOptInCampaign({ ...server, path: `/api/newsletters/${neighbour}` }),
  ]
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const payload = new URLSearchParams(yes).toString()
  for (const id of others) {
    const url = confirm.replace(campaignId, id)
    for (const method of ['GET', 'POST'] as const) {
      const answer = await server.app.inject({ method, url, headers, ...(method === 'POST' && { payload }) })
      expect([answer.statusCode, answer.body.includes(email)]).toEqual([410, false])
    }
  }
  const { rows } = await sql`select from opt_in where campaign_id = any(${others})`.execute(server.context.db)
  expect(rows).toEqual([])
})
