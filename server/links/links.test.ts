import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { uuidv7 } from '../database/ids.ts'
import { type PublicSite, startPublicSite } from '../testing/public-site.ts'
import { addPublication } from '../testing/publication.ts'
import { addLink, pageOfLinks } from './link.ts'
import { shortenLinks } from './shorten.ts'

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

let server: PublicSite
let newsletter: string

beforeAll(async () => {
  server = await startPublicSite()
})
afterAll(() => server.stop())
beforeEach(async () => {
  newsletter = await server.addNewsletter()
})

const linkTo = async (target: string, more: { slug?: string; expiresAt?: string | null } = {}) => {
  const link = await addLink(
    server.context,
    { newsletterId: newsletter, actor: 'member' },
    { target, expiresAt: null, ...more },
  )
  return link.id
}

const clicksOf = (id: string) =>
  server.context.db.selectFrom('click').selectAll().where('short_link_id', '=', id).orderBy('id').execute()

const follow = (path: string, headers: Record<string, string> = {}) =>
  server.get(path, { 'user-agent': BROWSER, ...headers })

describe('a short link', () => {
  test('leads to its stored target under both paths, and each answered redirect is a click on disk', async () => {
    const id = await linkTo('https://example.org/a?b=c')
    for (const path of [`/r/${id}`, `/redirect/${id}`]) {
      const { statusCode, headers } = await follow(path)
      expect(statusCode).toBe(302)
      expect(headers.location).toBe('https://example.org/a?b=c')
      expect(headers['cache-control']).toBe('no-store')
      expect(headers['referrer-policy']).toBe('no-referrer')
    }
    expect(await clicksOf(id)).toMatchObject([
      { excluded_by: null, device: 'desktop' },
      { excluded_by: null, device: 'desktop' },
    ])
  })

  test('is on disk by the time it is answered, when several follow it at once', async () => {
    const id = await linkTo('https://example.org/')
    let answered = 0
    const one = async () => {
      await follow(`/r/${id}`)
      answered++
      const seen = answered
      expect((await clicksOf(id)).length).toBeGreaterThanOrEqual(seen)
    }
    await Promise.all(Array.from({ length: 10 }, one))
    expect(await clicksOf(id)).toHaveLength(10)
  })

  test('is never redirected to a target that its address names', async () => {
    const id = await linkTo('https://example.org/')
    const { headers } = await follow(`/r/${id}?url=https://evil.example&to=//evil.example&target=x`)
    expect(headers.location).toBe('https://example.org/')
  })

  test('leads to targets in other scripts', async () => {
    const id = await linkTo('https://bücher.example/été?q=“x”')
    expect((await follow(`/r/${id}`)).headers.location).toBe(
      'https://xn--bcher-kva.example/%C3%A9t%C3%A9?q=%E2%80%9Cx%E2%80%9D',
    )
  })

  test('stores with an excluded click the rule that excluded it', async () => {
    const id = await linkTo('https://example.org/')
    const head = await server.app.inject({ method: 'HEAD', url: `/r/${id}`, headers: { 'user-agent': BROWSER } })
    expect(head.statusCode).toBe(302)
    await follow(`/r/${id}`, { 'sec-purpose': 'prefetch' })
    await follow(`/r/${id}`, { 'user-agent': 'Googlebot/2.1' })
    await follow(`/r/${id}`, { 'user-agent': '' })
    expect((await clicksOf(id)).map(({ excluded_by }) => excluded_by)).toEqual(['head', 'prefetch', 'bot', 'no-agent'])
  })

  test('knows who clicked among the subscribers of its own newsletter only', async () => {
    const subscriber = async (newsletterId: string) => {
      const id = uuidv7()
      const email = `${id}@example.com`
      await server.context.db
        .insertInto('subscriber')
        .values({ newsletter_id: newsletterId, id, email, email_normalised: email, language: 'en', status: 'pending' })
        .execute()
      return id
    }
    const [ours, theirs] = [await subscriber(newsletter), await subscriber(await server.addNewsletter())]
    const id = await linkTo('https://example.org/')
    for (const who of [ours, ours.toUpperCase(), theirs, uuidv7(), "x'; drop table click", '']) {
      expect((await follow(`/r/${id}?s=${encodeURIComponent(who)}`)).statusCode).toBe(302)
    }
    await follow(`/r/${id}?s=${ours}&s=${theirs}`)
    expect((await clicksOf(id)).map(({ subscriber_id }) => subscriber_id)).toEqual([
      ours,
      ours,
      null,
      null,
      null,
      null,
      null,
    ])
  })

  test('that does not exist or has expired gets a friendly page, in the visitor’s language', async () => {
    const gone = await linkTo('https://example.org/', {
      expiresAt: new Date(server.clock.now.getTime() - 1).toISOString(),
    })
    const unknown = await follow('/r/nothing', { 'accept-language': 'fr' })
    expect(unknown.statusCode).toBe(404)
    expect(unknown.body).toContain('Ce lien ne mène nulle part')
    expect(unknown.body).toContain('noindex')
    const expired = await follow(`/r/${gone}`)
    expect(expired.statusCode).toBe(410)
    expect(expired.body).toContain('This link has had its time')
    expect((await follow(`/r/${'x'.repeat(400)}`)).statusCode).toBe(404)
    expect((await follow('/r/%00')).statusCode).toBeLessThan(500)
  })

  test('is forgotten when it changes', async () => {
    const id = await linkTo('https://example.org/old')
    await follow(`/r/${id}`)
    await sql`update short_link set target = 'https://example.org/new' where id = ${id}`.execute(server.context.db)
    await expect.poll(async () => (await follow(`/r/${id}`)).headers.location).toBe('https://example.org/new')
    await sql`delete from short_link where id = ${id}`.execute(server.context.db)
    await expect.poll(async () => (await follow(`/r/${id}`)).statusCode).toBe(404)
  })

  test('counts raw clicks, human clicks and people', async () => {
    const id = await linkTo('https://example.org/')
    await follow(`/r/${id}`)
    await follow(`/r/${id}`, { 'user-agent': 'curl/8' })
    const { rows } = await pageOfLinks(server.context, newsletter, { limit: 10 })
    expect(rows).toMatchObject([{ id, clicks: { raw: 2, human: 1, people: 0 } }])
  })

  test('a slug is given to one link only', async () => {
    await linkTo('https://example.org/', { slug: 'spring-sale' })
    await expect(linkTo('https://example.org/2', { slug: 'spring-sale' })).rejects.toMatchObject({ code: 'slug_taken' })
  })

  test('the list goes on after its cursor, newest first', async () => {
    const made = []
    for (let i = 0; i < 5; i++) made.push(await linkTo(`https://example.org/${i}`))
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await pageOfLinks(server.context, newsletter, { limit: 2, cursor })
      seen.push(...page.rows.map(({ id }) => id))
      cursor = page.next ?? undefined
    } while (cursor)
    expect(seen).toEqual(made.toReversed())
  })
})

