import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type PublicSite, startPublicSite } from '../testing/public-site.ts'

let server: PublicSite
/** With pressure from the first request on. */
let pressed: PublicSite
beforeAll(async () => {
  server = await startPublicSite({ SUBSCRIBE_LIMIT: '100000', SUBSCRIBE_PRESSURE: '100000' })
  pressed = await startPublicSite({ SUBSCRIBE_LIMIT: '100000', SUBSCRIBE_PRESSURE: '0' })
})
afterAll(async () => {
  await server?.stop()
  await pressed?.stop()
})

let newsletter: string
beforeEach(async () => {
  newsletter = await server.addNewsletter()
})

type Form = Record<string, string>
const yes = (email: string, more: Form = {}): Form => ({ email, language: 'en', consent: 'yes', ...more })
const ask = (email: string, more: Form = {}) => server.submit(`/subscribe/${newsletter}`, yes(email, more))
type Policy = 'accept' | 'confirm' | 'refuse'
const set = (values: { opt_in?: 'double' | 'single'; role_addresses?: Policy; disposable_addresses?: Policy }) =>
  server.context.db
    .updateTable('newsletter')
    .set({ ...values, version: sql`version + 1` })
    .where('id', '=', newsletter)
    .execute()

const subscribersOf = (site: PublicSite, id: string) =>
  site.context.db.selectFrom('subscriber').selectAll().where('newsletter_id', '=', id).orderBy('email').execute()
const subscribers = () => subscribersOf(server, newsletter)
const waiting = () =>
  server.context.db.selectFrom('confirmation_mail').selectAll().where('newsletter_id', '=', newsletter).execute()

describe('a newsletter that subscribes at once', () => {
  beforeEach(() => set({ opt_in: 'single' }))

  test('makes who asks active, with both receipts, and mails nobody', async () => {
    const page = await server.get(`/subscribe/${newsletter}`)
    expect(page.body).not.toContain('You will get one email to confirm')
    const answer = await ask('ada@example.com')
    expect(answer.statusCode).toBe(303)
    expect((await server.get(String(answer.headers.location))).body).toContain('comes to this address')
    expect(await subscribers()).toMatchObject([{ email: 'ada@example.com', status: 'active' }])
    expect((await subscribers())[0]?.confirmed_at).not.toBeNull()
    expect(await waiting()).toEqual([])
    const receipts = server.context.db.selectFrom('consent').select(['act', 'means']).orderBy('act')
    expect(await receipts.where('newsletter_id', '=', newsletter).execute()).toEqual([
      { act: 'asked', means: 'page' },
      { act: 'given', means: 'page' },
    ])
  })

  test('makes one subscriber of many requests at once', async () => {
    await Promise.all(
      Array.from({ length: 30 }, (_, at) => ask(`ada${at % 3}@example.com`, { language: at % 2 ? 'fr' : 'en' })),
    )
    const all = await subscribers()
    expect(all.map(({ email, status }) => [email, status])).toEqual([
      ['ada0@example.com', 'active'],
      ['ada1@example.com', 'active'],
      ['ada2@example.com', 'active'],
    ])
    const { rows } = await sql<{ joined: number }>`select sum(joined)::integer as joined from daily_count
      where newsletter_id = ${newsletter}`.execute(server.context.db)
    expect(rows[0]?.joined).toBe(3)
  })

  test('brings nobody back who left, bounced or complained: they are asked to confirm', async () => {
    for (const status of ['unsubscribed', 'bounced', 'complained'] as const) {
      const email = `${status}@example.com`
      await ask(email)
      const long = new Date(server.clock.now.getTime() - 60 * 24 * 3_600_000)
      await server.context.db
        .updateTable('subscriber')
        .set({ status, left_at: long, asked_at: long })
        .where('newsletter_id', '=', newsletter)
        .where('email', '=', email)
        .execute()
      await ask(email)
      expect((await subscribers()).find((row) => row.email === email)?.status).toBe(status)
    }
    expect(await waiting()).toHaveLength(3)
  })

  test('asks those to confirm whom its owner wants asked', async () => {
    await set({ role_addresses: 'confirm', disposable_addresses: 'confirm' })
    await ask('info@example.com')
    await ask('ada@mailinator.com')
    await ask('ada@example.com')
    expect((await subscribers()).map(({ email, status }) => [email, status])).toEqual([
      ['ada@example.com', 'active'],
      ['ada@mailinator.com', 'pending'],
      ['info@example.com', 'pending'],
    ])
    expect(await waiting()).toHaveLength(2)
  })

  test('never sends a suppressed address anything', async () => {
    const values = { newsletter_id: newsletter, email_normalised: 'no@example.com', reason: 'by_hand' as const }
    await server.context.db.insertInto('suppression').values(values).execute()
    expect((await ask('no@example.com')).statusCode).toBe(303)
    expect(await subscribers()).toEqual([])
  })
})

