import fc from 'fast-check'
import { expect, test } from 'vitest'
import { expectSound, type Reading, readByPostalMime, readByPython } from '../../testing/mail-parsers.ts'
import { mailAddress, wireText } from './address.ts'
import { CompiledMail } from './compiled-mail.ts'
import { mailbox, words } from './fields.ts'
import { mailBody } from './mail-body.ts'
import { encodeValue, oneLine } from './quoted-printable.ts'
import { Placeholders } from './segments.ts'

interface Recipient {
  id: string
  email: string
  name: string
}

/** `ID` and `NAME` stand for the placeholders. */
interface Written {
  subject: string
  sender: string
  text: string
  html: string
}

const ID = '{id}'
const NAME = '{name}'

const written = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
  { weight: 4, arbitrary: fc.lorem({ maxCount: 30 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  { weight: 1, arbitrary: fc.nat(2_000).map((length) => 'supercalifragilistic'.repeat(101).slice(0, length)) },
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      'L’été à Ménez-Du, « où va-t-on\u202f? »',
      'البحر ينحسر مرتين في اليوم',
      'הים נסוג פעמיים ביום',
      '👩🏽‍🚀🏳️‍🌈🌊',
      '"quoted" \\ \'apostrophes\' <b>&amp;</b>',
      '=3D=\r\n==',
      '\n.',
      '\n..\n...\n.',
      '\nFrom here',
      '   \n',
      '\t\n\t',
      ' ',
      '\n--=_tirage\n',
      '\n\n',
      '\r\n.\r',
      '\ud83d',
      'https://example.org/?a=b&c=d%20e',
    ),
  },
  { weight: 5, arbitrary: fc.constantFrom(ID, NAME, `?s=${ID}`, `\n${NAME}`, `${NAME}\n`, `${ID}${NAME}${ID}`) },
)
const texts = fc
  .tuple(fc.array(written, { maxLength: 14 }), fc.constantFrom('', ' ', '\n'))
  .map(([parts, between]) => parts.join(between))
const lines = fc
  .oneof(
    fc.array(written, { maxLength: 4 }).map((parts) => parts.join(' ')),
    fc.constantFrom('.', '', '=?utf-8?q?x?=', ','),
  )
  .map((line) => line.replaceAll('{', '').slice(0, 400))
const messages: fc.Arbitrary<Written> = fc.record({ subject: lines, sender: lines, text: texts, html: texts })
const addresses = fc.oneof(
  fc.emailAddress(),
  fc.constantFrom("o'hara+news@example.org", 'inès@example.org', 'ada@café.example', '用户@例え.jp', 'a@b.c'),
)
const recipients: fc.Arbitrary<Recipient> = fc.record({ id: fc.uuid(), email: addresses, name: lines })

const oneLined = (text: string) => oneLine(text.toWellFormed()).trim()

function compiledOf({ subject, sender, text, html }: Written): CompiledMail<Recipient> {
  const placeholders = new Placeholders<Recipient>()
  const id = placeholders.mark('id', (recipient) => recipient.id, 36)
  const name = placeholders.mark('name', (recipient) => encodeValue(recipient.name))
  const marked = (words: string) => words.replaceAll(ID, id).replaceAll(NAME, name)
  return new CompiledMail(
    placeholders,
    {
      fields: [
        ['From', mailbox('From', sender, 'ines@lowwater.test')],
        ['To', placeholders.mark('to', ({ email }) => wireText(mailAddress(email)))],
        ['Subject', words('Subject', subject)],
        ['Message-ID', `<publication.${id}@lowwater.test>`],
      ],
      body: mailBody({ text: marked(text), html: marked(html) }, placeholders.marks),
    },
    { keys: [], at: new Date() },
  )
}

function asRead({ subject, sender, text, html }: Written, { id, email, name }: Recipient): Reading {
  const filled = (words: string) =>
    words
      .toWellFormed()
      .replaceAll(/\r\n?/g, '\n')
      .replaceAll(ID, id)
      .replaceAll(NAME, () => oneLine(name.toWellFormed()))
  return {
    subject: oneLined(subject),
    sender: oneLined(sender),
    to: mailAddress(email),
    text: filled(text),
    html: filled(html),
  }
}

/** Python keeps the space between two encoded words of a name, which RFC 2047 section 6.2 says to leave out. */
const unspaced = (text: string) => text.replaceAll(/\s/g, '')

test('two independent parsers read any message to any recipient exactly as it was written', {
  timeout: 60_000,
}, async () => {
  const made: { raw: Buffer; wanted: Reading }[] = []
  await fc.assert(
    fc.asyncProperty(messages, fc.array(recipients, { minLength: 1, maxLength: 9 }), async (message, all) => {
      const compiled = compiledOf(message)
      for (const recipient of all) {
        const raw = (await compiled.rawFor(recipient)) as Buffer
        const wanted = asRead(message, recipient)
        if (/^[ -~]*$/.test(wanted.to)) expectSound(raw)
        expect(await readByPostalMime(raw)).toEqual(wanted)
        made.push({ raw, wanted })
      }
    }),
    { numRuns: 400 },
  )
  const read = readByPython(made.map(({ raw }) => raw))
  if (!read) return console.log('python3 is not on this machine: its reading of the same mails was left out')
  read.forEach(({ defects, sender, to, ...rest }, index) => {
    const { wanted } = made[index] as { wanted: Reading }
    expect({ ...rest, sender: unspaced(sender) }).toEqual({ ...wanted, sender: unspaced(wanted.sender), to: undefined })
    if (!/^[ -~]*$/.test(wanted.to)) return
    expect(to).toBe(wanted.to)
    expect(defects).toEqual([])
  })
})
