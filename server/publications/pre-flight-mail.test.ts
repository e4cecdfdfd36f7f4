import PostalMime from 'postal-mime'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { paragraph, startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { type RecordingRelay, startRecordingRelay } from '../testing/recording-relay.ts'
import { checkPublication } from './contract.ts'

let server: TestNewsletter
let relay: RecordingRelay
beforeAll(async () => {
  relay = await startRecordingRelay()
  server = await startTestNewsletter({ SMTP_URL: relay.url, PRIVATE_RELAYS: 'true' })
})
afterAll(async () => {
  await server?.stop()
  await relay?.stop()
})

async function written(...content: unknown[]): Promise<string> {
  return (await server.draft({ content: { type: 'doc', content } })).id
}

async function checked(id: string) {
  const answer = await server.owner.call('GET', `${server.path}/publications/${id}/check`)
  expect(answer.statusCode, answer.body).toBe(200)
  return z.parse(checkPublication.reply, answer.json())
}

const problemIn = ({ problems }: z.output<typeof checkPublication.reply>, code: string) =>
  problems.find((problem) => problem.code === code)

const table = (rows: number) => ({
  type: 'table',
  content: Array.from({ length: rows }, (_, row) => ({
    type: 'tableRow',
    content: [1, 2].map((cell) => ({ type: 'tableCell', content: [paragraph(`Low water ${row} ${cell}`)] })),
  })),
})

test('the size is that of the mail which is sent, and a long one says what takes most of it', async () => {
  const content = [paragraph('Twice a day.'), ...Array.from({ length: 40 }, (_, n) => link(`https://example.org/${n}`))]
  const id = await written(...content)
  const { mail } = await checked(id)
  expect(mail.parts).toEqual([])
  await server.addSubscribers(['reader@example.org'])
  await server.send(id)
  await server.work()
  const sent = relay.received.find(({ to }) => to.includes('reader@example.org'))
  const real = Buffer.byteLength((await PostalMime.parse(sent?.raw ?? '')).html ?? '')
  expect(Math.abs(mail.bytes - real)).toBeLessThan(real / 100)

  const long = await checked(await written(paragraph('Twice a day. '.repeat(800)), table(400)))
  expect(long.mail.bytes).toBeGreaterThan(102 * 1024)
  expect(problemIn(long, 'too_long_for_gmail')).toMatchObject({ blocks: false, count: long.mail.bytes })
  expect(long.mail.parts.map(({ part }) => part)).toEqual(['tables', 'text', 'frame'])
})

test('colours that are hard to read are told with their ratio, and those that are not are not', async () => {
  const coloured = (text: string, attrs: Record<string, unknown>, type = 'paragraph') => ({
    ...{ type, ...(type === 'heading' && { attrs: { level: 1 } }) },
    content: [{ type: 'text', text, marks: [{ type: 'textStyle', attrs }] }],
  })
  const found = await checked(
    await written(
      coloured('Pale words', { color: '#bbbbbb' }),
      coloured('More of them', { color: '#bbbbbb' }),
      coloured('Dark enough', { color: '#595959' }),
      coloured('Black on red', { color: '#000000', backgroundColor: '#880000' }),
      coloured('Only a ground', { backgroundColor: '#222222' }),
      coloured('A large title', { color: '#888888' }, 'heading'),
    ),
  )
  expect(found.lowContrasts).toEqual([
    { words: 'Pale words', color: '#bbbbbb', ground: '#ffffff', ratio: 1.91, needed: 4.5 },
    { words: 'Black on red', color: '#000000', ground: '#880000', ratio: 2.04, needed: 4.5 },
  ])
  expect(problemIn(found, 'low_contrast')).toEqual({ code: 'low_contrast', blocks: false, count: 2 })
})

test('links whose words say nothing are told with their addresses, and block nothing', async () => {
  const named = (text: string, href: string) => ({
    type: 'paragraph',
    content: [{ type: 'text', text, marks: [{ type: 'link', attrs: { href } }] }],
  })
  const button = { type: 'button', attrs: { label: 'Read more', href: 'https://example.org/tides', align: 'left' } }
  const found = await checked(
    await written(named('ici', 'https://example.org/port'), named('the harbour', 'https://example.org/port'), button),
  )
  expect(found.vagueLinks).toEqual([
    { words: 'ici', address: 'https://example.org/port' },
    { words: 'Read more', address: 'https://example.org/tides' },
  ])
  expect(problemIn(found, 'vague_links')).toEqual({ code: 'vague_links', blocks: false, count: 2 })
  const clear = await checked(await written(named('the harbour', 'https://example.org/port')))
  expect(clear.vagueLinks).toEqual([])
  expect(problemIn(clear, 'vague_links')).toBeUndefined()
})

test('a button without an address is told, because neither the mail nor the page shows it', async () => {
  const button = (href: string) => ({ type: 'button', attrs: { label: 'Order bread', href, align: 'left' } })
  const found = await checked(await written(paragraph('Come in.'), button('https://example.org/order'), button('')))
  expect(problemIn(found, 'button_without_address')).toEqual({
    code: 'button_without_address',
    blocks: false,
    count: 1,
  })
  const clear = await checked(await written(paragraph('Come in.'), button('https://example.org/order')))
  expect(problemIn(clear, 'button_without_address')).toBeUndefined()
})

test('a note without words is told, because nobody will see it', async () => {
  const noted = (...note: object[]) => ({ type: 'paragraph', content: [{ type: 'footnote', attrs: { note } }] })
  const found = await checked(await written(paragraph('Come in.'), noted(), noted({ type: 'text', text: 'n' })))
  expect(problemIn(found, 'empty_note')).toEqual({ code: 'empty_note', blocks: false, count: 1 })
})

test('a text in another language than it says is told, until its language is set', async () => {
  const french =
    'La marée vient deux fois par jour, et l’eau est froide. Il faut regarder la pendule, et pas la mer dans le port.'
  const { id, revision } = await server.draft({ content: { type: 'doc', content: [paragraph(french)] } })
  const found = await checked(id)
  expect(found.writtenIn).toBe('fr')
  expect(problemIn(found, 'other_language')).toEqual({ code: 'other_language', blocks: false, count: null })
  const path = `${server.path}/publications/${id}`
  const changed = await server.owner.call('PATCH', path, { revision, language: 'fr' })
  expect(changed.statusCode, changed.body).toBe(200)
  const clear = await checked(id)
  expect(clear.writtenIn).toBe(null)
  expect(problemIn(clear, 'other_language')).toBeUndefined()
})

test('how long sending takes follows from what the relays may carry', async () => {
  const id = await written(paragraph('Twice a day.'))
  expect((await checked(id)).sendingSeconds).toBe(null)
  await server.addSubscribers(Array.from({ length: 99 }, (_, n) => `waits${n}@example.org`))
  const way = { kind: 'smtp', host: '127.0.0.1', port: 2525, security: 'none', username: null }
  const added = await server.owner.call('POST', `${server.path}/relays`, { name: 'Slow', way, perHour: 50 })
  expect(added.statusCode, added.body).toBe(200)
  const { sendingSeconds, audience } = await checked(id)
  expect(audience.receive).toBe(100)
  // 45 at once, for a tenth of the limit is for more urgent mail; the others at 45 an hour.
  expect(sendingSeconds).toBe(Math.ceil((55 / 45) * 3_600))
})

const link = (href: string) => ({
  type: 'paragraph',
  content: [{ type: 'text', text: 'there', marks: [{ type: 'link', attrs: { href } }] }],
})
