import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dateFormat } from '../languages.ts'
import { type PublicSite, startPublicSite } from '../testing/public-site.ts'
import { everyone, recipientsNow, recipientsToPlan } from './audience.ts'
import { monthsLater } from './leave.ts'

let server: PublicSite
let newsletter: string
/** Of the subscriber's unsubscribe page. */
let path: string
const id = '0192c0de-0000-7000-8000-00000000000a'

beforeAll(async () => {
  server = await startPublicSite()
})
afterAll(() => server.stop())
beforeEach(async () => {
  newsletter = await server.addNewsletter()
  path = `/unsub/${newsletter}/${id}`
  await sql`insert into subscriber (newsletter_id, id, email, email_normalised, language, status, confirmed_at)
    values (${newsletter}, ${id}, 'ada@example.org', 'ada@example.org', 'en', 'active', ${server.clock.now})`.execute(
    server.context.db,
  )
})

const subscriber = () =>
  server.context.db
    .selectFrom('subscriber')
    .selectAll()
    .where('newsletter_id', '=', newsletter)
    .executeTakeFirstOrThrow()

async function recipients() {
  const planned = await sql`select id from (${recipientsToPlan(newsletter, everyone)}) r`.execute(server.context.db)
  const now = await sql<{
    excluded_by: string | null
  }>`select excluded_by from (${recipientsNow({ newsletterId: newsletter, id: 'none', audience: everyone })}) r`
  return { planned: planned.rows.length, excludedBy: (await now.execute(server.context.db)).rows[0]?.excluded_by }
}

