import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { feedbackSample } from '../testing/feedback-samples.ts'
import { readReport } from './reports.ts'
import { classify } from './rules.ts'

const names = { returnPath: 'b-abc@bounces.example.org', messageId: 'abcdefghij.0190@lowwater.example' }
const read = (file: string) => readReport(feedbackSample(file, names))

describe('bounces, as servers really write them', () => {
  test.each([
    [
      'postfix-unknown-user',
      '5.1.1',
      'hard',
      'ada@example.com',
      /^550 5\.1\.1 <ada@example\.com>: Recipient .* table$/,
    ],
    ['postfix-mailbox-full', '5.2.2', 'soft', 'ada@example.com', /Over quota/],
    ['exim', '5.1.1', 'hard', 'ada@example.com', /^550 5\.1\.1 No such user here$/],
    ['exim-in-words', '5.7.1', 'soft', 'ada@example.com', /550 5\.7\.1 Message refused by policy$/],
    ['exchange', '5.1.10', 'hard', 'ada@contoso.example', /^550 5\.1\.10 RESOLVER\.ADR\.RecipientNotFound;/],
    ['gmail', '5.1.1', 'hard', 'ada.lovelace@gmail.example', /^550-5\.1\.1 The email account .* gsmtp$/],
    ['qmail', '5.1.1', 'hard', 'ada@example.com', /Remote host said: 550 sorry, no mailbox here by that name/],
  ] as const)('%s: %s is %s', async (...row) => {
    const [file, status, kind, recipient, words] = row
    const report = await read(file)
    expect(report).toMatchObject({ source: 'dsn', event: 'failed', status, recipient })
    expect(report?.words).toMatch(words)
    expect(report?.words).not.toMatch(/[\r\n]/)
    expect(report && classify(report)).toBe(kind)
  })

  test('a delay is no failure', async () => {
    const report = await read('postfix-delayed')
    expect(report).toMatchObject({ event: 'delayed', status: '4.4.1' })
    expect(report && classify(report)).toBe('ignore')
  })

  test('of several recipients the one that failed counts', async () => {
    const text = feedbackSample('postfix-mailbox-full', names)
      .toString()
      .replace(
        'Final-Recipient',
        'Final-Recipient: rfc822; fine@example.com\r\nAction: relayed\r\nStatus: 2.0.0\r\n\r\nFinal-Recipient',
      )
    expect(await readReport(Buffer.from(text))).toMatchObject({ event: 'failed', recipient: 'ada@example.com' })
  })
})

describe('complaints, as mailbox providers really write them', () => {
  test.each([
    ['yahoo-complaint', 'abuse', 'complaint', names.messageId],
    ['aol-complaint', 'abuse', 'complaint', 'redacted@redacted'],
    ['outlook-complaint', 'forwarded', 'complaint', names.messageId],
    ['not-spam', 'not-spam', 'ignore', names.messageId],
  ] as const)('%s: %s is %s', async (...row) => {
    const [file, event, kind, messageId] = row
    const report = await read(file)
    expect(report).toMatchObject({ source: 'arf', event, originalMessageId: `<${messageId}>` })
    expect(report && classify(report)).toBe(kind)
  })

  test('the envelope sender of the original is read, even when everything else is redacted', async () => {
    expect((await read('aol-complaint'))?.returnPaths).toEqual([names.returnPath, 'redacted@redacted'])
  })
})

describe('what is no report', () => {
  test('an automatic reply, whatever codes it names', async () => {
    expect(await read('vacation')).toBeNull()
  })

  test('a mail that a person wrote', async () => {
    const answer =
      'From: ada@example.com\r\nSubject: Re: Undelivered Mail Returned to Sender\r\n\r\nWhat is this? 550 5.1.1'
    expect(await readReport(Buffer.from(answer))).toBeNull()
  })

  test('no bytes whatever make the reader throw', async () => {
    const whole = feedbackSample('postfix-unknown-user', names)
    const broken = fc
      .array(fc.tuple(fc.nat(whole.length - 1), fc.uint8Array({ maxLength: 12 })), { maxLength: 6 })
      .map((changes) => {
        const bytes = Buffer.from(whole)
        for (const [at, put] of changes) bytes.set(put.subarray(0, bytes.length - at), at)
        return bytes
      })
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.uint8Array({ maxLength: 2_000 }), broken), async (bytes) => {
        const report = await readReport(Buffer.from(bytes))
        expect(report === null || report.words.length <= 500).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  // A reader whose time is quadratic takes minutes.
  test('a megabyte of slow input is read fast', { timeout: 20_000 }, async () => {
    const mail = (head: string, body: string) => Buffer.from(`From: mailer-daemon@x.example\r\n${head}\r\n\r\n${body}`)
    const megabyte = (text: string) => text.repeat(Math.ceil(1_000_000 / text.length))
    const nested = (depth: number) => `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n`
    await readReport(mail('Subject: failure notice', `550 <${megabyte('a@')}`))
    await readReport(mail(`Subject: ${megabyte('delivery ')}`, megabyte('4.1.1.')))
    await readReport(mail('Subject: failure notice', megabyte('\n \t')))
    await readReport(Buffer.from(Array.from({ length: 500 }, (_, depth) => nested(depth)).join('')))
    expect(await readReport(mail(`Cc: ${megabyte('a:b;')}`, 'hello'))).toBeNull()
    await readReport(mail('Content-Type: message/delivery-status', megabyte('Action: failed\r\n\r\n')))
  })
})
