import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eraseSubscriber } from '../personal-data/erase.ts'
import { lockWaiters } from '../testing/lock-waiters.ts'
import { type PublicSite, startPublicSite } from '../testing/public-site.ts'
import { addPublication } from '../testing/publication.ts'
import { suppress } from './change.ts'

let server: PublicSite
let newsletter: string

beforeAll(async () => {
  server = await startPublicSite({ SUBSCRIBE_LIMIT: '100000' })
})
afterAll(() => server.stop())
beforeEach(async () => {
  newsletter = await server.addNewsletter()
})

const yes = (email: string, more: Record<string, string> = {}) => ({ email, language: 'en', consent: 'yes', ...more })

const subscribers = () =>
  server.context.db.selectFrom('subscriber').selectAll().where('newsletter_id', '=', newsletter).execute()

async function mailsTo(address: string) {
  await server.work()
  const mails = await server.context.relays.outbox.list()
  return (mails ?? []).filter((mail) => mail.to.includes(address) && mail.newsletterId === newsletter)
}

async function confirmationFor(address: string): Promise<string> {
  const [mail] = await mailsTo(address)
  const read = await server.context.relays.outbox.read(mail?.id ?? '')
  const source = (read?.source.toString() ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '=')
  return new URL(/https?:\/\/[^\s"<]*\/confirm\/[\w.-]+/.exec(source)?.[0] ?? 'http://none/').pathname
}

async function subscribed(address: string) {
  await server.submit(`/subscribe/${newsletter}`, yes(address))
  const path = await confirmationFor(address)
  server.clock.pass(1_000)
  await server.submit(path, {})
  return (await subscribers()).find(({ email }) => email === address)
}

describe('the subscribe page', () => {
  test('is the same under both paths and under the handle, and names one of them as its own', async () => {
    const id = await server.addNewsletter({ handle: 'low-water', name: 'Low Water' })
    const [a, b, c] = await Promise.all([
      server.get(`/sub/${id}`),
      server.get(`/subscribe/${id}`),
      server.get('/subscribe/low-water'),
    ])
    expect(a.statusCode).toBe(200)
    expect(a.body).toBe(b.body)
    expect(a.body).toBe(c.body)
    expect(a.body).toMatch(/<link rel="canonical" href="[^"]*\/subscribe\/low-water"/)
    expect(a.body).not.toMatch(/<script(?! type="application\/ld)/)
  })

  test('leads to the outbox after a request only where mail is caught on the reader’s own machine', async () => {
    const localhost = 'http://localhost:3000'
    for (const [env, leads] of [
      [{ PUBLIC_URL: localhost }, true],
      [{ PUBLIC_URL: localhost, SMTP_URL: 'smtp://127.0.0.1:2525' }, false],
      [{ PUBLIC_URL: 'https://news.example' }, false],
    ] as const) {
      const site = await startPublicSite(env)
      try {
        const id = await site.addNewsletter()
        for (const path of [`/subscribe/${id}/asked`, `/signin/${id}?said=sent`]) {
          const { statusCode, body } = await site.get(path)
          expect([path, statusCode]).toEqual([path, 200])
          expect(body.includes('href="/outbox?newest='), `${path} ${JSON.stringify(env)}`).toBe(leads)
        }
      } finally {
        await site.stop()
      }
    }
  })

  test('speaks the language of its foot, then of the browser, then of the newsletter', async () => {
    const french = await server.addNewsletter({ language: 'fr', name: 'Le Quart d’heure' })
    expect((await server.get(`/sub/${french}`)).body).toContain('<html lang="fr"')
    expect((await server.get(`/sub/${french}`, { 'accept-language': 'en-GB' })).body).toContain('<html lang="en"')
    expect((await server.get(`/sub/${french}?lang=fr`, { 'accept-language': 'en-GB' })).body).toContain(
      '<html lang="fr"',
    )
    expect((await server.get(`/sub/${newsletter}`, { 'accept-language': 'de' })).body).toContain('<html lang="en"')
  })

  test('asks for a yes that nobody has given yet', async () => {
    const { body } = await server.get(`/sub/${newsletter}`)
    const box = /<input[^>]*name="consent"[^>]*>/.exec(body)?.[0]
    expect(box).toBeDefined()
    expect(box).not.toContain('checked')
    expect(body).toContain('Yes, send me Low Water by email. I can leave with one click.')
  })

  const opened = {
    person: 'Whether you open a mail is kept with',
    counted: 'Openings of mails are counted',
    off: 'Whether you open a mail is not kept',
  }
  const clicked = {
    person: 'The links you follow are kept with',
    counted: 'Links that are followed are counted',
    off: 'The links you follow are not kept',
  }
  const both = {
    person: 'Which mails you open and which links you follow are kept with your address.',
    counted: 'Openings of mails and clicks on links are counted, without who it was.',
    off: 'Which mails you open and which links you follow are not kept.',
  }
  const kept = ['person', 'counted', 'off'] as const
  const combinations = kept.flatMap((opens) => kept.map((clicks) => ({ opens, clicks })))
  test.each(combinations)('says what the newsletter keeps: opens $opens, clicks $clicks', async ({ opens, clicks }) => {
    await sql`update newsletter set open_privacy = ${opens}, click_privacy = ${clicks} where id = ${newsletter}`.execute(
      server.context.db,
    )
    const { body } = await server.get(`/sub/${newsletter}`)
    expect(body).toContain('We keep your address, your language, and your yes with its time.')
    expect(body).not.toContain('nothing else')
    for (const words of opens === clicks ? [both[opens]] : [opened[opens], clicked[clicks]])
      expect(body).toContain(words)
  })

  test('is answered with 304 while nothing changed, and anew after the newsletter did', async () => {
    const first = await server.get(`/sub/${newsletter}`)
    const again = await server.get(`/sub/${newsletter}`, { 'if-none-match': String(first.headers.etag) })
    expect(again.statusCode).toBe(304)
    await sql`update newsletter set name = 'High Water', version = version + 1 where id = ${newsletter}`.execute(
      server.context.db,
    )
    await expect
      .poll(async () => (await server.get(`/sub/${newsletter}`, { 'if-none-match': String(first.headers.etag) })).body)
      .toContain('High Water')
  })

  test('lists what was published last, and what is published next', async () => {
    const publish = (id: string, title: string, number: number) =>
      server.context.db
        .insertInto('publication')
        .values({
          newsletter_id: newsletter,
          id: `${newsletter}${id}`,
          title,
          number,
          slug: `slug-${id}`,
          language: 'en',
          content: '{}',
          published_at: new Date(),
        })
        .execute()
    await publish('a', 'Notes from the fog signal', 1)
    expect((await server.get(`/sub/${newsletter}`)).body).toContain('Notes from the fog signal')
    await publish('b', 'What the radio heard', 2)
    await expect.poll(async () => (await server.get(`/sub/${newsletter}`)).body).toContain('What the radio heard')
  })

  test('says kindly that there is no such newsletter', async () => {
    const { statusCode, body } = await server.get('/sub/nothing-here', { 'accept-language': 'fr' })
    expect(statusCode).toBe(404)
    expect(body).toContain('Pas de newsletter ici')
  })
})

describe('asking to subscribe', () => {
  test('keeps a pending subscriber, a receipt with the exact words, an event and one mail', async () => {
    const answer = await server.submit(`/subscribe/${newsletter}`, yes('Ada@Example.com', { language: 'fr' }))
    expect(answer.statusCode).toBe(303)
    expect((await server.get(String(answer.headers.location))).body).toContain('Your request is here')

    const [row] = await subscribers()
    expect(row).toMatchObject({
      email: 'Ada@Example.com',
      email_normalised: 'ada@example.com',
      status: 'pending',
      language: 'fr',
    })
    const receipts = await server.context.db
      .selectFrom('consent')
      .selectAll()
      .where('newsletter_id', '=', newsletter)
      .execute()
    expect(receipts).toMatchObject([
      {
        act: 'asked',
        wording: 'Yes, send me Low Water by email. I can leave with one click.',
        language: 'en',
        means: 'page',
      },
    ])
    const mails = await mailsTo('Ada@example.com')
    expect(mails).toMatchObject([{ subject: 'À confirmer\u00a0: Low Water' }])
  })

  test('has one answer for new, pending, active, suppressed and robots', async () => {
    await subscribed('active@example.com')
    await server.context.db
      .insertInto('suppression')
      .values({ newsletter_id: newsletter, email_normalised: 'stopped@example.com', reason: 'complained' })
      .execute()
    const asks = ['new@example.com', 'new@example.com', 'active@example.com', 'stopped@example.com'].map((email) =>
      yes(email),
    )
    const answers = []
    for (const form of [...asks, yes('robot@example.com', { website: 'https://spam.example' })]) {
      const { statusCode, headers, body } = await server.submit(`/subscribe/${newsletter}`, form)
      answers.push(JSON.stringify({ statusCode, body, ...headers, date: null }))
    }
    expect(new Set(answers).size).toBe(1)
    expect((await subscribers()).map(({ email }) => email).sort()).toEqual(['active@example.com', 'new@example.com'])
    expect(await mailsTo('stopped@example.com')).toHaveLength(0)
  })

  test('fifty times at once for one address makes one subscriber, one receipt and one mail', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        server.submit(`/subscribe/${newsletter}`, yes('once@example.com'), { remoteAddress: `10.0.0.${i}` }),
      ),
    )
    expect(answers.filter(({ statusCode }) => statusCode === 303).length).toBeGreaterThan(0)
    expect(await subscribers()).toHaveLength(1)
    const receipts = await server.context.db
      .selectFrom('consent')
      .selectAll()
      .where('newsletter_id', '=', newsletter)
      .execute()
    expect(receipts).toHaveLength(1)
    expect(await mailsTo('once@example.com')).toHaveLength(1)
  })

  test('again asks a pending address again, but not within five minutes', async () => {
    const ask = () => server.submit(`/subscribe/${newsletter}`, yes('slow@example.com'))
    await ask()
    await ask()
    expect(await mailsTo('slow@example.com')).toHaveLength(1)
    server.clock.pass(6 * 60_000)
    await ask()
    expect(await mailsTo('slow@example.com')).toHaveLength(2)
  })

  test('tells an active address quietly, once a day', async () => {
    const address = 'here@example.com'
    await subscribed(address)
    const ask = () => server.submit(`/subscribe/${newsletter}`, yes(address))
    await ask()
    expect(await mailsTo(address)).toHaveLength(1)
    // Whoever has just confirmed knows it; a little later the page promises a mail, and one comes.
    server.clock.pass(6 * 60_000)
    await ask()
    await ask()
    server.clock.pass(6 * 60_000)
    await ask()
    expect(await mailsTo(address)).toHaveLength(2)
    server.clock.pass(25 * 3_600_000)
    await ask()
    await ask()
    const mails = await mailsTo(address)
    expect(mails).toHaveLength(3)
    expect(mails[0]?.subject).toBe('You are already subscribed to Low Water')
  })

  test('without a whole address or without the tick says so beside the field and keeps the rest', async () => {
    const noAddress = await server.submit(`/subscribe/${newsletter}`, yes('ada@', { language: 'fr' }))
    expect(noAddress.statusCode).toBe(422)
    expect(noAddress.body).toContain('This is not a whole email address')
    expect(noAddress.body).toMatch(/<input[^>]*name="email"[^>]*value="ada@"[^>]*>/)
    expect(noAddress.body).toMatch(/<input[^>]*name="language"[^>]*checked=""[^>]*value="fr"|value="fr"[^>]*checked=""/)
    const noYes = await server.submit(`/subscribe/${newsletter}`, { email: 'ada@example.com', language: 'en' })
    expect(noYes.statusCode).toBe(422)
    expect(noYes.body).toContain('Tick the box')
    const neither = await server.submit(`/subscribe/${newsletter}`, { email: 'ada@', language: 'en' })
    expect(neither.body).toContain('This is not a whole email address')
    expect(neither.body).toContain('Tick the box')
    expect(neither.body.match(/autofocus/gi)).toHaveLength(1)
    expect(noAddress.body).not.toContain('Tick the box')
    expect(await subscribers()).toHaveLength(0)
  })

  test('survives whatever a robot sends', async () => {
    const path = `/subscribe/${newsletter}`
    const huge = await server.submit(path, yes('x'.repeat(60_000)))
    expect(huge.statusCode).toBe(413)
    const repeated = await server.app.inject({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'email=a@example.com&email=b@example.com&consent=yes&consent[]=no',
    })
    expect(repeated.statusCode).toBe(422)
    for (const payload of ['null', '[]', '"text"', '{"email":{"$ne":1}}']) {
      const json = await server.app.inject({
        method: 'POST',
        url: path,
        headers: { 'content-type': 'application/json' },
        payload,
      })
      expect(json.statusCode).toBe(422)
    }
    expect((await server.app.inject({ method: 'POST', url: path })).statusCode).toBe(422)
    expect((await server.submit(path, yes('a\u0000b@example.com'))).statusCode).toBe(422)
  })

  test('too often from one network gets a kind refusal with everything kept', async () => {
    const strict = await startPublicSite({ SUBSCRIBE_LIMIT: '2' })
    try {
      const id = await strict.addNewsletter({ language: 'fr' })
      const ask = (email: string) => strict.submit(`/sub/${id}`, { email, consent: 'yes' })
      await ask('a@example.com')
      await ask('b@example.com')
      const third = await ask('c@example.com')
      expect(third.statusCode).toBe(429)
      expect(third.headers['retry-after']).toBeDefined()
      expect(third.body).toContain('value="c@example.com"')
    } finally {
      await strict.stop()
    }
  })
})

describe('confirming', () => {
  test('takes one press; opening the link changes nothing', async () => {
    await server.submit(`/subscribe/${newsletter}`, yes('ada@example.com'))
    const path = await confirmationFor('ada@example.com')
    const opened = await server.get(path)
    expect(opened.statusCode).toBe(200)
    expect(opened.headers['cache-control']).toBe('no-store')
    expect(opened.body).toContain('Confirm my subscription')
    expect(await subscribers()).toMatchObject([{ status: 'pending' }])

    server.clock.pass(1_000)
    const pressed = await server.submit(path, {})
    expect(pressed.statusCode).toBe(303)
    expect((await server.get(path)).body).toContain('You are subscribed')
    const [row] = await subscribers()
    expect(row?.status).toBe('active')

    await Promise.all([server.submit(path, {}), server.submit(path, {})])
    const receipts = await server.context.db
      .selectFrom('consent')
      .select('act')
      .where('newsletter_id', '=', newsletter)
      .orderBy('act')
      .execute()
    expect(receipts.map(({ act }) => act)).toEqual(['asked', 'given'])
    const [count] = await server.context.db
      .selectFrom('daily_count')
      .select('joined')
      .where('newsletter_id', '=', newsletter)
      .execute()
    expect(count?.joined).toBe(1)
  })

  test('is over after thirty days, and for tokens that are not ours', async () => {
    await server.submit(`/subscribe/${newsletter}`, yes('late@example.com'))
    const path = await confirmationFor('late@example.com')
    server.clock.pass(31 * 24 * 3_600_000)
    expect((await server.get(path)).statusCode).toBe(410)
    await server.submit(path, {})
    expect(await subscribers()).toMatchObject([{ status: 'pending' }])
    await server.submit(`/subscribe/${newsletter}`, yes('forged@example.com'))
    const ours = await confirmationFor('forged@example.com')
    const forged = ours.slice(0, -3) + (ours.endsWith('AAA') ? 'BBB' : 'AAA')
    expect((await server.get(forged)).statusCode).toBe(410)
    expect((await server.get(ours)).statusCode).toBe(200)
    for (const token of ['x', 'a.b.c', `${newsletter}.00000000-0000-7000-8000-000000000000.AAAA`, '%00', '..%2f..']) {
      expect((await server.get(`/confirm/${token}`)).statusCode).toBeGreaterThanOrEqual(400)
      expect((await server.get(`/confirm/${token}`)).statusCode).toBeLessThan(500)
    }
  })

  test('lifts no suppression by hand, and no complaint that came after the request', async () => {
    for (const reason of ['complained', 'by_hand'] as const) {
      const email = `${reason}@example.com`
      await server.submit(`/subscribe/${newsletter}`, yes(email))
      const path = await confirmationFor(email)
      await server.context.db
        .insertInto('suppression')
        .values({ newsletter_id: newsletter, email_normalised: email, reason, at: server.clock.now })
        .execute()
      expect((await server.submit(path, {})).statusCode).toBe(410)
      expect((await subscribers()).find((row) => row.email === email)).toMatchObject({ status: 'pending' })
    }
  })

  test('its mail repeats nothing that was typed, in HTML and in text', async () => {
    await server.submit(`/subscribe/${newsletter}`, yes('ada@example.com', { name: 'Buy pills at evil.example' }))
    const [mail] = await mailsTo('ada@example.com')
    const read = await server.context.relays.outbox.read(mail?.id ?? '')
    expect(read?.source.toString()).not.toContain('pills')
    expect(read?.source.toString()).toContain('Auto-Submitted')
  })
})

describe('coming back', () => {
  const DAY = 24 * 3_600_000

  let people = 0

  /** Somebody whom a bounce or a complaint made inactive, at the server's time. */
  async function lost(reason: 'bounced' | 'complained', email = `${reason}${++people}@example.com`) {
    const subscriber = await subscribed(email)
    const { db } = server.context
    server.clock.pass(1_000)
    const publicationId = await addPublication(db, { newsletterId: newsletter, state: 'sent' })
    const key = { newsletterId: newsletter, subscriberId: subscriber?.id ?? '' }
    await suppress(db, reason, [{ ...key, publicationId, words: '550 relay not permitted' }])
    const at = server.clock.now
    await db.updateTable('suppression').set({ at }).where('newsletter_id', '=', newsletter).execute()
    await db.updateTable('subscriber').set({ left_at: at }).where('newsletter_id', '=', newsletter).execute()
    return { email, id: key.subscriberId, publicationId }
  }
  const ask = (email: string) => server.submit(`/subscribe/${newsletter}`, yes(email))
  const statusOf = async (email: string) => (await subscribers()).find((row) => row.email === email)?.status
  const suppressions = () =>
    server.context.db.selectFrom('suppression').select('reason').where('newsletter_id', '=', newsletter).execute()

  test.each([
    ['bounced', 1],
    ['complained', 30],
  ] as const)(
    'who %s and confirms again is active again, with a receipt, an event and a line in the audit',
    async (reason, days) => {
      const { email, id, publicationId } = await lost(reason)
      const old = await confirmationFor(email)
      expect((await server.get(old)).statusCode).toBe(410)
      expect((await server.submit(old, {})).statusCode).toBe(410)
      const before = (await mailsTo(email)).length
      await ask(email)
      server.clock.pass((days - 1) * DAY)
      await ask(email)
      expect(await mailsTo(email)).toHaveLength(before)
      server.clock.pass(DAY)
      for (let i = 0; i < 3; i++) await ask(email)
      expect(await mailsTo(email)).toHaveLength(before + 1)
      expect(await statusOf(email)).toBe(reason)

      const path = await confirmationFor(email)
      expect((await server.get(path)).body).toContain('Confirm my subscription')
      await Promise.all([server.submit(path, {}), server.submit(path, {})])
      expect((await server.get(path)).body).toContain('You are subscribed')
      expect(await statusOf(email)).toBe('active')
      expect(await suppressions()).toEqual([])
      const { db } = server.context
      const receipts = await db.selectFrom('consent').select('act').where('subscriber_id', '=', id).execute()
      const taken = reason === 'complained' ? ['withdrawn'] : []
      expect(receipts.map(({ act }) => act).toSorted()).toEqual(['asked', 'asked', 'given', 'given', ...taken])
      const events = await db.selectFrom('event').select('kind').where('subscriber_id', '=', id).execute()
      expect(events.filter(({ kind }) => kind === 'confirmed')).toHaveLength(2)
      const lines = await db.selectFrom('audit').select('actor').where('newsletter_id', '=', newsletter).execute()
      expect(lines).toEqual([{ actor: 'subscriber' }])
      const lifted = await db.selectFrom('lifted_suppression').selectAll().where('subscriber_id', '=', id).execute()
      expect(lifted).toMatchObject([{ reason, publication_id: publicationId, detail: '550 relay not permitted' }])
    },
  )

  test('a complaint that comes after the new request keeps the address away', async () => {
    const { email, id, publicationId } = await lost('bounced')
    server.clock.pass(DAY)
    await ask(email)
    const path = await confirmationFor(email)
    server.clock.pass(1_000)
    const { db } = server.context
    await suppress(db, 'complained', [{ newsletterId: newsletter, subscriberId: id, publicationId, words: 'abuse' }])
    const at = server.clock.now
    await db.updateTable('suppression').set({ at }).where('newsletter_id', '=', newsletter).execute()
    expect((await server.submit(path, {})).statusCode).toBe(410)
    expect(await statusOf(email)).toBe('complained')
    expect(await suppressions()).toEqual([{ reason: 'complained' }])
  })

  test('a complaint that is being recorded while they confirm keeps the address away', async () => {
    const { email, id, publicationId } = await lost('bounced')
    server.clock.pass(DAY)
    await ask(email)
    const path = await confirmationFor(email)
    server.clock.pass(1_000)
    const { db } = server.context
    const at = server.clock.now
    let pressed: ReturnType<typeof server.submit> | undefined
    await db.transaction().execute(async (tx) => {
      await suppress(tx, 'complained', [{ newsletterId: newsletter, subscriberId: id, publicationId, words: 'abuse' }])
      await tx.updateTable('suppression').set({ at }).where('newsletter_id', '=', newsletter).execute()
      await tx.updateTable('subscriber').set({ left_at: at }).where('id', '=', id).execute()
      pressed = server.submit(path, {})
      await waitForLock()
    })
    expect((await pressed)?.statusCode).toBe(410)
    expect(await statusOf(email)).toBe('complained')
    expect(await suppressions()).toEqual([{ reason: 'complained' }])
  })

  async function waitForLock(): Promise<void> {
    while ((await lockWaiters(server.context.db)) === 0);
  }

  test('nobody asks an erased or hand-suppressed address, and the answer is the same for every address', async () => {
    const bounced = await lost('bounced')
    const complained = await lost('complained')
    const erased = await lost('bounced', 'erased@example.com')
    await eraseSubscriber(server.context, { newsletterId: newsletter, subscriberId: erased.id })
    const stopped = await subscribed('hand@example.com')
    await server.context.db
      .insertInto('suppression')
      .values({ newsletter_id: newsletter, email_normalised: 'hand@example.com', reason: 'by_hand' })
      .execute()
    server.clock.pass(31 * DAY)
    const answers = []
    for (const email of [bounced.email, complained.email, erased.email, 'hand@example.com', 'new@example.com']) {
      const { statusCode, headers, body } = await ask(email)
      answers.push(JSON.stringify({ statusCode, body, ...headers, date: null }))
    }
    expect(new Set(answers).size).toBe(1)
    // The mail that was caught before is erased with them.
    expect(await mailsTo(erased.email)).toHaveLength(0)
    expect(await mailsTo('hand@example.com')).toHaveLength(1)
    expect(await mailsTo(bounced.email)).toHaveLength(2)
    expect(await mailsTo(complained.email)).toHaveLength(2)
    expect((await subscribers()).map(({ email }) => email)).not.toContain(erased.email)
    expect(stopped?.status).toBe('active')
  })
})

describe('leaving', () => {
  test('is one press, kept with a receipt, and can be undone', async () => {
    const ada = await subscribed('ada@example.com')
    const path = `/unsub/${newsletter}/${ada?.id}`
    const page = await server.get(path)
    expect(page.body.indexOf('value="leave"')).toBeGreaterThan(0)
    expect(page.body.indexOf('value="leave"')).toBeLessThan(page.body.indexOf('value="language"'))
    expect(page.body).toContain('a…\u2060a@example.com')
    expect(page.body).toContain('noindex')
    expect(page.headers['cache-control']).toBe('no-store')
    expect((await subscribers())[0]?.status).toBe('active')

    server.clock.pass(1_000)
    await server.submit(path, { act: 'leave' })
    expect((await subscribers())[0]?.status).toBe('unsubscribed')
    expect((await server.get(path)).body).toContain('It is done.')
    await server.submit(path, { act: 'reason', reason: 'tooMany' })
    expect((await subscribers())[0]?.left_reason).toBe('tooMany')

    server.clock.pass(1_000)
    const back = await server.submit(path, { act: 'return' })
    expect((await server.get(String(back.headers.location))).body).toContain('You are subscribed again')
    expect((await subscribers())[0]).toMatchObject({ status: 'active', left_at: null, left_reason: null })
    const acts = await server.context.db
      .selectFrom('consent')
      .select('act')
      .where('newsletter_id', '=', newsletter)
      .orderBy('at')
      .execute()
    expect(acts.map(({ act }) => act)).toEqual(['asked', 'given', 'withdrawn', 'given'])
    const [count] = await server.context.db
      .selectFrom('daily_count')
      .selectAll()
      .where('newsletter_id', '=', newsletter)
      .execute()
    expect(count).toMatchObject({ joined: 2, departed: 1 })
  })

  test('by RFC 8058 answers 200 without cookie or redirect, again and again', async () => {
    const ada = await subscribed('ada@example.com')
    const path = `/unsub/${newsletter}/${ada?.id}`
    for (let i = 0; i < 3; i++) {
      const answer = await server.submit(
        path,
        { 'List-Unsubscribe': 'One-Click' },
        { headers: { origin: 'https://mail.example' } },
      )
      expect(answer.statusCode).toBe(200)
      expect(answer.headers['set-cookie']).toBeUndefined()
    }
    expect((await subscribers())[0]?.status).toBe('unsubscribed')
    const events = await server.context.db
      .selectFrom('event')
      .selectAll()
      .where('newsletter_id', '=', newsletter)
      .where('kind', '=', 'unsubscribed')
      .execute()
    expect(events).toHaveLength(1)
  })

  test('cannot be undone after a week, and a return needs a confirmation like the first time', async () => {
    const ada = await subscribed('ada@example.com')
    const path = `/unsub/${newsletter}/${ada?.id}`
    await server.submit(path, { act: 'leave' })
    server.clock.pass(8 * 24 * 3_600_000)
    await server.submit(path, { act: 'return' })
    expect((await subscribers())[0]?.status).toBe('unsubscribed')
    await server.submit(`/subscribe/${newsletter}`, yes('ada@example.com'))
    expect((await subscribers())[0]?.status).toBe('unsubscribed')
    await server.submit(await confirmationFor('ada@example.com'), {})
    expect((await subscribers())[0]).toMatchObject({ status: 'active', left_at: null })
  })

  test('shows strangers, the erased and the never known the same page', async () => {
    const ada = await subscribed('ada@example.com')
    const other = await server.addNewsletter()
    const unknown = '0192c0de-0000-7000-8000-000000000000'
    const one = async (...paths: string[]) => {
      const pages = await Promise.all(paths.map((path) => server.get(path)))
      return new Set(pages.map(({ body, statusCode }) => statusCode + body)).size
    }
    // The newsletter that an address names is public: only whether it has somebody is not.
    expect(await one(`/unsub/${other}/${ada?.id}`, `/unsub/${other}/${unknown}`, `/unsub/${other}/x`)).toBe(1)
    expect(await one(`/unsub/${newsletter}/${unknown}`, `/unsub/${newsletter}/x`)).toBe(1)
    expect(await one(`/unsub/no/${unknown}`, '/unsub/nowhere/x')).toBe(1)
    const oneClick = await server.submit(`/unsub/${other}/${ada?.id}`, { 'List-Unsubscribe': 'One-Click' })
    expect(oneClick.statusCode).toBe(200)
    expect((await subscribers())[0]?.status).toBe('active')
  })

  test('names the publication whose mail it was asked from, when it is this newsletter’s', async () => {
    const ada = await subscribed('ada@example.com')
    const publication = `${newsletter}p`
    const values = { newsletter_id: newsletter, id: publication, language: 'en', content: '{}' } as const
    await server.context.db.insertInto('publication').values(values).execute()
    await server.submit(`/unsub/${newsletter}/${ada?.id}?p=${publication}`, { 'List-Unsubscribe': 'One-Click' })
    const event = server.context.db.selectFrom('event').selectAll().where('newsletter_id', '=', newsletter)
    expect(await event.where('kind', '=', 'unsubscribed').execute()).toMatchObject([{ publication_id: publication }])
  })

  test('in French, in the subscriber’s own language', async () => {
    await server.submit(`/subscribe/${newsletter}`, yes('ada@example.com', { language: 'fr' }))
    await server.submit(await confirmationFor('ada@example.com'), {})
    const [ada] = await subscribers()
    expect((await server.get(`/unsub/${newsletter}/${ada?.id}`)).body).toContain('Vous nous quittez\u202f?')
  })
})
