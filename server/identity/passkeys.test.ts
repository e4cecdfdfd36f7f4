import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { passkeyOrigin } from './passkeys.ts'

let server: TestApp
beforeAll(async () => {
  server = await startTestApp({ env: { PUBLIC_URL: 'http://localhost:3999' } })
})
afterAll(() => server?.stop())

test('passkeys need an address with a name, and https or this very machine', () => {
  const at = (publicUrl: string) => passkeyOrigin({ publicUrl })
  expect(at('https://news.example')).toBe('https://news.example')
  expect(at('http://localhost:3000')).toBe('http://localhost:3000')
  expect([at('http://news.example'), at('https://192.0.2.7'), at('http://127.0.0.1:3000')]).toEqual([null, null, null])
})

test('nobody sees, renames or removes the passkey of somebody else', async () => {
  const ada = await server.signUp()
  const eve = await server.signUp()
  const device = { public_key: 'x', counter: 0, device_type: 'singleDevice', backed_up: false, name: 'Phone' }
  const passkey = { ...device, id: 'of-ada', credential_id: 'credential-of-ada', user_id: ada.userId }
  await server.context.db.insertInto('passkey').values(passkey).execute()
  expect((await eve.call('GET', '/api/me/security')).json().passkeys).toEqual([])
  const renamed = await eve.call('PATCH', '/api/me/passkeys/of-ada', { name: 'Mine now' })
  const removed = await eve.call('DELETE', '/api/me/passkeys/of-ada')
  expect([renamed.statusCode, removed.statusCode]).toEqual([404, 404])
  const { passkeys } = (await ada.call('GET', '/api/me/security')).json()
  expect(passkeys).toMatchObject([{ id: 'of-ada', name: 'Phone', lastUsedAt: null }])
  expect((await ada.call('DELETE', '/api/me/passkeys/of-ada')).statusCode).toBe(200)
})

test('an answer of no passkey, or to no challenge of ours, signs nobody in', async () => {
  const forged = { id: 'x', rawId: 'x', type: 'public-key', response: {}, clientExtensionResults: {} }
  const unasked = await server.stranger('POST', '/api/auth/passkey/verify-authentication', { response: forged })
  expect([unasked.statusCode, unasked.cookies]).toEqual([400, []])
  const options = await server.stranger('GET', '/api/auth/passkey/generate-authenticate-options')
  expect(options.json()).toMatchObject({ rpId: 'localhost' })
  const cookie = options.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ')
  const answer = () =>
    server.inject({
      method: 'POST',
      url: '/api/auth/passkey/verify-authentication',
      headers: { origin: 'http://localhost:3999', cookie },
      payload: { response: forged },
    })
  // The second finds the challenge used up.
  expect([(await answer()).statusCode, (await answer()).statusCode]).toEqual([401, 400])
})
