import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dotStuffed, envelopeOf } from './envelope.ts'
import { noOffers, type Offers } from './offers.ts'

const raw = Buffer.from('Subject: Low tide\r\n\r\nNow.\r\n')
const all: Offers = { ...noOffers, eightBit: true, utf8: true, size: 0 }
const message = (change: { from?: string; to?: string; raw?: Buffer }) => ({
  from: 'a@b.test',
  to: 'c@d.test',
  raw,
  ...change,
})

test.each([
  ['nothing offered', message({}), noOffers, 'MAIL FROM:<a@b.test>'],
  ['SIZE', message({}), all, 'MAIL FROM:<a@b.test> SIZE=27'],
  ['nobody’s', message({ from: '' }), noOffers, 'MAIL FROM:<>'],
  ['8-bit', message({ raw: Buffer.from('A: b\r\n\r\nété\r\n') }), all, 'MAIL FROM:<a@b.test> SIZE=15 BODY=8BITMIME'],
  [
    '8-bit head',
    message({ raw: Buffer.from('A: é\r\n\r\nb\r\n') }),
    all,
    'MAIL FROM:<a@b.test> SIZE=12 BODY=8BITMIME SMTPUTF8',
  ],
  ['a name outside ASCII', message({ to: 'é@d.test' }), all, 'MAIL FROM:<a@b.test> SIZE=27 SMTPUTF8'],
  ['a domain outside ASCII', message({ from: 'a@marée.test' }), noOffers, 'MAIL FROM:<a@xn--mare-dpa.test>'],
  ['a quoted name', message({ from: '"a <b> c"@d.test' }), noOffers, 'MAIL FROM:<"a <b> c"@d.test>'],
])('%s: the commands before the text', (...[, given, offers, mail]) => {
  expect(envelopeOf(given, offers)).toMatchObject({ mail: `${mail}\r\n` })
})

test.each([
  ['too large', message({}), { ...all, size: 26 }, 552, 'DATA'],
  ['8-bit, not offered', message({ raw: Buffer.from('A: b\r\n\r\né') }), noOffers, 554, 'DATA'],
  ['a name outside ASCII, not offered', message({ to: 'é@d.test' }), noOffers, 553, 'RCPT TO'],
  ['a line end', message({ to: 'c@d.test>\r\nRCPT TO:<e@f.test' }), all, 553, 'RCPT TO'],
  ['a space', message({ to: 'c d@e.test' }), all, 553, 'RCPT TO'],
  ['nobody', message({ to: '' }), all, 553, 'RCPT TO'],
  ['a sender that closes the bracket', message({ from: 'a@b.test> SIZE=1' }), all, 553, 'MAIL FROM'],
  ['a quote that hides a line', message({ to: '"a\r\nb"@c.test' }), all, 553, 'RCPT TO'],
])('%s: answered without asking the relay', (...[, given, offers, code, command]) => {
  expect(envelopeOf(given, offers)).toMatchObject({ kind: 'answered', code, command })
})

test('no text ends too early, and a server reads what was written', () => {
  const part = fc.constantFrom('.', '..', '\r\n', '\n', '\r', 'a', '\r\n.\r\n', 'Low tide')
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      const text = parts.join('')
      const sent = dotStuffed(Buffer.from(text)).toString()
      expect(sent === '' || sent.endsWith('\r\n')).toBe(true)
      expect(sent).not.toMatch(/(^|\n)\.(\r|\n|$)/)
      const read = sent.replaceAll(/(^|\n)\./g, '$1')
      expect(read).toBe(text === '' || text.endsWith('\r\n') ? text : `${text}\r\n`)
    }),
  )
})