describe('addresses that are not one person’s', () => {
  const addresses = [
    'info@example.com',
    'Postmaster@example.com',
    'no-reply+x@example.com',
    'a@mailinator.com',
    'a@x.mailinator.com',
  ]

  test('are taken like any other at first', async () => {
    for (const email of addresses) expect((await ask(email)).statusCode).toBe(303)
    expect(await subscribers()).toHaveLength(addresses.length)
  })

  test('are refused with a sentence when the owner chose so, and nothing is stored', async () => {
    await set({ role_addresses: 'refuse', disposable_addresses: 'refuse' })
    const texts = await Promise.all(addresses.map(async (email) => (await ask(email)).body))
    expect(texts.map((text) => /takes no (addresses that several|throwaway)/.exec(text)?.[1])).toEqual([
      ...Array(3).fill('addresses that several'),
      ...Array(2).fill('throwaway'),
    ])
    expect(await subscribers()).toEqual([])
    expect((await ask('information.desk@example.com')).statusCode).toBe(303)
  })
})

describe('a domain that looks mistyped', () => {
  test('is offered in its right form: nothing is stored, and one click takes it', async () => {
    const first = await ask('Ada@gmial.com', { language: 'fr' })
    expect(first.statusCode).toBe(422)
    expect(first.body).toContain('Did you mean ada@gmail.com?')
    expect(first.body).toMatch(/<button[^>]*name="choice"[^>]*>Yes, ada@gmail\.com/)
    expect(first.body).toMatch(/<input[^>]*name="email"[^>]*value="Ada@gmial\.com"/)
    expect(await subscribers()).toEqual([])
    expect((await ask('Ada@gmial.com', { language: 'fr', choice: 'meant' })).statusCode).toBe(303)
    expect(await subscribers()).toMatchObject([{ email: 'ada@gmail.com', language: 'fr' }])
  })

  test('is taken as it is by the other click', async () => {
    expect((await ask('ada@gmial.com', { choice: 'typed' })).statusCode).toBe(303)
    expect(await subscribers()).toMatchObject([{ email: 'ada@gmial.com' }])
  })
})

describe('known and unknown addresses', () => {
  test('cost the same statements, so that the time of an answer says nothing', async () => {
    const statements: string[] = []
    const query = pg.Client.prototype.query
    const states = ['pending', 'active', 'unsubscribed', 'bounced', 'complained']
    for (const opt_in of ['single', 'double'] as const) {
      await set({ opt_in })
      // The process has read the newsletter anew, so it will not do so in the middle.
      const promises = async () => (await server.get(`/subscribe/${newsletter}`)).body.includes('one email to confirm')
      await expect.poll(promises).toBe(opt_in === 'double')
      for (const status of states) {
        const email = `${status}-${opt_in}@example.com`
        await ask(email)
        await sql`update subscriber set status = ${status}, confirmed_at = case ${status} when 'pending' then null else asked_at end,
            left_at = case when ${status} in ('pending', 'active') then null else asked_at end where newsletter_id = ${newsletter} and email = ${email}`.execute(
          server.context.db,
        )
      }
      await sql`insert into suppression (newsletter_id, email_normalised, reason)
        values (${newsletter}, ${`stopped-${opt_in}@example.com`}, 'by_hand')`.execute(server.context.db)
      await ask('warm@example.com')
      const seen = new Set<string>()
      const answers = new Set<string>()
      for (const local of ['new', ...states, 'stopped']) {
        statements.length = 0
        pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
          const [first] = given
          statements.push(typeof first === 'string' ? first : String((first as { text?: string }).text))
          return (query as (...all: unknown[]) => unknown).apply(this, given)
        } as typeof query
        const { statusCode, headers, body } = await ask(`${local}-${opt_in}@example.com`).finally(() => {
          pg.Client.prototype.query = query
        })
        // What else the process does meanwhile is about nobody's address.
        seen.add(statements.filter((text) => /subscriber|rate_limit|begin|commit/i.test(text)).join('\n'))
        answers.add(JSON.stringify({ statusCode, body, ...headers, date: null }))
      }
      expect(seen.size).toBe(1)
      expect([...seen][0]).toContain('insert into subscriber')
      expect(answers.size).toBe(1)
    }
  })
})

