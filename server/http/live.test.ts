import { EventEmitter } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Listener } from '../database/listener.ts'
import { type Session, startTestApp, type TestApp } from '../testing/app.ts'
import { LiveEvents } from './live.ts'

let server: TestApp
let id: string
beforeAll(async () => {
  server = await startTestApp({ listen: true })
  id = await server.createNewsletter(await server.signUp())
})
afterAll(() => server?.stop())

/** Reads a stream until the server ends it. */
async function follow(as: Pick<Session, 'cookie'> | { authorization: string }) {
  const headers = 'cookie' in as ? { cookie: as.cookie } : as
  const answer = await fetch(`${server.url}/api/newsletters/${id}/live`, { headers })
  const reader = answer.body?.getReader()
  const next = async () => {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    return done ? 'ended' : new TextDecoder().decode(value)
  }
  expect(await next()).toContain('retry')
  return next
}

test('a stream stays open for a member, and ends at once for one who is removed', async () => {
  const stays = await follow(await server.asMember(id, 'analyst'))
  const removed = await server.asMember(id, 'editor')
  const leaves = await follow(removed)
  const owner = await server.asMember(id, 'owner')
  expect((await owner.call('DELETE', `/api/newsletters/${id}/members/${removed.userId}`)).statusCode).toBe(200)
  await expectTheEnd(leaves)
  await expectToHear(stays, 'event: beat\ndata: still here\n\n')
})

test('a stream has the security headers of every answer', async () => {
  const { cookie } = await server.asMember(id, 'analyst')
  const left = new AbortController()
  const answer = await fetch(`${server.url}/api/newsletters/${id}/live`, { headers: { cookie }, signal: left.signal })
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
  })
  left.abort()
})

test('signing out ends the streams of that session', async () => {
  const stays = await follow(await server.asMember(id, 'analyst'))
  const person = await server.asMember(id, 'editor')
  const next = await follow(person)
  expect((await person.call('POST', '/api/auth/sign-out', {})).statusCode).toBe(200)
  await expectTheEnd(next)
  await expectToHear(stays, 'event: beat')
})

test('a session that runs out has no streams after the next check', async () => {
  const person = await server.asMember(id, 'editor')
  const next = await follow(person)
  await server.context.db
    .updateTable('session')
    .set({ expires_at: new Date(0) })
    .where('user_id', '=', person.userId)
    .execute()
  await server.context.live.endRemoved()
  await expectTheEnd(next)
})

test('a deleted API key hears nothing more', async () => {
  const owner = await server.asMember(id, 'owner')
  const made = await owner.call('POST', `/api/newsletters/${id}/api-keys`, { name: 'Screen', role: 'analyst' })
  const { id: keyId, secret } = made.json<{ id: string; secret: string }>()
  const next = await follow({ authorization: `Bearer ${secret}` })
  expect((await owner.call('DELETE', `/api/newsletters/${id}/api-keys/${keyId}`)).statusCode).toBe(200)
  await expectTheEnd(next)
})

test('every second a stream has its beat, also while the database does not say who may stay', () => {
  vi.useFakeTimers()
  const live = new LiveEvents({ on: () => {}, onLost: () => {} } as unknown as Listener)
  let heard = ''
  const raw = {
    setHeader: () => {},
    writeHead: () => raw,
    write: (text: string) => (heard += text),
    writableLength: 0,
    end: () => {},
  }
  const reply = { hijack: () => {}, headers: () => ({ getHeaders: () => ({}) }), raw } as unknown as FastifyReply
  const asked = vi.fn(() => new Promise<boolean>(() => {}))
  live.stream('low', { caller: null, raw: new EventEmitter(), mayStay: asked } as unknown as FastifyRequest, reply)
  vi.advanceTimersByTime(60_000)
  live.stop()
  vi.useRealTimers()
  expect(asked).toHaveBeenCalled()
  expect(heard.split('event: beat').length - 1).toBe(60)
})

