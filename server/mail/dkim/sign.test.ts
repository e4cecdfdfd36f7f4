import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { dkimVerify } from 'mailauth/lib/dkim/verify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { activateKey, listKeys } from '../../domains/dkim-keys.ts'
import { publicKeyText, recordName, recordText } from '../../domains/dkim-record.ts'
import { makeKeys } from '../../domains/make-dkim-keys.ts'
import type { NewsletterRow } from '../../http/scope.ts'
import { findNewsletter } from '../../newsletters/membership.ts'
import { findRenderable } from '../../publications/queries.ts'
import { compile, type Recipient } from '../../sending/compile.ts'
import { expectSound } from '../../testing/mail-parsers.ts'
import { startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { type RecordingRelay, startRecordingRelay } from '../../testing/recording-relay.ts'
import { mailAddress, wireText } from '../mime/address.ts'
import { CompiledMail } from '../mime/compiled-mail.ts'
import { dateTime, type Field, mailbox, words } from '../mime/fields.ts'
import { mailBody } from '../mime/mail-body.ts'
import { Placeholders } from '../mime/segments.ts'
import type { SigningKey } from './signing-key.ts'

const keyOf = (algorithm: SigningKey['algorithm']): SigningKey => ({
  domain: 'lowwater.test',
  selector: algorithm.slice(0, 3),
  algorithm,
  privateKey:
    algorithm === 'rsa-sha256'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
      : generateKeyPairSync('ed25519').privateKey,
})
const rsa = keyOf('rsa-sha256')
const ed25519 = keyOf('ed25519-sha256')

const publicText = ({ algorithm, privateKey }: SigningKey): string =>
  publicKeyText(algorithm, createPublicKey(privateKey).export({ type: 'spki', format: 'der' }))

/** The DNS records of these keys, by name. */
const recordsOf = (keys: SigningKey[]) =>
  new Map(keys.map((key) => [recordName(key), recordText({ ...key, publicKey: publicText(key) })]))

interface Verdict {
  algorithm: string
  result: string
  aligned: unknown
}

/** The verdict on each signature by mailauth, whose code is independent of ours. */
async function verdictsOn(raw: Buffer | string, records: Map<string, string>): Promise<Verdict[]> {
  const resolver = async (name: string) => {
    const record = records.get(name)
    if (record === undefined) throw Object.assign(new Error(name), { code: 'ENOTFOUND' })
    return [[record.slice(0, 200), record.slice(200)]]
  }
  const { results } = await dkimVerify(raw, { resolver } as Parameters<typeof dkimVerify>[1])
  return (results as unknown as { algo: string; status: { result: string; aligned: unknown } }[]).map(
    ({ algo, status: { result, aligned } }) => ({ algorithm: algo, result, aligned }),
  )
}

const results = async (raw: Buffer | string, keys: SigningKey[]) =>
  (await verdictsOn(raw, recordsOf(keys))).map(({ algorithm, result }) => `${algorithm} ${result}`)

const text = fc.string({ unit: 'grapheme', maxLength: 80 }).map((written) => written.toWellFormed())
const address = fc.oneof(fc.emailAddress(), fc.constantFrom('inès@example.org', 'ada@café.example'))
const someFields: fc.Arbitrary<Field[]> = fc
  .record({ sender: text, subject: text, to: address, list: text })
  .chain(({ sender, subject, to, list }) =>
    fc
      .shuffledSubarray<Field>(
        [
          ['To', wireText(mailAddress(to))],
          ['Subject', words('Subject', subject)],
          ['Date', dateTime(new Date())],
          ['Message-ID', '<a.b@lowwater.test>'],
          ['List-Id', mailbox('List-Id', list, 'x.lowwater.test')],
          ['List-Unsubscribe', '<https://example.org/unsub>,\r\n\t  <mailto:leave@example.org>'],
          ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'],
          ['Feedback-ID', 'a:b:c:d'],
          ['X-Other', '  two  \r\n   lines '],
          ['Reply-To', mailbox('Reply-To', sender, 'answers@lowwater.test')],
        ],
        { minLength: 1 },
      )
      .map((fields): Field[] => [['From', mailbox('From', sender, 'ines@lowwater.test')], ...fields]),
  )
const messages = fc.record({ fields: someFields, text, html: text })

test.each([
  ['RSA', [rsa], 100],
  ['Ed25519', [ed25519], 100],
  ['both', [rsa, ed25519], 40],
])('receivers find the signature of any message valid: %s', { timeout: 60_000 }, async (_name, keys, numRuns) => {
  await fc.assert(
    fc.asyncProperty(messages, async (message) => {
      const placeholders = new Placeholders()
      const { fields, ...words } = message
      const body = mailBody(words, placeholders.marks)
      const compiled = new CompiledMail(placeholders, { fields, body }, { keys, at: new Date() })
      const raw = await compiled.rawFor(null)
      expect(await results(raw, keys)).toEqual(keys.map(({ algorithm }) => `${algorithm} pass`))
    }),
    { numRuns },
  )
})

let room: TestNewsletter
let relay: RecordingRelay
let newsletter: NewsletterRow
let records: Map<string, string>
let raw: Buffer
const ada: Recipient = {
  subscriberId: '018f0000-0000-7000-8000-000000000001',
  email: 'ada@example.org',
  name: 'Ada',
  language: 'fr',
}

beforeAll(async () => {
  relay = await startRecordingRelay()
  room = await startTestNewsletter({ SMTP_URL: relay.url })
  const { context, newsletterId } = room
  await makeKeys(context, newsletterId, 'lowwater.test')
  const keys = await listKeys(context.db, newsletterId)
  for (const { id } of keys) await activateKey(context.db, { newsletterId, keyId: id, now: new Date() })
  records = new Map(keys.map((key) => [recordName(key), recordText({ ...key, publicKey: key.public_key })]))
  newsletter = (await findNewsletter(context.db, newsletterId)) as NewsletterRow
  const { id } = await room.draft({ title: 'L’été à la mer' })
  const publication = await findRenderable(context.db, newsletterId, id)
  raw = (await (await compile(context, newsletter, publication)).messageFor(ada)).raw
})
afterAll(async () => {
  await room.stop()
  await relay.stop()
})

const verdicts = async (message: Buffer | string) => (await verdictsOn(message, records)).map(({ result }) => result)

test('a publication is sent with a signature of each key, aligned with its sender, over all fields that mail programs act on', async () => {
  expectSound(raw)
  const found = await verdictsOn(raw, records)
  expect(found.map(({ algorithm, result, aligned }) => [algorithm, result, aligned])).toEqual([
    ['rsa-sha256', 'pass', 'lowwater.test'],
    ['ed25519-sha256', 'pass', 'lowwater.test'],
  ])
  const lists = [...raw.toString('latin1').matchAll(/^ h=([^;]*);/gm)].map(([, names = '']) => names.split(/:\s*/))
  expect(lists).toHaveLength(2)
  for (const names of lists) {
    for (const name of ['To', 'Date', 'Message-ID', 'List-Id', 'Feedback-ID', 'MIME-Version'])
      expect(names).toContain(name)
    for (const name of ['From', 'Subject', 'List-Unsubscribe', 'List-Unsubscribe-Post'])
      expect(names.filter((each) => each === name)).toHaveLength(2)
  }
})

test('any change after signing is noticed', async () => {
  const written = raw.toString('latin1')
  const body = Buffer.from(raw)
  body[body.length - 200] = (body.at(-200) as number) ^ 1
  const changed = {
    'a byte of the body': body,
    'no one-click unsubscribe': written.replace(/^List-Unsubscribe-Post:.*\r\n/m, ''),
    'another unsubscribe address': written.replace('/unsub/', '/unsubscribe/'),
    'another subject': written.replace(/^Subject: /m, 'Subject: x'),
    'a second subject': `Subject: You have won\r\n${written}`,
    'a second sender': `From: <x@example.org>\r\n${written}`,
    'a second unsubscribe address': `List-Unsubscribe: <https://example.org>\r\n${written}`,
    'another recipient': written.replace(/^To: ada/m, 'To: bob'),
  }
  for (const [what, message] of Object.entries(changed)) {
    expect(Buffer.from(message).equals(raw), what).toBe(false)
    expect(await verdicts(typeof message === 'string' ? Buffer.from(message, 'latin1') : message), what).not.toContain(
      'pass',
    )
  }
})

test('the usual changes by relays keep a signature valid: order, folding, case, white space, added fields', async () => {
  const written = raw.toString('latin1')
  const end = written.indexOf('\r\n\r\n') + 2
  const fields = written.slice(0, end).match(/^\S.*\r\n(?:[ \t].*\r\n)*/gm) as string[]
  const variants = [
    [...fields].reverse(),
    fields.map((field) => field.replaceAll('\r\n ', '\r\n\t  ')),
    fields.map((field) => field.replaceAll(/\r\n[ \t]+/g, ' ')),
    fields.map((field) => field.replace(/^[^:]+/, (name) => name.toUpperCase())),
    fields.map((field) => field.replace(/^([^:]+): /, '$1 :   ').replace(/\r\n$/, '  \r\n')),
    ['Received: from a by b;\r\n Sat, 21 Nov 2026 08:00:00 +0000\r\n', ...fields],
  ]
  for (const variant of variants)
    expect(await verdicts(Buffer.from(variant.join('') + written.slice(end), 'latin1'))).toEqual(['pass', 'pass'])
})

test('a single mail is signed like a publication; mail of the instance, which has no keys, is not', async () => {
  relay.received.length = 0
  const { id } = await room.draft()
  const tested = await room.owner.call('POST', `${room.path}/publications/${id}/test`, {})
  expect(tested.statusCode, tested.body).toBe(200)
  expect(await verdicts(relay.received[0]?.raw ?? '')).toEqual(['pass', 'pass'])
  const invited = await room.owner.call('POST', `${room.path}/invitations`, {
    email: 'bob@example.org',
    role: 'editor',
  })
  expect(invited.statusCode, invited.body).toBe(200)
  await room.work()
  expect(relay.received.at(-1)?.to).toBe('bob@example.org')
  expect(relay.received.at(-1)?.raw).not.toContain('DKIM-Signature')
})

test('a retired key signs nothing', async () => {
  const { db } = room.context
  const { id } = await room.draft()
  const keys = await listKeys(db, room.newsletterId)
  await db
    .updateTable('dkim_key')
    .set({ retired_at: new Date() })
    .where('newsletter_id', '=', room.newsletterId)
    .execute()
  const compiled = await compile(room.context, newsletter, await findRenderable(db, room.newsletterId, id))
  await db
    .updateTable('dkim_key')
    .set({ retired_at: null })
    .where(
      'id',
      'in',
      keys.map((key) => key.id),
    )
    .execute()
  const message = compiled.messageFor(ada)
  expect(message).not.toBeInstanceOf(Promise)
  expect((await message).raw.toString()).not.toContain('DKIM-Signature')
})
