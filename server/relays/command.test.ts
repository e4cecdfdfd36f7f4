import { afterAll, beforeAll, expect, test } from 'vitest'
import { examine } from '../doctor.ts'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { translator } from '../translator.ts'
import { relaysCommand } from './command.ts'

let room: TestNewsletter
beforeAll(async () => {
  room = await startTestNewsletter()
})
afterAll(() => room.stop())

const t = translator('en')

async function relays(...args: string[]): Promise<string> {
  const lines: string[] = []
  await relaysCommand(room.context, args, { t, say: (line) => lines.push(line) })
  return lines.join('\n')
}

const doctorOn = async (about: string) => {
  const { config, pool } = room.context
  const findings = await examine({ DATA_DIR: config.dataDir, DATABASE_URL: pool.options.connectionString }, t)
  return findings.filter((finding) => finding.about === about)
}

test('the operator adds, limits, switches off and removes relays of the whole server', async () => {
  expect(await relays()).toContain('no relays')
  expect(await doctorOn('mail')).toMatchObject([{ state: 'note' }])
  const added = await relays('add', 'Beside us', 'smtp://127.0.0.1:2525', '--weight', '3', '--per-second', '20')
  expect(added).toMatch(/^ {2}\w{10} {2}Beside us \(127\.0\.0\.1\), weight 3, 20 a second$/)
  room.context.relays.forget()
  expect(await room.context.relays.caught(room.newsletterId)).toBe(false)
  expect(await doctorOn('mail')).toMatchObject([{ state: 'set', finding: expect.stringContaining('1 relay') }])

  const id = /\w{10}/.exec(added)?.[0] ?? ''
  const changed = await relays('set', id, '--per-second', 'none', '--warm-up', 'on', '--enabled', 'off')
  expect(changed).toContain('weight 3, warming up, switched off')
  expect(await relays('domain', 'Orange.fr', '--per-hour', '500')).toContain('orange.fr, 500 an hour')
  expect(await relays('domain', 'orange.fr')).not.toContain('orange.fr')
  expect(await relays('remove', id)).toContain('no relays')
})

test('what cannot be is said', async () => {
  await expect(relays('add', 'x', 'https://example.org')).rejects.toThrow(/way/)
  await expect(relays('add', 'x', 'smtp://mail.x.test', '--weight', 'much')).rejects.toThrow(/weight/)
  await expect(relays('add', 'x', 'postmark://')).rejects.toThrow()
  await expect(relays('remove', 'nobody')).rejects.toThrow('There is no such relay')
  await expect(relays('explode')).rejects.toThrow(/relays explode/)
})

test('an owner’s relay is not the operator’s to see or to remove', async () => {
  const way = { kind: 'postmark', messageStream: 'broadcast' }
  const made = await room.owner.call('POST', `${room.path}/relays`, { name: 'Theirs', way, secret: 's' })
  const { id } = made.json()
  expect(await relays()).not.toContain('Theirs')
  await expect(relays('remove', id)).rejects.toThrow('There is no such relay')
  await room.context.db
    .updateTable('relay')
    .set({ resting_until: new Date(Date.now() + 60_000), last_answer: '535 no' })
    .where('id', '=', id)
    .execute()
  expect(await doctorOn('relays')).toMatchObject([{ state: 'set' }, { state: 'bad', finding: 'Theirs rests: 535 no' }])
})
