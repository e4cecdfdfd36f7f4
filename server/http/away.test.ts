import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { uuidv7 } from '../database/ids.ts'
import { whileAway } from '../testing/database.ts'
import { type PublicSite, startPublicSite } from '../testing/public-site.ts'

let server: PublicSite
let id: string
const html = { accept: 'text/html,application/xhtml+xml' }
const french = { ...html, 'accept-language': 'fr-FR' }

beforeAll(async () => {
  server = await startPublicSite()
  id = await server.addNewsletter()
})
afterAll(() => server?.stop())

const whileDatabaseIsAway = (during: () => Promise<void>) => whileAway(server.context.config.databaseUrl ?? '', during)

describe('while the database is away', () => {
  test('a form that could not be stored says so, and what was typed is still there', async () => {
    // From now on the newsletter is in memory.
    await server.get(`/subscribe/${id}`)
    await whileDatabaseIsAway(async () => {
      const form = { email: 'ada@example.org', language: 'en', consent: 'yes' }
      const kept = await server.submit(`/subscribe/${id}`, form, { headers: html })
      expect([kept.statusCode, kept.headers['retry-after']]).toEqual([503, '30'])
      expect(kept.body).toContain('value="ada@example.org"')
      expect(kept.body).toContain('nothing was stored')
      const unknown = await server.submit('/subscribe/other', form, { headers: html })
      expect(unknown.statusCode).toBe(503)
      expect(unknown.body).toContain('nothing was stored')
    })
    const again = await server.submit(`/subscribe/${id}`, { email: 'ada@example.org', language: 'en', consent: 'yes' })
    expect(again.statusCode).toBe(303)
  })

  test('public pages answer with a page in the visitor’s language that says when to come back', () =>
    whileDatabaseIsAway(async () => {
      const paths = [
        '/subscribe/other',
        '/n/other',
        '/n/other/low-tide',
        '/n/other/feed.xml',
        `/unsub/other/${uuidv7()}`,
      ]
      for (const path of paths) {
        const answer = await server.get(path, french)
        expect([path, answer.statusCode, answer.headers['content-type']]).toEqual([
          path,
          503,
          'text/html; charset=utf-8',
        ])
        expect(answer.headers['retry-after']).toBe('30')
        expect(answer.headers['cache-control']).toBe('no-store')
        expect(answer.body).toContain('<html lang="fr">')
        expect(answer.body).toContain('Un instant, s’il vous plaît')
      }
    }))

  test('one-click unsubscribe gets a plain answer, so that the mail provider tries again', () =>
    whileDatabaseIsAway(async () => {
      const answer = await server.submit(`/unsub/other/${uuidv7()}`, { 'List-Unsubscribe': 'One-Click' })
      expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '30'])
      expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
    }))

  test('the API answers with an error in its own shape', async () => {
    const payload = { name: 'Ada', email: 'ada@example.org', password: 'correct horse battery' }
    const signUp = await server.app.inject({ method: 'POST', url: '/api/auth/sign-up/email', payload })
    const cookie = signUp.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ')
    await whileDatabaseIsAway(async () => {
      for (const headers of [{ cookie }, { authorization: `Bearer tir_${'x'.repeat(40)}` }]) {
        const answer = await server.get('/api/newsletters', headers)
        expect([answer.statusCode, answer.json().error.code, answer.headers['retry-after']]).toEqual([
          503,
          'database_away',
          '30',
        ])
      }
    })
  })
})

test('an unknown address answers browsers with a friendly page and programs with a sentence', async () => {
  for (const path of ['/n/nothing', '/subscribe/nothing', '/media/nothing', '/assets/page/nothing']) {
    const answer = await server.get(path, french)
    expect([path, answer.statusCode, answer.headers['content-type']]).toEqual([path, 404, 'text/html; charset=utf-8'])
    expect(answer.body).toContain('<html lang="fr">')
  }
  const plain = await server.get('/nothing')
  expect([plain.statusCode, plain.headers['content-type']]).toEqual([404, 'text/plain; charset=utf-8'])
  const api = await server.get('/api/nothing', html)
  expect(api.json().error.code).toBe('not_found')
})