describe('the links of a publication', () => {
  test('are made once, in reading order, however often they are asked for', async () => {
    const targets = [
      'https://example.org/1',
      'https://example.org/2',
      'https://example.org/1',
      `https://example.org/${'x'.repeat(3_000)}`,
    ]
    const { db, config } = server.context
    const twice = await Promise.all(
      [1, 2, 3].map(() => shortenLinks(db, { newsletterId: newsletter, publicationId: 'p', targets })),
    )
    expect(new Set(twice.map((links) => JSON.stringify([...links].toSorted()))).size).toBe(1)
    expect([...(twice[0]?.keys() ?? [])].toSorted()).toEqual(['https://example.org/1', 'https://example.org/2'])
    const { rows } = await pageOfLinks({ db, config }, newsletter, { limit: 10, publicationId: 'p' })
    expect(rows.map(({ target }) => target)).toEqual(['https://example.org/1', 'https://example.org/2'])
  })

  test('an address with and without its last slash is one link; a path with and without is two', async () => {
    const targets = ['https://example.net', 'https://example.net/', 'https://example.net/a', 'https://example.net/a/']
    const ids = await shortenLinks(server.context.db, { newsletterId: newsletter, publicationId: 'q', targets })
    expect([...ids.keys()]).toEqual(targets)
    expect(ids.get('https://example.net')).toBe(ids.get('https://example.net/'))
    expect(new Set(ids.values()).size).toBe(3)
  })
})

describe('the pixel', () => {
  test('marks the first opening of a delivery and no other', async () => {
    const publication = `${newsletter}p`
    const subscriber = uuidv7()
    const { db } = server.context
    await addPublication(db, { newsletterId: newsletter, id: publication })
    await db
      .insertInto('delivery')
      .values({
        newsletter_id: newsletter,
        publication_id: publication,
        sending_id: publication,
        subscriber_id: subscriber,
        email: 'a@example.com',
      })
      .execute()
    for (const who of [subscriber, subscriber, uuidv7(), 'nobody']) {
      const { statusCode, headers } = await server.get(`/o/${newsletter}/${publication}/${who}.gif`)
      expect(statusCode).toBe(200)
      expect(headers['content-type']).toBe('image/gif')
      expect(headers['cache-control']).toBe('no-store')
    }
    const opens = db
      .selectFrom('event')
      .selectAll()
      .where('newsletter_id', '=', newsletter)
      .where('kind', '=', 'opened')
    await expect.poll(async () => (await opens.execute()).length).toBe(1)
  })
})