describe('under pressure', () => {
  const send = (id: string, form: Form, type: 'form' | 'json' = 'form') =>
    type === 'form'
      ? pressed.submit(`/subscribe/${id}`, form)
      : pressed.app.inject({ method: 'POST', url: `/subscribe/${id}`, payload: form })

  const prove = async (id: string): Promise<string> => {
    const challenge = (await pressed.get(`/subscribe/${id}/challenge`)).json()
    const solution = await solveChallenge({ challenge, deriveKey })
    return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
  }

  test('begins with more requests than usual for one newsletter, in all processes, and is over after ten minutes', async () => {
    const site = await startPublicSite({ SUBSCRIBE_PRESSURE: '3' })
    try {
      const id = await site.addNewsletter()
      const other = await site.addNewsletter()
      const give = (at: number, to = id) =>
        site.submit(`/subscribe/${to}`, yes(`a${at}@example.com`), { remoteAddress: `192.0.2.${at}` })
      const answers = await Promise.all([1, 2, 3, 4, 5, 6].map((at) => give(at)))
      expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([303, 303, 303, 422, 422, 422])
      expect((await site.get(`/subscribe/${id}`)).body).toContain('data-challenge')
      expect((await give(7, other)).statusCode).toBe(303)
      expect((await site.get(`/subscribe/${other}`)).body).not.toContain('data-challenge')
      await sql`update rate_limit set expire = 0 where key like 'subscribe form:%'`.execute(site.context.db)
      expect((await give(8)).statusCode).toBe(303)
    } finally {
      await site.stop()
    }
  })

  test('a request with a proof is taken once, by form and as JSON alike; without one nothing is stored and all is kept', async () => {
    for (const type of ['form', 'json'] as const) {
      const id = await pressed.addNewsletter()
      const bare = await send(id, yes('ada@example.com'), type)
      expect([bare.statusCode, bare.headers['cache-control']]).toEqual([422, 'no-store'])
      expect(bare.body).toContain('value="ada@example.com"')
      expect(bare.body).toContain('data-challenge')
      expect(await subscribersOf(pressed, id)).toEqual([])
      const proof = await prove(id)
      const both = await Promise.all([
        send(id, yes('ada@example.com', { proof }), type),
        send(id, yes('eve@example.com', { proof }), type),
      ])
      expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([303, 422])
      expect(await subscribersOf(pressed, id)).toHaveLength(1)
    }
  })

  test('a proof of another newsletter, changed, too old or made up counts for nothing', async () => {
    const [id, other] = [await pressed.addNewsletter(), await pressed.addNewsletter()]
    const proof = await prove(id)
    const read = JSON.parse(Buffer.from(proof, 'base64').toString())
    const changed = (change: (copy: typeof read) => void) => {
      const copy = structuredClone(read)
      change(copy)
      return Buffer.from(JSON.stringify(copy)).toString('base64')
    }
    const wrong = [
      await prove(other),
      changed(({ challenge }) => (challenge.parameters.data.newsletterId = other)),
      changed(({ challenge }) => (challenge.parameters.nonce = challenge.parameters.nonce.toUpperCase())),
      changed(({ challenge }) => (challenge.parameters.expiresAt += 3_600)),
      changed(({ challenge }) => (challenge.signature = '00'.repeat(32))),
      changed(({ solution }) => (solution.derivedKey = '00'.repeat(32))),
      changed(({ solution }) => (solution.derivedKey = 'no hexadecimal')),
      changed((copy) => (copy.solution = null)),
      ...['x', 'bnVsbA==', '!!!', 'e30=', 'x'.repeat(10_000), Buffer.from('{"challenge":[]}').toString('base64')],
    ]
    for (const [at, bad] of wrong.entries()) {
      const { statusCode } = await send(id, yes(`a${at}@example.com`, { proof: bad }))
      expect([at, statusCode]).toEqual([at, 422])
    }
    expect(await subscribersOf(pressed, id)).toEqual([])
    expect((await send(id, yes('ada@example.com', { proof }))).statusCode).toBe(303)
  })

  test('a newsletter that subscribes at once asks to confirm', async () => {
    const id = await pressed.addNewsletter()
    await pressed.context.db.updateTable('newsletter').set({ opt_in: 'single' }).where('id', '=', id).execute()
    await send(id, yes('ada@example.com', { proof: await prove(id) }))
    expect(await subscribersOf(pressed, id)).toMatchObject([{ status: 'pending' }])
  })

  test('the page says what to do without scripts, with an address to write to when there is one', async () => {
    const id = await pressed.addNewsletter({ language: 'fr' })
    const bare = (await pressed.get(`/subscribe/${id}`)).body
    expect(/<noscript>.*<\/noscript>/s.exec(bare)?.[0]).toContain('Autorisez-les sur cette page')
    expect(bare).not.toContain('mailto:')
    await sql`update newsletter set reply_to = 'ines@example.org', version = version + 1 where id = ${id}`.execute(
      pressed.context.db,
    )
    await expect.poll(async () => (await pressed.get(`/subscribe/${id}`)).body).toContain('mailto:ines@example.org')
  })

  test('challenges are for newsletters that exist, in no cache, and sixty a minute for a network', async () => {
    const id = await pressed.addNewsletter()
    const get = (to: string, ip: string) => pressed.app.inject({ url: `/subscribe/${to}/challenge`, remoteAddress: ip })
    const first = await get(id, '198.51.100.1')
    expect([first.statusCode, first.headers['cache-control']]).toEqual([200, 'no-store'])
    expect((await get('nothing', '198.51.100.2')).statusCode).toBe(404)
    const many = await Promise.all(Array.from({ length: 60 }, () => get(id, '198.51.100.1')))
    expect(many.filter(({ statusCode }) => statusCode === 429)).toHaveLength(1)
  })
})
