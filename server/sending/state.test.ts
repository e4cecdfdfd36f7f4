import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { eraseNewsletter } from '../personal-data/erase.ts'
import { projectRoot } from '../root.ts'
import { startTestNewsletter } from '../testing/newsletter.ts'
import { claimDeliveries } from './claims.ts'
import { findRunning, plan } from './deliveries.ts'
import { beginSending, pauseSendings } from './state.ts'

/** What writes a sending or a delivery's state, by SQL or by the query builder. */
function writesOf(source: string): string[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
  const rows = code.match(
    /\b(insert\s+into|delete\s+from)\s+(delivery|sending)\b|\b(insertInto|deleteFrom)\(\s*'(delivery|sending)\b/gi,
  )
  const updates = [...code.matchAll(/\bupdate\s+(delivery|sending)\b([\s\S]*?)\b(where|from)\b/gi)]
  const built = [...code.matchAll(/\bupdateTable\(\s*'(delivery|sending)\b([\s\S]*?)\.(where|from)\(/gi)]
  const changed = [...updates, ...built].filter(([, , set]) => /\bstate\b/.test(set ?? '')).map(([found]) => found)
  return [...(rows ?? []), ...changed]
}

test.each([
  'insert into delivery (state) values (1)',
  "update delivery d set email = '', state = 'failed' where true",
  "db.updateTable('sending').set({ state: 'sent' }).where('id', '=', id)",
  "db.insertInto('delivery').values(rows)",
])('“%s” is found to write a state', (source) => expect(writesOf(source)).toHaveLength(1))

test.each([
  'update delivery d set opened_at = f.at from fetched f',
  'select state from sending where true',
  'insert into delivery_count',
])('“%s” writes none', (source) => expect(writesOf(source)).toEqual([]))

test('the states of sendings and deliveries are written in three files and nowhere else', () => {
  const files = globSync('server/**/*.{ts,tsx}', { cwd: projectRoot }).filter(
    (file) => !/\.test\.tsx?$|^server\/testing\//.test(file),
  )
  const writers = files.filter((file) => writesOf(readFileSync(join(projectRoot, file), 'utf8')).length > 0)
  expect(writers.toSorted()).toEqual([
    'server/sending/claims.ts',
    'server/sending/delivery-state.ts',
    'server/sending/state.ts',
  ])
})

test('a later sending of a publication leaves out the subscribers of an earlier one', async () => {
  const server = await startTestNewsletter()
  try {
    const { db } = server.context
    await server.addSubscribers(['first@example.org', 'second@example.org'])
    const { id } = await server.draft()
    await server.send(id)
    await server.work()
    expect(await server.counts(id)).toEqual({ intended: 2, caught: 2 })
    await server.addSubscribers(['later@example.org'])
    await beginSending(db, { newsletterId: server.newsletterId, publicationId: id }, { kind: 'everyone' })
    expect((await server.owner.call('GET', `${server.path}/publications/${id}`)).json().status).toBe('sending')
    await server.work()
    expect(await server.counts(id)).toEqual({ intended: 3, caught: 3 })
    const sums = await db.selectFrom('delivery_count').select('intended').orderBy('intended').execute()
    expect(sums).toEqual([{ intended: 1 }, { intended: 2 }])
    expect((await server.owner.call('GET', `${server.path}/publications/${id}`)).json().status).toBe('sent')
    const outbox = (await server.owner.call('GET', `${server.path}/outbox`)).json()
    const to = outbox.rows.map((mail: { to: string }) => mail.to).sort()
    expect(to).toEqual(['first@example.org', 'later@example.org', 'second@example.org'])
  } finally {
    await server.stop()
  }
})

test('two sendings of a publication that are planned at the same time share its subscribers', async () => {
  const server = await startTestNewsletter()
  try {
    const { db } = server.context
    await server.addSubscribers(Array.from({ length: 200 }, (_, n) => `${n}@example.org`))
    const { id } = await server.draft()
    const key = { newsletterId: server.newsletterId, publicationId: id }
    await beginSending(db, key, { kind: 'everyone' })
    await beginSending(db, key, { kind: 'everyone' })
    const running = await findRunning(db)
    expect(running).toHaveLength(2)
    for (let tries = 0; tries < 3; tries += 1) await Promise.all(running.map((sending) => plan(db, sending)))
    expect(await server.counts(id)).toEqual({ intended: 200, queued: 200 })
  } finally {
    await server.stop()
  }
})

test('a sending to thousands who were added a moment ago is planned at once, and so is a second one', async () => {
  const server = await startTestNewsletter()
  try {
    const { db } = server.context
    const add = (from: number) =>
      sql`insert into subscriber (newsletter_id, id, email, email_normalised, language, status, confirmed_at)
        select ${server.newsletterId}, gen_random_uuid(), n || '@example.org', n || '@example.org', 'en', 'active', now()
        from generate_series(${from}::integer, ${from + 9_999}::integer) n`.execute(db)
    const { id } = await server.draft()
    const key = { newsletterId: server.newsletterId, publicationId: id }
    for (const [from, intended] of [
      [1, 10_000],
      [10_001, 20_000],
    ] as const) {
      await add(from)
      await beginSending(db, key, { kind: 'everyone' })
      const began = performance.now()
      for (const sending of await findRunning(db)) await plan(db, sending)
      // Quadratic time would be minutes.
      expect(performance.now() - began).toBeLessThan(5_000)
      expect(await server.counts(id)).toMatchObject({ intended })
    }
  } finally {
    await server.stop()
  }
})

test('counts that do not add up are refused by the database', async () => {
  const server = await startTestNewsletter()
  try {
    const { db } = server.context
    await server.addSubscribers(['first@example.org'])
    const { id } = await server.draft()
    await server.send(id)
    await server.work()
    const claimTwo = sql`update delivery_count set accepted = accepted + 1`.execute(db)
    await expect(claimTwo).rejects.toThrow('violates check constraint')
    expect(await server.counts(id)).toEqual({ intended: 1, caught: 1 })
  } finally {
    await server.stop()
  }
})

test('nothing is claimed of a sending that was paused after a worker had found it', async () => {
  const server = await startTestNewsletter()
  try {
    const { db } = server.context
    await server.addSubscribers(['first@example.org', 'second@example.org'])
    const { id } = await server.draft()
    const key = { newsletterId: server.newsletterId, publicationId: id }
    await beginSending(db, key, { kind: 'everyone' })
    const [found] = await findRunning(db)
    if (!found) throw new Error('the sending was not found')
    await plan(db, found)
    await pauseSendings(db, key)
    const claim = { worker: 'late', limit: 10, leaseSeconds: 60 }
    expect(await claimDeliveries(db, found, claim)).toEqual({ examined: 0, claimed: [] })
    expect(await server.counts(id)).toEqual({ intended: 2, queued: 2 })
  } finally {
    await server.stop()
  }
})

test('a delivery belongs to a sending of its own publication, stays in it and goes with it', async () => {
  const server = await startTestNewsletter()
  try {
    const { db } = server.context
    const { newsletterId } = server
    await server.addSubscribers(['first@example.org', 'second@example.org'])
    const [{ id }, other] = [await server.draft(), await server.draft()]
    await server.send(id)
    await server.work()
    const insert = (publicationId: string, sendingId: string) =>
      sql`insert into delivery (newsletter_id, publication_id, sending_id, subscriber_id, email)
        values (${newsletterId}, ${publicationId}, ${sendingId}, gen_random_uuid(), '')`.execute(db)
    const { id: sendingId } = await db.selectFrom('sending').select('id').executeTakeFirstOrThrow()
    await expect(insert(other.id, sendingId)).rejects.toThrow('has no sending')
    await expect(insert(id, 'nothing')).rejects.toThrow('has no sending')
    await expect(sql`update delivery set publication_id = ${other.id}`.execute(db)).rejects.toThrow(
      'stays in its sending',
    )
    const deliveries = () => db.selectFrom('delivery').select('subscriber_id').execute()
    expect(await deliveries()).toHaveLength(2)
    await db.deleteFrom('publication').where('id', '=', other.id).execute()
    expect(await deliveries()).toHaveLength(2)
    await db.deleteFrom('publication').where('id', '=', id).execute()
    expect(await deliveries()).toEqual([])
    const { id: last } = await server.draft()
    await server.send(last)
    await server.work()
    expect(await deliveries()).toHaveLength(2)
    await eraseNewsletter(db, newsletterId)
    expect(await deliveries()).toEqual([])
  } finally {
    await server.stop()
  }
})
