import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'

let house: TestApp
beforeAll(async () => {
  house = await startTestApp()
})
afterAll(() => house?.stop())

test('somebody signs up, is known, and is asked to confirm the address', async () => {
  const ada = await house.signUp({ name: 'Ada', email: 'ada@example.org' })
  const me = await ada.call('GET', '/api/me')
  expect(me.json().user).toMatchObject({ displayName: 'Ada', email: 'ada@example.org', emailVerified: false })
  expect(await house.queuedMail('ada@example.org')).toHaveLength(1)
})
