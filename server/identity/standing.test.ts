import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'

let server: TestApp
beforeAll(async () => {
  server = await startTestApp()
})
afterAll(() => server?.stop())

const newsletter = { name: 'Low Water', language: 'en', timezone: 'Europe/Paris', currency: 'eur' }

test('a guest who asks for twenty newsletters at once gets three, and reads how to have more', async () => {
  const guest = await server.tryFirst()
  const begin = () => guest.call('POST', '/api/newsletters', newsletter)
  const answers = await Promise.all(Array.from({ length: 20 }, begin))
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(3)
  const refused = answers.filter(({ statusCode }) => statusCode !== 200).map((answer) => answer.json().error)
  expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['too_many_newsletters']))
  expect(refused[0].message).toMatch(
    /^You can own 3 newsletters here.* Give this account an email address and confirm it/,
  )
})
