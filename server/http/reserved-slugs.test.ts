import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Session, startTestApp, type TestApp } from '../testing/app.ts'
import { isReserved } from './reserved-slugs.ts'

test.each([
  'login',
  'Log-In',
  'l0gin',
  '1ogin',
  'log_in',
  'signin',
  'SIGN-IN',
  's1gn1n',
  'password-reset',
  'passw0rd',
  'pa55word',
  'verify',
  'verlfy',
  'account',
  'acc0unt',
  'adrnin',
  'admin-2',
  'admin2',
  'bi11ing',
  'secur1ty',
  'support',
  'supp0rt',
  '2fa',
  'connexion',
  'c0nnexion',
  'mot-de-passe',
  'mot-de-passe-oublie',
  'mon-compte',
  'securite',
  'se-connecter',
  'paiement',
  'dashboard',
  'settings',
])('%s looks like ours', (slug) => expect(isReserved(slug)).toBe(true))

test.each([
  'low-tide',
  'spring-sale',
  'login-stories',
  'the-accountant',
  'marees',
  '2026',
  'a',
  'supporters',
  'harbour-2',
  'quart-d-heure',
])('%s does not', (slug) => expect(isReserved(slug)).toBe(false))

describe('an address that looks like ours', () => {
  let server: TestApp
  let owner: Session
  let path: string
  beforeAll(async () => {
    server = await startTestApp()
    owner = await server.signUp()
    path = `/api/newsletters/${await server.createNewsletter(owner)}`
  })
  afterAll(() => server?.stop())

  test('is refused for a short link, a newsletter and a publication, with a sentence', async () => {
    const draft = (await owner.call('POST', `${path}/publications`, { title: 'Security' })).json()
    for (const answer of [
      await owner.call('POST', `${path}/links`, { target: 'https://example.org/', slug: 'passw0rd_reset' }),
      await owner.call('PATCH', path, { handle: 'l0gin' }),
      await owner.call('PATCH', `${path}/publications/${draft.id}`, { revision: draft.revision, slug: 'verify' }),
    ]) {
      expect([answer.statusCode, answer.json().error.code]).toEqual([422, 'slug_reserved'])
      expect(answer.json().error.message).toContain('Choose another one.')
    }
  })

  test('that was there before keeps working, also when its other settings are saved', async () => {
    const { db } = server.context
    await db
      .updateTable('newsletter')
      .set({ handle: 'support' })
      .where('id', '=', path.split('/')[3] ?? '')
      .execute()
    expect((await owner.call('PATCH', path, { handle: 'support', description: 'x' })).statusCode).toBe(200)
    expect((await server.stranger('GET', '/n/support')).statusCode).toBe(200)
  })

  test('is not made of a title', async () => {
    const content = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Tides.' }] }] }
    const draft = (await owner.call('POST', `${path}/publications`, { title: 'Login', content })).json()
    const sent = await owner.call('POST', `${path}/publications/${draft.id}/send`, { channel: 'web' })
    expect(sent.json().url).toMatch(/\/on-login$/)
  })
})