/** Beats may come before it. */
async function expectTheEnd(next: () => Promise<string>) {
  let heard = ''
  while (heard !== 'ended') heard = await next()
}

/** Reads what comes until it has these words. */
async function expectToHear(next: () => Promise<string>, words: string) {
  let heard = ''
  while (!heard.includes(words)) {
    const more = await next()
    if (more === 'ended') throw new Error(`the stream ended before it said ${words}`)
    heard += more
  }
}

describe('a stream tells of', () => {
  const changed = (kind: string) => `event: changed\ndata: ${kind}\n`

  test('whoever asks to subscribe, who is a figure of the dashboard', async () => {
    const owner = await server.asMember(id, 'owner')
    await server.confirm(owner)
    const next = await follow(owner)
    const asked = await owner.call('POST', `/api/newsletters/${id}/subscribers`, { email: 'maud@harbour.example' })
    expect(asked.json()).toMatchObject({ status: 'pending' })
    await expectToHear(next, changed('subscribers'))
  })

  test('a deleted publication', async () => {
    const owner = await server.asMember(id, 'owner')
    const made = await owner.call('POST', `/api/newsletters/${id}/publications`, { title: 'Gone soon' })
    const next = await follow(owner)
    await owner.call('DELETE', `/api/newsletters/${id}/publications/${made.json<{ id: string }>().id}`)
    await expectToHear(next, changed('publications'))
  })

  test('a publication that was taken off the web, and of one that is back', async () => {
    const owner = await server.asMember(id, 'owner')
    const at = `/api/newsletters/${id}/publications`
    const content = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Ebb.' }] }] }
    const made = (await owner.call('POST', at, { title: 'A mistake', content })).json<{ id: string }>()
    await owner.call('PATCH', `/api/newsletters/${id}`, { takeBackSeconds: 0 })
    const sent = await owner.call('POST', `${at}/${made.id}/send`, { channel: 'web' })
    expect(sent.json(), sent.body).toMatchObject({ status: 'sent' })
    for (const act of ['take-off-web', 'put-back-on-web']) {
      const next = await follow(owner)
      expect((await owner.call('POST', `${at}/${made.id}/${act}`, {})).statusCode).toBe(200)
      await expectToHear(next, changed('publications'))
    }
  })

  test('a link that was made', async () => {
    const owner = await server.asMember(id, 'owner')
    const next = await follow(owner)
    const made = await owner.call('POST', `/api/newsletters/${id}/links`, { target: 'https://harbour.example/tides' })
    expect(made.statusCode, made.body).toBe(200)
    await expectToHear(next, changed('clicks'))
  })

  test('caught mail, of the newsletter and of the server itself', async () => {
    const next = await follow(await server.asMember(id, 'analyst'))
    const envelope = { from: 'a@b.example', to: ['c@d.example'] }
    await server.context.relays.outbox.keep(Buffer.from(`X-Tirage-Newsletter: ${id}\r\n\r\nLow water`), envelope)
    await expectToHear(next, changed('outbox'))
    await server.context.relays.outbox.keep(Buffer.from('Subject: Sign in\r\n\r\nLow water'), envelope)
    await expectToHear(next, changed('outbox'))
  })
})

test('streams end when the server may have missed changes, so that browsers read again what they show', async () => {
  const person = await server.asMember(id, 'analyst')
  const next = await follow(person)
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'listen %' and pid <> pg_backend_pid()`.execute(server.context.db)
  let heard = ''
  while (heard !== 'ended') heard = await next()
  await expect
    .poll(
      async () => {
        const left = new AbortController()
        const url = `${server.url}/api/newsletters/${id}/live`
        const { status } = await fetch(url, { headers: { cookie: person.cookie }, signal: left.signal })
        left.abort()
        return status
      },
      { timeout: 10_000 },
    )
    .toBe(200)
})
