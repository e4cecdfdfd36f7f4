import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { isUuid, uuidv7 } from '../database/ids.ts'
import { returnPath } from '../mail/return-path.ts'
import { lowWater } from '../seed/newsletters.ts'
import { demoOwner } from '../seed/owner.ts'
import { seed } from '../seed/seed.ts'
import { type Session, startTestApp, type TestApp } from '../testing/app.ts'
import { translator } from '../translator.ts'
import { SealedLinks } from './sealed-links.ts'
import { Sealer } from './sealing.ts'
import { disarmMail, ShownIds } from './shown-ids.ts'

const ids = new ShownIds('a secret of at least thirty-two characters')

describe('a shown id', () => {
  test('is read back, by this instance alone, and says nothing of when it was made', () => {
    const shown = Array.from({ length: 1_000 }, (_, millisecond) => {
      const id = uuidv7(1_700_000_000_000 + millisecond)
      expect(ids.read(ids.show(id))).toBe(id)
      expect(new ShownIds('another secret of thirty-two characters').read(ids.show(id))).not.toBe(id)
      return ids.show(id)
    })
    expect(new Set(shown.map((one) => one.slice(0, 6))).size).toBeGreaterThan(990)
  })

  test('is 32 hexadecimal digits and nothing else', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        if (/^[0-9a-f]{32}$/.test(text)) expect(isUuid(ids.read(text))).toBe(true)
        else expect(() => ids.read(text)).toThrow()
      }),
    )
  })

  test('takes the place of every id in a stream of lines, wherever it is cut', async () => {
    const own = Array.from({ length: 20 }, () => uuidv7())
    const lines = own.map((id) => `${id},é@example.org,"550 <p.${id.toUpperCase()}.mac> told\nin two lines"\n`).join('')
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1 }), async (lengths) => {
        const stream = ids.hideInLines()
        const bytes = Buffer.from(lines)
        for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
          const length = lengths[turn % lengths.length] ?? 1
          stream.write(bytes.subarray(at, at + length))
          at += length
        }
        stream.end()
        const text = Buffer.concat(await stream.toArray()).toString()
        expect(text).toBe(own.map((id) => lineOf(ids.show(id))).join(''))
      }),
      { numRuns: 40 },
    )
  })

  const lineOf = (id: string) => `${id},é@example.org,"550 <p.${id}.mac> told\nin two lines"\n`

  test('a mail with another id in place of its own has the own one nowhere, also where a soft line break cuts it', () => {
    const id = uuidv7()
    const source = `List-Unsubscribe: <https://x.test/unsub/n/${id}>\r\n\r\n${id.slice(0, 20)}=\r\n${id.slice(20)}\r\n`
    const hidden = disarmMail(source, '7e570000-0000-8000-8000-000000000000')
    expect(hidden.replaceAll('=\r\n', '')).not.toContain(id)
    expect(hidden.match(/7e570000/g)).toHaveLength(2)
  })

  test('a mail has no link that acts by what is sealed in it, wherever a soft line break cuts that', () => {
    const sealer = new Sealer('a secret of at least thirty-two characters')
    const kind = { purpose: 'walk', says: z.object({ email: z.string() }), validMs: 1_000, longest: 300 }
    const token = new SealedLinks(sealer, kind).make({ email: 'ada@example.org' }, new Date())
    for (let at = 0; at <= token.length; at += 1) {
      const source = `<a href=3D"https://x.test/gift/${token.slice(0, at)}=\r\n${token.slice(at)}">Take it</a>`
      const hidden = disarmMail(source, '7e570000-0000-8000-8000-000000000000').replaceAll('=\r\n', '')
      expect(hidden).toBe('<a href=3D"https://x.test/gift/~hidden">Take it</a>')
    }
  })
})

