import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { translator } from '../translator.ts'
import { Outbox } from './outbox.ts'
import { outboxCommand } from './outbox-command.ts'

let server: TestApp
beforeAll(async () => {
  server = await startTestApp()
})
afterAll(() => server.stop())

async function outbox(...args: string[]): Promise<string> {
  const lines: string[] = []
  const folder = join(server.context.config.dataDir, 'outbox')
  await outboxCommand(new Outbox(folder), args, { t: translator('en'), say: (line) => lines.push(line) })
  return lines.join('\n')
}

test('without a relay the operator finds the link of an owner who signed out before they confirmed their address', async () => {
  const password = 'seven tides at dawn'
  const headers = { origin: server.context.config.publicUrl }
  const post = (url: string, payload: Record<string, string>) =>
    server.inject({
      method: 'POST',
      url: `/api/auth/${url}`,
      payload,
      headers,
    })
  await post('sign-up/email', { name: 'Inès', email: 'ines@lowwater.example', password })
  expect((await post('sign-in/email', { email: 'ines@lowwater.example', password })).json().code).toBe(
    'EMAIL_NOT_VERIFIED',
  )
  await post('sign-in/magic-link', { email: 'ines@lowwater.example', callbackURL: '/arrived' })
  await server.work()
  const token = /arrived\?token=(\w+)/.exec(await outbox('Ines@LowWater.example'))?.[1] ?? ''
  const arrived = await server.inject({
    method: 'POST',
    url: '/api/identity/sign-in-link',
    payload: { token },
    headers,
  })
  expect(arrived.statusCode).toBe(200)
})

test('no address, and one without mail, are said', async () => {
  await expect(outbox()).rejects.toThrow('tirage outbox ADDRESS')
  await expect(outbox('nobody@lowwater.example')).rejects.toThrow('nobody@lowwater.example')
})
