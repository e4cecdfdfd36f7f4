import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { uuidv7 } from '../../database/ids.ts'
import { addPaidPlan, addPaidSubscription } from '../../testing/charge.ts'
import { type PublicSite, startPublicSite } from '../../testing/public-site.ts'
import { suppress } from '../change.ts'
import { FRESH_MINUTES, SubscriberLinks } from '../subscriber-links.ts'

let server: PublicSite
let links: SubscriberLinks
let newsletter: string
/** Another one in each test, because requests are counted by address. */
let email: string
let people = 0
const id = '0192c0de-0000-7000-8000-00000000000a'
/** Of the link in each mail, and of the one that was mailed to the address alone. */
let standing: string
let fresh: string

beforeAll(async () => {
  server = await startPublicSite({ SUBSCRIBE_LIMIT: '1000' })
  links = new SubscriberLinks(server.context.config.secret, server.context.signer)
})
afterAll(() => server.stop())
beforeEach(async () => {
  newsletter = await server.addNewsletter()
  email = `a${++people}a@example.org`
  await addAda(newsletter)
  const token = links.standing({ newsletterId: newsletter, subscriberId: id })
  standing = `/me/${token}`
  fresh = `/me/${links.fresh(await ada(), server.clock.now)}`
})

const addAda = (of: string, address = email) =>
  sql`insert into subscriber (newsletter_id, id, email, email_normalised, name, language, status, confirmed_at, fields)
    values (${of}, ${id}, ${address}, ${address}, 'Ada Lovelace', 'en', 'active', ${server.clock.now}, '{"town": "Audierne", "inner": "difficult"}')`.execute(
    server.context.db,
  )

const ada = (of = newsletter) =>
  server.context.db.selectFrom('subscriber').selectAll().where('newsletter_id', '=', of).executeTakeFirstOrThrow()

const mails = async () =>
  (await server.context.relays.outbox.list()).filter(({ newsletterId }) => newsletterId === newsletter)

/** The path of the link in the newest mail of the newsletter. */
async function mailedPath(): Promise<string> {
  const [newest] = await mails()
  const source = (await server.context.relays.outbox.read(newest?.id ?? ''))?.source.toString() ?? ''
  return /(\/me\/[\w.-]+)/.exec(source.replaceAll(/=\r?\n/g, ''))?.[1] ?? ''
}

test('whoever asks for a link where no mail leaves reads where it is, known or not', async () => {
  const pages = []
  for (const address of [email, 'nobody@example.org']) {
    const asked = await server.submit(`/subscribe/${newsletter}/me`, { email: address })
    pages.push((await server.get(asked.headers.location ?? '')).body)
  }
  expect(pages[0]).toContain(
    'This server cannot send email yet. If the newsletter is yours, whatever would have been sent waits in your outbox.',
  )
  expect(pages[0]).toBe(pages[1])
})