describe('in a newsletter with history', () => {
  let server: TestApp
  let owner: Session
  let analyst: Session
  let path: string
  const newsletterId = lowWater(1).id
  const own = new Set<string>()

  beforeAll(async () => {
    server = await startTestApp({ env: { BOUNCE_DOMAIN: 'bounce.tirage.test' } })
    const { context } = server
    await seed(context, { subscribers: 200 })
    path = `/api/newsletters/${newsletterId}`
    owner = await server.signIn(demoOwner.email, demoOwner.password)
    analyst = await server.asMember(newsletterId, 'analyst')
    await repeatIdsInAnswers()
    await owner.call('POST', `${path}/subscribers`, { email: 'asked@example.org' })
    await server.work()
    const { rows } = await sql<{
      id: string
    }>`select id from subscriber union select subscriber_id from delivery`.execute(context.db)
    for (const { id } of rows) own.add(id)
  }, 120_000)
  afterAll(() => server?.stop())

  /** Other servers repeat what we sent them: the Message-ID, the return path. */
  async function repeatIdsInAnswers(): Promise<void> {
    const { db, config, signer } = server.context
    const { rows } = await sql<{ publicationId: string; subscriberId: string; email: string }>`
      select publication_id as "publicationId", subscriber_id as "subscriberId", email from delivery
      where newsletter_id = ${newsletterId} order by subscriber_id limit 40`.execute(db)
    for (const { publicationId, subscriberId, email } of rows) {
      const from = returnPath(config, signer, { newsletterId, publicationId, subscriberId })
      expect(from).toContain('b-')
      const words = `550 5.1.1 <${from}> rejected, message ${publicationId}.${subscriberId}.mac@x`
      await sql`update delivery set answer = ${words}, state = 'failed' where newsletter_id = ${newsletterId}
        and publication_id = ${publicationId} and subscriber_id = ${subscriberId}`.execute(db)
      await sql`insert into feedback (newsletter_id, id, at, publication_id, subscriber_id, kind, source, words)
        values (${newsletterId}, ${uuidv7()}, now(), ${publicationId}, ${subscriberId}, 'hard', 'dsn', ${words})
        on conflict do nothing`.execute(db)
      await sql`insert into suppression (newsletter_id, email_normalised, reason, detail)
        values (${newsletterId}, ${email.toLowerCase()}, 'bounced', ${words}) on conflict do nothing`.execute(db)
    }
  }

  /** The values of each parameter of a path. */
  async function findParams(session: Session): Promise<Record<string, string[]>> {
    const read = async <T>(below: string, list: string) =>
      ((await session.call('GET', `${path}/${below}`)).json()[list] ?? []) as T[]
    const { db } = server.context
    const troubled = await db
      .selectFrom('delivery')
      .select('publication_id')
      .distinct()
      .where('state', '=', 'failed')
      .execute()
    return {
      newsletterId: [newsletterId],
      publicationId: troubled.map((row) => row.publication_id),
      subscriberId: (await read<{ id: string }>('subscribers?limit=200', 'rows')).map(({ id }) => id),
      mailId: (await read<{ id: string }>('outbox?limit=20', 'rows')).map(({ id }) => id),
      revision: ['1'],
    }
  }

  function* addressesOf(route: string, params: Record<string, string[]>): Generator<string> {
    const name = /:(\w+)/.exec(route)?.[1]
    if (!name) return yield route
    for (const value of params[name] ?? []) yield* addressesOf(route.replace(`:${name}`, value), params)
  }

  const uuids = (text: string) => text.toLowerCase().match(/[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}/g) ?? []
  const dashed = (id: string) => id.replaceAll('-', '').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

  test.each(['analyst', 'owner'] as const)(
    'no answer that an %s may read has a subscriber’s own id',
    async (role) => {
      const session = role === 'owner' ? owner : analyst
      const params = await findParams(session)
      // The stream of live events never ends. It has the newsletter's id and one word (`live.test.ts`).
      const routes = server.app.apiRoutes.filter(
        ({ method, path: route }) => method === 'GET' && !route.endsWith('/live'),
      )
      const queries: Record<string, string> = {
        reasons: '?state=failed',
        groups: '?atLeast=1',
        deliveries: '?limit=200',
      }
      let answered = 0
      for (const { path: route } of routes.filter((each) => each.path.includes(':newsletterId'))) {
        for (const address of addressesOf(route, params)) {
          const answer = await session.call('GET', address + (queries[route.split('/').at(-1) ?? ''] ?? ''))
          if (answer.statusCode === 200) answered += 1
          expect([address, uuids(answer.body).filter((id) => own.has(dashed(id)))]).toEqual([address, []])
          expect([address, answer.body.match(/\b[bu]-[a-z2-7]{50}/gi)]).toEqual([address, null])
        }
      }
      expect(answered).toBeGreaterThan(200)
    },
    120_000,
  )

  test('an id from the API opens nothing, and the own one still unsubscribes with one click', async () => {
    const { rows } = (await analyst.call('GET', `${path}/subscribers?status=active&limit=1`)).json()
    const [{ id }] = rows
    const status = async () => (await owner.call('GET', `${path}/subscribers/${id}`)).json().status
    const leave = (one: string) =>
      server.inject({
        method: 'POST',
        url: `/unsub/${newsletterId}/${one}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'List-Unsubscribe=One-Click',
      })
    const { shownIds } = server.context
    for (const one of [id, dashed(id), id.toUpperCase()]) {
      expect((await leave(one)).statusCode).toBe(200)
      const page = await server.stranger('GET', `/unsub/${newsletterId}/${one}`)
      expect(page.body).toContain(translator('en')('subscribers.page.lostLink.title'))
    }
    expect(await status()).toBe('active')
    expect((await leave(shownIds.read(id))).body).toBe('OK')
    expect(await status()).toBe('unsubscribed')
  })

  test('the outbox shows a confirmation whose link confirms nobody, except to its recipient', async () => {
    const { rows } = (await owner.call('GET', `${path}/outbox?search=asked@example.org`)).json()
    const linkFor = async (session: Session) => {
      const mail = (await session.call('GET', `${path}/outbox/${rows[0].id}`)).json()
      return /http:\/\/tirage\.test(\/confirm\/[\w.-]+)/.exec(mail.text)?.[1] ?? ''
    }
    const confirm = (url: string) => server.inject({ method: 'POST', url })
    await confirm(await linkFor(owner))
    const statusOf = async () =>
      (await owner.call('GET', `${path}/subscribers?search=asked@example.org`)).json().rows[0].status
    expect(await statusOf()).toBe('pending')
    const recipient = await server.signUp({ email: 'asked@example.org' })
    const values = { newsletter_id: newsletterId, user_id: recipient.userId, role: 'editor' } as const
    await server.context.db.insertInto('member').values(values).execute()
    await confirm(await linkFor(recipient))
    expect(await statusOf()).toBe('active')
  })
})
