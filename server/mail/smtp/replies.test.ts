import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Reply, ReplyReader, textOf } from './replies.ts'

function read(chunks: Buffer[]): { replies: Reply[]; reader: ReplyReader } {
  const replies: Reply[] = []
  const reader = new ReplyReader((reply) => {
    replies.push(reply)
    return true
  })
  for (const chunk of chunks) reader.read(chunk, chunk.length)
  return { replies, reader }
}

const line = fc.string({ unit: 'grapheme', maxLength: 60 }).map((text) => text.replaceAll(/[\r\n]/g, ''))
const reply = fc.record({
  code: fc.integer({ min: 200, max: 599 }),
  lines: fc.array(line, { minLength: 1, maxLength: 5 }),
})

const wireForm = ({ code, lines }: Reply) =>
  lines.map((text, n) => `${code}${n < lines.length - 1 ? '-' : ' '}${text}\r\n`).join('')

test('replies are the same, in whatever chunks their bytes arrive', () => {
  fc.assert(
    fc.property(fc.array(reply, { maxLength: 6 }), fc.array(fc.nat(40), { minLength: 1 }), (replies, cuts) => {
      const bytes = Buffer.from(replies.map(wireForm).join(''))
      const chunks: Buffer[] = []
      for (let from = 0, n = 0; from < bytes.length; n++) {
        const to = from + 1 + (cuts[n % cuts.length] as number)
        chunks.push(bytes.subarray(from, to))
        from = to
      }
      expect(read(chunks).replies).toEqual(replies)
    }),
  )
})

test.each([
  ['HTTP/1.1 400 Bad Request\r\n', 'The relay sent what is no reply: HTTP/1.1 400 Bad Request'],
  ['199 too low\r\n', 'The relay sent what is no reply: 199 too low'],
  ['250-one\r\n550 two\r\n', 'The relay sent what is no reply: 550 two'],
  ['2500 four\r\n', 'The relay sent what is no reply: 2500 four'],
  ['\r\n', 'The relay sent what is no reply: '],
  [`220 ${'x'.repeat(9_000)}`, 'The relay sent a line of more than 8 kB'],
  ['220-welcome\r\n'.repeat(6_000), 'The relay sent a reply of more than 64 kB'],
])('%j is refused', (bytes, reason) => {
  expect(() => read([Buffer.from(bytes)])).toThrow(reason)
})

test('a line that ends with LF alone, one without text and one of three digits are replies', () => {
  expect(read([Buffer.from('250 ok\n250\r\n250 \r\n')]).replies).toEqual([
    { code: 250, lines: ['ok'] },
    { code: 250, lines: [''] },
    { code: 250, lines: [''] },
  ])
})

test('it knows whether bytes follow the last reply', () => {
  const more: boolean[] = []
  const reader: ReplyReader = new ReplyReader(() => {
    more.push(reader.hasMore)
    return true
  })
  const bytes = Buffer.from('354 go on\r\n250 ok\r\n2')
  reader.read(bytes, bytes.length)
  expect(more).toEqual([true, true])
  expect(reader.hasMore).toBe(true)
})

test.each([
  [{ code: 250, lines: ['2.0.0 Ok'] }, '250 2.0.0 Ok'],
  [
    { code: 550, lines: ['5.7.1 Blocked,', '5.7.1 see https://example.org'] },
    '550 5.7.1 Blocked, see https://example.org',
  ],
  [{ code: 250, lines: [''] }, '250'],
  [{ code: 550, lines: ['no\x1b[31m\u009bcolour'] }, '550 no [31m colour'],
  [{ code: 550, lines: ['turned\u202earound\u2028'] }, '550 turned around '],
])('%j reads %j', (from, text) => {
  expect(textOf(from)).toBe(text)
})