describe('the link in each mail', () => {
  test('says nothing of its subscriber and is no other id', () => {
    const token = standing.slice('/me/'.length)
    expect(token).not.toContain(id)
    expect(token).not.toContain(server.context.shownIds.show(id))
    expect(token).toMatch(new RegExp(`^${newsletter}\\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`))
  })

  test('shows no more than the mail, for it may have been forwarded', async () => {
    const answer = await server.get(standing)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    })
    expect(answer.headers['content-security-policy']).not.toContain('script-src')
    expect(answer.body).toContain('a…\u2060a@example.org')
    for (const secret of [email, 'Lovelace', 'Audierne', 'difficult', '/data', '/receipts', 'ask=erase'])
      expect(answer.body).not.toContain(secret)
  })

  test('gives nobody the file, the receipts, the name or the erasure', async () => {
    for (const path of ['data', 'receipts']) {
      const answer = await server.get(`${standing}/${path}`)
      expect([answer.statusCode, answer.headers.location]).toEqual([303, standing])
    }
    expect((await server.get(`${standing}?ask=erase`)).body).not.toContain('Erase for good')
    await server.submit(standing, { act: 'erase' })
    await server.submit(standing, { act: 'name' })
    expect(await ada()).toMatchObject({ name: 'Ada Lovelace', status: 'active' })
  })

  test('says that a digest was chosen where none is offered any more, and saving the language keeps that choice', async () => {
    // Before a page of the newsletter is opened: after that it is told of a change a moment later.
    const { db } = server.context
    await db.updateTable('subscriber').set({ pace: 'weekly' }).where('newsletter_id', '=', newsletter).execute()
    await db.updateTable('newsletter').set({ digests: false }).where('id', '=', newsletter).execute()
    const { body } = await server.get(standing)
    expect(body).toContain('Every letter')
    expect(body).toContain('You chose one mail a week, which this newsletter does not offer at present.')
    const checked = /<input(?=[^>]*name="pace")(?=[^>]*checked)[^>]*value="(\w+)"/.exec(body)?.[1]
    expect(checked).toBe('keep')
    await server.submit(standing, { act: 'preferences', pace: 'keep', language: 'fr' })
    expect(await ada()).toMatchObject({ language: 'fr', pace: 'weekly' })
  })

  test('chooses the pace and the language, and leads to the page where one leaves', async () => {
    const answer = await server.submit(standing, { act: 'preferences', pace: '3', language: 'fr' })
    expect([answer.statusCode, answer.headers.location]).toEqual([303, `${standing}?said=saved`])
    const paused = await ada()
    expect(paused).toMatchObject({ language: 'fr', paused_until: expect.any(Date) })
    // Saving the language alone leaves the pause as it is.
    await server.submit(standing, { act: 'preferences', pace: 'keep', language: 'en' })
    expect(await ada()).toMatchObject({ language: 'en', paused_until: paused.paused_until })
    for (const pause of ['0', '2', '99', 'x', '']) await server.submit(standing, { act: 'preferences', pause })
    expect(await ada()).toMatchObject({ paused_until: paused.paused_until })
    await server.submit(standing, { act: 'preferences', pace: 'every', language: 'xx' })
    expect(await ada()).toMatchObject({ language: 'en', paused_until: null })
    const { body } = await server.get(standing)
    expect(body).toContain(`/unsub/${newsletter}/${id}?lang=en`)
  })

  test('offers who left the way back, and no pace for mail that does not come', async () => {
    const wayBack = `href="/subscribe/${newsletter}?lang=en"`
    expect((await server.get(standing)).body).not.toContain(wayBack)
    await server.context.db.updateTable('subscriber').set({ status: 'unsubscribed' }).execute()
    const { body } = await server.get(standing)
    expect(body).toContain(wayBack)
    expect(body).not.toContain('At your pace')
    // A page that was opened before still asks how often.
    const answer = await server.submit(standing, { act: 'preferences', pace: 'weekly', language: 'fr' })
    expect(answer.headers.location).toBe(`${standing}?said=noPace`)
    expect((await server.get(String(answer.headers.location))).body).toContain('Le rythme ne l’est pas')
    expect(await ada()).toMatchObject({ language: 'fr', pace: 'every', paused_until: null })
  })

  test('mails a fresh link to the address, whoever asks', async () => {
    const answer = await server.submit(standing, { act: 'mail' })
    expect(answer.headers.location).toBe(`${standing}?said=mailed`)
    await server.work()
    expect((await mails()).map(({ to }) => to)).toEqual([email])
    const { body } = await server.get(await mailedPath())
    expect(body).toContain(email)
    const statuses = []
    for (let more = 0; more < 6; more += 1) statuses.push((await server.submit(standing, { act: 'mail' })).statusCode)
    expect(statuses).toContain(429)
  })

  test('opens no other newsletter’s subscriber, not even one with the same id', async () => {
    const neighbour = await server.addNewsletter()
    await addAda(neighbour, 'eve@example.org')
    const token = standing.replace(newsletter, neighbour)
    // Both are nobody's or their own: the id is the same, so this is the neighbour's own page.
    expect((await server.get(token)).body).toContain('e…\u2060e@example.org')
    expect((await server.get(fresh.replace(newsletter, neighbour))).body).not.toContain('eve@example.org')
    expect((await server.get(fresh.replace(newsletter, neighbour))).body).toContain('e…\u2060e@example.org')
  })
})

