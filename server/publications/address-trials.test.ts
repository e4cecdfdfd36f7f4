import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { AddressTrials } from './address-trials.ts'

let server: TestApp
let site: Server
let port: number
let asked = 0
/** Requests to one name at the same time, at most. */
let together = 0

beforeAll(async () => {
  const open = new Map<string, number>()
  site = createServer(({ headers: { host = '' } }, response) => {
    asked += 1
    const now = (open.get(host) ?? 0) + 1
    open.set(host, now)
    together = Math.max(together, now)
    setImmediate(() => {
      open.set(host, now - 1)
      response.end()
    })
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  port = (site.address() as AddressInfo).port
  server = await startTestApp()
})
afterAll(async () => {
  await server?.stop()
  site?.close()
})

test('however many names it has and whoever asks, one server is asked a limited number of times', async () => {
  const outside = { resolve: async () => [{ address: '127.0.0.1', family: 4 }], ports: new Set([port]) }
  // Each process has its own, as two newsletters would: they count together.
  const [one, other] = [new AddressTrials(server.context, outside), new AddressTrials(server.context, outside)]
  const addresses = Array.from({ length: 150 }, (_, n) => `http://name${n % 50}.example:${port}/${n}`)
  const first = await one.tryAll(addresses)
  expect(new Set([...first.values()].map(({ answer }) => answer))).toEqual(new Set(['fine']))
  const second = await other.tryAll(addresses)
  expect([...second.values()].filter(({ answer }) => answer === 'not_tried')).toHaveLength(100)
  expect([asked, together]).toEqual([200, 1])
})
