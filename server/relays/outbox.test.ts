import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Outbox } from './outbox.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tirage-outbox-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const source = (number: number) =>
  Buffer.from(`From: A <a@x.test>\r\nTo: b@x.test\r\nSubject: =?utf-8?Q?=C3=89t=C3=A9_${number}?=\r\n\r\nbody\r\n`)
const envelope = { from: 'a@x.test', to: ['b@x.test'] }

test('the newest are kept and nothing else, in memory and in the folder', async () => {
  const outbox = new Outbox(folder, { limit: 20 })
  for (let number = 0; number < 50; number += 1) await outbox.keep(source(number), envelope)
  const list = await outbox.list()
  expect(list).toHaveLength(20)
  expect(readdirSync(folder)).toHaveLength(40)
  expect(list.map(({ subject }) => subject)).toContain('Été 49')
  expect(list.map(({ subject }) => subject)).not.toContain('Été 29')
})

test('what one process catches another can read, also after a restart', async () => {
  const one = new Outbox(folder)
  const other = new Outbox(folder)
  await other.list()
  const { id } = await one.keep(source(1), envelope)
  expect(await other.list()).toMatchObject([{ id, subject: 'Été 1', from: 'A <a@x.test>' }])
  expect((await new Outbox(folder).read(id))?.source.toString()).toContain('body')
})

test('who watches the folder never finds a half of a mail', async () => {
  const outbox = new Outbox(folder)
  const large = Buffer.concat([source(1), Buffer.alloc(1_000_000, 'a')])
  const sizes = new Set<number>()
  const progress = { ended: false }
  const catching = Promise.all(Array.from({ length: 20 }, () => outbox.keep(large, envelope))).finally(() => {
    progress.ended = true
  })
  while (!progress.ended) {
    for (const name of readdirSync(folder).filter((name) => name.endsWith('.eml')))
      sizes.add(statSync(join(folder, name)).size)
    await new Promise(setImmediate)
  }
  await catching
  expect([...sizes]).toEqual([large.length])
})

test('what a killed process left half written goes away, and what another is writing stays', async () => {
  for (const name of ['old.eml.part', 'young.eml.part']) writeFileSync(join(folder, name), 'From: a')
  const longAgo = Date.now() / 1000 - 7200
  utimesSync(join(folder, 'old.eml.part'), longAgo, longAgo)
  await new Outbox(folder).list()
  expect(readdirSync(folder)).toEqual(['young.eml.part'])
})

test('an id is never a path', async () => {
  expect(await new Outbox(folder).read('../../etc/passwd')).toBeNull()
})

test('ten thousand at once leave a thousand files, and the list is there in a moment', {
  timeout: 60_000,
}, async () => {
  const outbox = new Outbox(folder)
  const numbers = Array.from({ length: 10_000 }, (_, number) => number).values()
  const catchNext = async () => {
    for (const number of numbers) await outbox.keep(source(number), envelope)
  }
  await Promise.all(Array.from({ length: 10 }, catchNext))
  const begun = performance.now()
  const list = await outbox.list()
  expect(performance.now() - begun).toBeLessThan(1_000)
  expect(list).toHaveLength(1_000)
  expect(readdirSync(folder)).toHaveLength(2_000)
  const afresh = performance.now()
  expect(await new Outbox(folder).list()).toHaveLength(1_000)
  expect(performance.now() - afresh).toBeLessThan(2_000)
})
