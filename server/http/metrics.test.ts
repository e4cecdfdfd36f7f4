import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'

const TOKEN = 'a token for the operator'
let server: TestApp
beforeAll(async () => {
  server = await startTestApp({ env: { METRICS_TOKEN: TOKEN } })
})
afterAll(() => server?.stop())

const ask = (authorization?: string) =>
  server.inject({ url: '/metrics', headers: authorization === undefined ? {} : { authorization } })

test('the operator sees the process, answers by route, clicks, deliveries and the queue', async () => {
  await server.stranger('GET', '/r/secret-of-somebody')
  await server.signUp()
  const answer = await ask(`Bearer ${TOKEN}`)
  expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'no-store'])
  for (const figure of [
    /^process_resident_memory_bytes \d+/m,
    /^http_request_duration_seconds_count\{method="GET",route="\/r\/:shortLinkId",status="404"\} 1$/m,
    /^tirage_clicks_dropped_total 0$/m,
    /^tirage_clicks_waiting 0$/m,
    /^tirage_deliveries\{state="accepted"\} 0$/m,
    /^tirage_jobs\{kind="send_mail"\} 1$/m,
  ])
    expect(answer.body).toMatch(figure)
  expect(answer.body).not.toContain('secret-of-somebody')
})

test('nobody else sees them', async () => {
  for (const given of [undefined, '', 'Bearer', 'Bearer x', TOKEN]) expect((await ask(given)).statusCode).toBe(401)
  const other = await startTestApp()
  expect((await other.inject({ url: '/metrics', headers: { authorization: 'Bearer null' } })).statusCode).toBe(404)
  await other.stop()
})