describe('a fresh link', () => {
  test('shows what is kept, and of the fields those that the owner shows', async () => {
    await sql`insert into custom_field (newsletter_id, key, label, kind, shown_to_subscriber)
      values (${newsletter}, 'town', 'Your town', 'text', true), (${newsletter}, 'inner', 'Our note', 'text', false)`.execute(
      server.context.db,
    )
    await sql`with made as (insert into tag (newsletter_id, name) values (${newsletter}, 'Harbour master') returning id)
      insert into subscriber_tag (newsletter_id, tag_id, subscriber_id) select ${newsletter}, id, ${id} from made`.execute(
      server.context.db,
    )
    await server.context.db
      .insertInto('subscriber_note')
      .values({ newsletter_id: newsletter, id: uuidv7(), subscriber_id: id, text: 'Called twice' })
      .execute()
    const { body } = await server.get(fresh)
    for (const kept of [email, 'Ada Lovelace', 'Your town', 'Audierne', 'Harbour master', 'Erase my data'])
      expect(body).toContain(kept)
    for (const hidden of ['Our note', 'Called twice']) expect(body).not.toContain(hidden)
    expect(body).toMatch(/2 more things that .* noted about you are in your file/)
    const file = (await server.get(`${fresh}/data`)).json()
    expect(file.kept['subscriber.id'][0]).toMatchObject({ email: email, fields: { inner: 'difficult' } })
    expect((await server.get(`${fresh}/receipts`)).json()).toMatchObject({ receipts: [] })
  })

  test('is downloaded from as a file that nothing stores', async () => {
    const { headers } = await server.get(`${fresh}/data`)
    expect(headers).toMatchObject({
      'content-disposition': 'attachment; filename="my-data.json"',
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
    expect((await server.get(`${fresh}/data?lang=fr`)).headers['content-disposition']).toContain('mes-donnees.json')
    await server.context.db
      .updateTable('subscriber')
      .set({ language: 'fr' })
      .where('newsletter_id', '=', newsletter)
      .execute()
    expect((await server.get(`${fresh}/receipts`)).headers['content-disposition']).toContain('mes-recus.json')
  })

  test('removes the name', async () => {
    await server.submit(fresh, { act: 'name' })
    expect(await ada()).toMatchObject({ name: null })
  })

  test('says which plans end with an erasure and what stays in the accounts, which forget the notes', async () => {
    const { db } = server.context
    const key = { newsletterId: newsletter, subscriberId: id }
    const until = new Date('2031-03-04T12:00:00Z')
    const paid = await addPaidSubscription(db, key, { paid_until: until })
    const planId = await addPaidPlan(db, newsletter, 'Patron')
    const given = uuidv7()
    await addPaidSubscription(db, key, { id: given, planId, way: 'gift', paid_until: until })
    await db.deleteFrom('payment').where('subscription_id', '=', given).execute()
    await db.updateTable('payment').set({ note: 'F-2026-01, Ada' }).where('newsletter_id', '=', newsletter).execute()
    await db
      .insertInto('gift')
      .values({
        newsletter_id: newsletter,
        id: uuidv7(),
        code: given,
        plan_id: planId,
        months: 12,
        note: 'For Ada',
        subscription_id: given,
      })
      .execute()
    const page = await server.get(fresh)
    expect(page.body).toContain('You can read until 4\u00a0March 2031. Nothing is charged by itself.')
    expect(page.body).toContain('It is a gift to you, until 4\u00a0March 2031.')
    expect(page.body).not.toContain('nothing more is charged')
    const { body } = await server.get(`${fresh}?ask=erase`)
    expect(body).toContain('Your plan “Supporter”, until 4\u00a0March 2031, ends too. Nothing is paid back.')
    expect(body).toContain('Your plan “Patron”, a gift until 4\u00a0March 2031, ends too.')
    expect(body).toContain('What you paid stays in the accounts of')
    const french = (await server.get(`${fresh}?ask=erase&lang=fr`)).body
    expect(french).toContain('jusqu’au 4\u00a0mars 2031, s’arrête aussi, sans remboursement')

    await server.submit(fresh, { act: 'erase' })
    const books = await db.selectFrom('payment').selectAll().where('newsletter_id', '=', newsletter).execute()
    expect(books).toMatchObject([{ subscription_id: paid, amount: 5400, subscriber_id: null, note: '' }])
    const gifts = await db.selectFrom('gift').select('note').where('newsletter_id', '=', newsletter).execute()
    expect(gifts).toEqual([{ note: '' }])
  })

  test('says nothing of accounts and plans to who has paid nothing', async () => {
    const { body } = await server.get(`${fresh}?ask=erase`)
    for (const word of ['accounts', 'Your plan']) expect(body).not.toContain(word)
  })

  test('erases after it has asked, and leaves a line without the person in the audit', async () => {
    const asked = await server.get(`${fresh}?ask=erase`)
    expect(asked.body).toContain('Erase for good')
    expect(await ada()).toBeDefined()
    const { headers } = await server.submit(fresh, { act: 'erase' })
    await expect(ada()).rejects.toThrow()
    const told = await server.get(String(headers.location))
    expect([told.statusCode, told.body.includes('It is erased')]).toEqual([200, true])
    expect((await server.get('/me/nobody?said=erased')).statusCode).toBe(404)
    for (const path of [fresh, standing]) {
      const answer = await server.get(path)
      expect([answer.statusCode, answer.body.includes('This link opens nothing')]).toEqual([404, true])
    }
    const lines = await server.context.db
      .selectFrom('audit')
      .select(['act', 'actor', 'detail', 'network'])
      .where('newsletter_id', '=', newsletter)
      .execute()
    expect(lines).toEqual([{ act: 'subscriber_erased', actor: 'subscriber', detail: {}, network: null }])
    expect((await server.submit(fresh, { act: 'erase' })).statusCode).toBe(303)
  })

  test('is changed by nothing that a mail scanner does', async () => {
    const before = await ada()
    for (const query of ['', '?act=erase', '?ask=erase&act=erase', '?act=name', '?pause=1&act=preferences'])
      for (const method of ['GET', 'HEAD', 'OPTIONS'] as const)
        expect((await server.app.inject({ method, url: fresh + query })).statusCode).toBeLessThan(500)
    for (const method of ['PUT', 'PATCH', 'DELETE'] as const)
      expect((await server.app.inject({ method, url: fresh })).statusCode).toBe(405)
    expect(await ada()).toEqual(before)
  })

  test('has an hour; afterwards it shows what the link in each mail shows, and says why', async () => {
    server.clock.pass((FRESH_MINUTES - 1) * 60_000)
    expect((await server.get(fresh)).body).toContain('Lovelace')
    server.clock.pass(60_000)
    const { body } = await server.get(fresh)
    expect(body).toContain('This link has had its hour')
    expect(body).not.toContain('Lovelace')
    await server.submit(fresh, { act: 'erase' })
    expect(await ada()).toBeDefined()
  })

  test('is for the address that it was sent to', async () => {
    await sql`update subscriber set email = 'new@example.org', email_normalised = 'new@example.org'
      where newsletter_id = ${newsletter}`.execute(server.context.db)
    expect((await server.get(fresh)).body).not.toContain('new@example.org')
  })

  test('cannot be made from the link in each mail', async () => {
    const [, newsletterId, code, time, mac = ''] = /^\/me\/([^.]+)\.([^.]+)\.([^.]+)\.(.+)$/.exec(fresh) ?? []
    const other = links.standing({ newsletterId: newsletter, subscriberId: '0192c0de-0000-7000-8000-00000000000b' })
    const forged = [
      `${newsletterId}.${code}.zzzzzzz.${mac}`,
      `${newsletterId}.${code}.${time}.${'A'.repeat(mac.length)}`,
      `${newsletterId}.${code}.${time}.${mac.slice(0, -2)}`,
      `${newsletterId}.${code}.${time}.`,
      `${newsletterId}.${code}.${time}`,
      `${newsletterId}.${code}..${mac}`,
      `${newsletterId}.${code}.${time}.${mac}.${mac}`,
      `${other}.${time}.${mac}`,
    ]
    for (const token of forged) {
      expect((await server.get(`/me/${token}`)).body).not.toContain('Lovelace')
      await server.submit(`/me/${token}`, { act: 'erase' })
    }
    expect(await ada()).toBeDefined()
  })
})

test.each(['x', `${'a'.repeat(400)}`, `n.${id}`, `%00.${id}`, `n.${id}.1.x`, `☃.${id}`, "n'--.x"])(
  'the token %s opens nothing',
  async (token) => {
    const answer = await server.get(`/me/${encodeURIComponent(token)}`)
    expect([answer.statusCode, answer.body.includes('This link opens nothing')]).toEqual([404, true])
    expect((await server.submit(`/me/${encodeURIComponent(token)}`, { act: 'erase' })).statusCode).toBe(303)
    expect((await server.get(`/me/${encodeURIComponent(token)}/data`)).statusCode).toBe(303)
  },
)

describe('asking for the link by address', () => {
  const path = () => `/subscribe/${newsletter}/me`
  const ask = (email: string, more: object = {}) => server.submit(path(), { email, ...more })

  test('has one answer and one way for every address, and mails those alone who are kept', async () => {
    await addAda(await server.addNewsletter(), 'elsewhere@example.org')
    const answers = []
    for (const one of [email, 'nobody@example.org', 'elsewhere@example.org']) answers.push(await ask(one))
    expect(
      new Set(answers.map(({ statusCode, headers, body }) => JSON.stringify([statusCode, headers.location, body])))
        .size,
    ).toBe(1)
    expect((await server.get(String(answers[0]?.headers.location))).body).toContain('Your request is here')
    await server.work()
    expect((await mails()).map(({ to }) => to)).toEqual([email])
    expect((await server.get(await mailedPath())).body).toContain('Ada Lovelace')
  })

  test('writes to nobody who marked the newsletter as spam, unless they have one of its mails', async () => {
    const publication = { newsletterId: newsletter, subscriberId: id, publicationId: 'none', words: 'spam' }
    await suppress(server.context.db, 'complained', [publication])
    await ask(email)
    await server.work()
    expect(await mails()).toEqual([])
    await server.submit(standing, { act: 'mail' })
    await server.work()
    expect(await mails()).toHaveLength(1)
  })

  test('takes no address that is none, lets machines fill in what people do not see, and has limits', async () => {
    expect((await ask('ada')).statusCode).toBe(422)
    expect((await ask('')).statusCode).toBe(422)
    expect((await ask(email, { website: 'x' })).statusCode).toBe(303)
    await server.work()
    expect(await mails()).toEqual([])
    const statuses = []
    for (let more = 0; more < 7; more += 1) statuses.push((await ask('often@example.org')).statusCode)
    expect(statuses).toEqual([303, 303, 303, 303, 303, 429, 429])
    expect((await server.submit('/subscribe/nothing/me', { email: email })).statusCode).toBe(404)
    expect((await server.get('/subscribe/nothing/me')).statusCode).toBe(404)
  })
})