describe('the page of an unsubscribe link', () => {
  test('is changed by nothing that a mail scanner does: it opens, previews and asks, and all stays as it was', async () => {
    const before = await subscriber()
    const visits = [
      { method: 'GET', headers: {} },
      { method: 'HEAD', headers: {} },
      { method: 'OPTIONS', headers: {} },
      { method: 'GET', headers: { 'sec-purpose': 'prefetch;prerender' } },
      { method: 'GET', headers: { purpose: 'prefetch' } },
      { method: 'GET', headers: { 'user-agent': 'Mozilla/5.0 (compatible; BingPreview/1.0b)' } },
    ] as const
    for (const query of [
      '',
      '?act=leave',
      '?act=pause&months=1',
      '?List-Unsubscribe=One-Click',
      '?language=fr&act=language',
    ])
      for (const { method, headers } of visits) {
        const { statusCode } = await server.app.inject({ method, url: path + query, headers })
        expect(statusCode).toBeLessThan(500)
      }
    for (const method of ['PUT', 'PATCH', 'DELETE'] as const)
      expect((await server.app.inject({ method, url: path })).statusCode).toBe(405)
    expect(await subscriber()).toEqual(before)
  })

  test('keeps the publication that somebody leaves by when its language is changed', async () => {
    const { body } = await server.get(`${path}?p=7`)
    const [, inFrench = ''] = /href="([^"]*)" lang="fr"/.exec(body) ?? []
    expect(new URLSearchParams(inFrench.replaceAll('&amp;', '&')).get('p')).toBe('7')
    expect((await server.get(`${path}${inFrench.replaceAll('&amp;', '&')}`)).body).toContain('<html lang="fr"')
  })

  test('pauses for one month or for three, says until when, and goes on before that when asked', async () => {
    const months: [string, number][] = [
      ['1', 1],
      ['3', 3],
    ]
    for (const [given, count] of months) {
      const answer = await server.submit(path, { act: 'pause', months: given })
      expect(answer.statusCode).toBe(303)
      const until = monthsLater(server.clock.now, count)
      expect(await subscriber()).toMatchObject({ status: 'active', paused_until: until })
      expect(await recipients()).toEqual({ planned: 0, excludedBy: 'paused' })
      const day = dateFormat('en-GB', { dateStyle: 'long', timeZone: 'Europe/Paris' }).format(until)
      const { body } = await server.get(String(answer.headers.location))
      expect(body).toContain(`Low Water comes again after ${day}`)
      expect(body).not.toContain('Leaving')
      expect((await server.get(path)).body).toContain(`Paused until ${day}`)
      const resumed = await server.submit(path, { act: 'resume' })
      expect((await server.get(String(resumed.headers.location))).body).toContain('The pause is over')
      expect(await recipients()).toEqual({ planned: 1, excludedBy: null })
    }
  })

  test('ends a pause by itself', async () => {
    await server.submit(path, { act: 'pause', months: '1' })
    await sql`update subscriber set paused_until = now() - interval '1 second' where newsletter_id = ${newsletter}`.execute(
      server.context.db,
    )
    expect(await recipients()).toEqual({ planned: 1, excludedBy: null })
    server.clock.pass(3_600_000)
    expect((await server.get(path)).body).not.toContain('Paused until')
  })

  test('takes no other pause than those it offers, and none of somebody who is not subscribed', async () => {
    for (const months of ['', '0', '2', '-1', '9999', '1e9', 'NaN']) await server.submit(path, { act: 'pause', months })
    expect(await subscriber()).toMatchObject({ paused_until: null })
    await server.submit(path, { act: 'leave' })
    await server.submit(path, { act: 'pause', months: '1' })
    expect(await subscriber()).toMatchObject({ status: 'unsubscribed', paused_until: null })
  })

  test('choosing how often mail comes ends a pause, also when it is as often as before', async () => {
    for (const pace of ['weekly', 'every', 'every']) {
      await server.submit(path, { act: 'pause', months: '3' })
      await server.submit(path, { act: 'pace', pace })
      expect(await subscriber()).toMatchObject({ pace, paused_until: null })
    }
  })

  test('who leaves during a pause and takes it back is subscribed as before: paused', async () => {
    await server.submit(path, { act: 'pause', months: '3' })
    const until = monthsLater(server.clock.now, 3)
    await server.submit(path, { act: 'leave' })
    expect(await recipients()).toEqual({ planned: 0, excludedBy: 'unsubscribed' })
    const answer = await server.submit(path, { act: 'return' })
    expect(await subscriber()).toMatchObject({ status: 'active', paused_until: until })
    expect(await recipients()).toEqual({ planned: 0, excludedBy: 'paused' })
    expect((await server.get(String(answer.headers.location))).body).toContain(
      'You are subscribed again, and paused as before',
    )
  })

  test('offers to whom a member has stopped the mail no way back that leads nowhere, and says whom to ask', async () => {
    const ways = async () => {
      const { body } = await server.get(path)
      return {
        undo: body.includes('value="return"'),
        again: body.includes('Subscribe again'),
        ask: body.includes('write to them'),
      }
    }
    await server.submit(path, { act: 'leave' })
    expect(await ways()).toEqual({ undo: true, again: false, ask: false })
    await sql`insert into suppression (newsletter_id, email_normalised, reason)
      values (${newsletter}, 'ada@example.org', 'bounced')`.execute(server.context.db)
    expect(await ways()).toEqual({ undo: false, again: true, ask: false })
    await sql`update suppression set reason = 'by_hand' where newsletter_id = ${newsletter}`.execute(server.context.db)
    expect(await ways()).toEqual({ undo: false, again: false, ask: true })
    await server.submit(path, { act: 'return' })
    expect(await subscriber()).toMatchObject({ status: 'unsubscribed' })
    expect(await ways()).toEqual({ undo: false, again: false, ask: true })
  })

  test('asks who comes back not again whether they leave, and who said why not why once more', async () => {
    await server.submit(path, { act: 'leave' })
    expect((await server.get(path)).body).toContain('Tell us why')
    await server.submit(path, { act: 'reason', reason: 'tooMany' })
    const told = (await server.get(path)).body
    expect(told).toContain('Thank you, that helps')
    expect(told).not.toContain('Tell us why')
    const back = await server.submit(`${path}?p=7`, { act: 'return' })
    const { body } = await server.get(String(back.headers.location))
    expect(body).toContain('You are subscribed again')
    expect(body).not.toContain('value="leave"')
    expect(body).toContain(`href="${path}?p=7"`)
  })

  test('says of a link that is cut that it did nothing, with the ways out, and the same of every other that opens nothing', async () => {
    const read = async (url: string) => (await server.get(url)).body
    const cut = await read(path.slice(0, -1))
    expect(cut).toContain('This link opens nothing')
    expect(cut).toContain('it has changed nothing')
    expect(cut).toContain(`/subscribe/${newsletter}/me?lang=en`)
    const nobody = `/unsub/${newsletter}/0192c0de-0000-7000-8000-00000000000b`
    expect((await read(nobody)).replaceAll(nobody, '')).toBe(cut.replaceAll(path.slice(0, -1), ''))
    expect((await server.submit(path.slice(0, -1), { 'List-Unsubscribe': 'One-Click' })).statusCode).toBe(200)
    expect(await subscriber()).toMatchObject({ status: 'active' })
    expect(await read('/unsub/nowhere/cut')).toContain('it has changed nothing')
  })

  test('changes the language of what comes, without leaving', async () => {
    const answer = await server.submit(path, { act: 'language', language: 'fr' })
    expect(await subscriber()).toMatchObject({ status: 'active', language: 'fr' })
    const { body } = await server.get(String(answer.headers.location))
    expect(body).toContain('C’est noté. Dates, boutons et messages vous arrivent en français')
    expect(body).toContain('Une pause de 3\u00a0mois')
  })
})

test.each([
  ['2026-01-31', 1, '2026-02-28'],
  ['2028-01-31', 1, '2028-02-29'],
  ['2026-11-30', 3, '2027-02-28'],
  ['2026-11-22', 3, '2027-02-22'],
  ['2026-12-31', 1, '2027-01-31'],
])('%s and %i months is %s', (from, months, to) => {
  expect(monthsLater(new Date(`${from}T23:30:00Z`), months)).toEqual(new Date(`${to}T23:30:00Z`))
})
