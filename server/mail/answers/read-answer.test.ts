import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Meaning, Stage } from './answer-rule.ts'
import { patternOf } from './answer-rule.ts'
import { corpus } from './corpus/corpus.ts'
import { readAnswer } from './read-answer.ts'
import { answerRules } from './rules.ts'

const meaningOf = (stage: Stage, text: string): Meaning => {
  const code = stage === 'report' ? undefined : /^[245]\d\d/.exec(text)?.[0]
  const {
    rule: _rule,
    stays: _stays,
    ...meaning
  } = readAnswer({ stage, code: code === undefined ? null : Number(code), text })
  return meaning
}

describe.each(corpus)('$source: concerns the $concerns, $lasting', (group) => {
  const { concerns, lasting, session = false, gone = false } = group
  test.each(group.answers)('%s: %s', (stage, text) => {
    expect(meaningOf(stage, text)).toEqual({ concerns, lasting, session, gone })
  })
})

test('the corpus has no answer twice, whatever address it names', () => {
  const all = corpus.flatMap(({ answers }) => answers.map(([stage, text]) => `${stage} ${text.toLowerCase()}`))
  const unlike = new Set(all.map((answer) => answer.replaceAll(/[\w.*+-]+@[\w.-]+/g, '@')))
  expect(unlike.size).toBe(all.length)
  expect(all.length).toBeGreaterThan(500)
})

describe('words decide where codes lie', () => {
  test.each([
    ['RCPT TO', '550 5.1.1 <ada@example.com>: Relay access denied', 'relay'],
    ['RCPT TO', '550 5.1.1 Sender verify failed: no such user', 'sender'],
    ['RCPT TO', '550 5.7.1 Requested action not taken: mailbox unavailable', 'unknown'],
    ['report', '5.1.1 smtp; 554 <ada@example.com>: Relay access denied', 'relay'],
    ['report', '5.1.1 smtp; 550 5.1.1 Domain example.org has exceeded the max emails per hour (9/8)', 'relay'],
    ['greeting', '554 no such user', 'relay'],
    ['RCPT TO', '550 Unknown user account or password', 'relay'],
    ['RCPT TO', '550 your account has expired', 'relay'],
    ['RCPT TO', '550 Your host name does not exist in DNS', 'relay'],
    [
      'RCPT TO',
      '554 5.7.1 Service unavailable; User unknown; Client host [192.0.2.1] blocked using zen.spamhaus.org',
      'relay',
    ],
    ['RCPT TO', '550 domain of sender address not found', 'sender'],
    ['RCPT TO', '550 Policy rejection, ref 5.1.1', 'unknown'],
    ['RCPT TO', '550 The domain example.org does not exist', 'recipient'],
    [
      'report',
      '5.4.4 Host or domain name not found. Name service error for name=example.org type=A: Host not found',
      'recipient',
    ],
    ['RCPT TO', '550 no', 'unknown'],
    ['report', '550 no', 'unknown'],
  ] as const)('%s: %s concerns the %s, and nobody is gone', (stage, text, concerns) => {
    expect(meaningOf(stage, text)).toMatchObject({ concerns, gone: false })
  })
})

test.each([
  '550 5.1.1 <ada@example.com>: Recipient address rejected: User unknown in relay recipient table',
  '550 5.1.1 User unknown; rejecting mail from this host',
  '550 5.1.1 <spam@relay.example>... No such user',
])('%s: gone, although it names a relay, a host or spam', (text) => {
  expect(meaningOf('RCPT TO', text)).toEqual({
    concerns: 'recipient',
    lasting: 'permanent',
    session: false,
    gone: true,
  })
})

const stages = ['greeting', 'sign-in', 'MAIL FROM', 'RCPT TO', 'DATA', 'report'] as const satisfies Stage[]
const anyStage = fc.constantFrom(...stages)
const anyAnswer = fc.constantFrom(...corpus.flatMap(({ answers }) => [...answers]))
const anyCode = fc.option(fc.oneof(fc.constantFrom(421, 450, 451, 452, 550, 551, 552, 553, 554), fc.integer()))
const words = fc.array(
  fc.constantFrom(...corpus.flatMap(({ answers }) => answers.flatMap(([, text]) => text.split(' ')))),
)
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  words.map((some) => some.join(' ')),
)

describe('whatever a server says', () => {
  test('it is read, gone is a lasting fault of the recipient, and only after the recipient was named', () => {
    fc.assert(
      fc.property(anyStage, anyCode, anyText, (stage, code, text) => {
        const { concerns, lasting, gone, session } = readAnswer({ stage, code, text })
        if (gone) expect([concerns, lasting]).toEqual(['recipient', 'permanent'])
        if (gone) expect(['RCPT TO', 'DATA', 'report']).toContain(stage)
        if (gone && code !== null) expect(code < 400 || code > 499).toBe(true)
        if (session) expect([concerns === 'relay' || concerns === 'unknown', stage === 'report']).toEqual([true, false])
      }),
      { numRuns: 2_000 },
    )
  })

  test('case and spaces do not matter', () => {
    fc.assert(
      fc.property(anyAnswer, fc.constantFrom(' ', '  ', '\t', '\r\n '), ([stage, text], space) => {
        const meaning = meaningOf(stage, text)
        expect(meaningOf(stage, text.toUpperCase())).toEqual(meaning)
        expect(meaningOf(stage, text.toLowerCase())).toEqual(meaning)
        expect(meaningOf(stage, text.replaceAll(' ', space))).toEqual(meaning)
      }),
      { numRuns: 1_000 },
    )
  })

  const label = fc.constantFrom('spam', 'relay', 'user-unknown', 'blocked', 'quota', 'no-such-user', 'sender', 'a1b2')
  const host = fc.array(label, { minLength: 1, maxLength: 3 }).map((labels) => `${labels.join('.')}.example`)
  const network = fc.oneof(fc.ipV4(), fc.ipV6())
  const address = fc.oneof(
    fc.emailAddress(),
    fc.constantFrom('4.0.0a.a@a.aa', '5.1.1@a.aa', '450@a.aa', '4.2.2.550@a.aa'),
    fc.tuple(label, host).map(([local, domain]) => `${local}@${domain}`),
  )
  const id = fc.oneof(
    fc.uuid(),
    fc.stringMatching(/^[0-9][0-9A-F]{9}$/),
    fc.stringMatching(/^1[a-zA-Z]{5}-00[a-z0-9]{4}-[A-Z]{2}$/),
  )

  test.each([
    ['550 5.1.1 <%s>: Recipient address rejected: User unknown in local recipient table', address],
    ['550 %s... No such user', address],
    ['554 5.7.1 <%s>: Relay access denied', address],
    ['550-Verification failed for <%s> 550-No Such User Here 550 Sender verify failed', address],
    ['550 Domain %s has exceeded the max emails per hour (3/2 (150%)) allowed. Message discarded.', host],
    ['554 5.7.1 Service unavailable; Client host [%s] blocked using rbl.example.net', network],
    ['550 5.1.1 The email account that you tried to reach does not exist. %s - gsmtp', id],
    [
      '450 4.2.0 <ada@example.com>: Recipient address rejected: Greylisted, see http://postgrey.schweikert.ch/help/%s.html',
      host,
    ],
    ['550 no %s', id],
    ['550 no <%s>', address],
    ['550 no (%s)', host],
  ] as const)('%s is read alike for every value', (pattern, values) => {
    const meaning = meaningOf('RCPT TO', pattern.replace('%s', 'x'))
    fc.assert(
      fc.property(values, (value) => {
        expect(
          meaningOf(
            'RCPT TO',
            pattern.replace('%s', () => value),
          ),
        ).toEqual(meaning)
      }),
    )
  })
})

describe('the time to read is linear', () => {
  test('by construction: no phrase repeats anything without a limit, and none has more than two gaps', () => {
    for (const { phrases = [] } of answerRules) expect(patternOf(phrases).source).not.toMatch(/[*+\\]|\{\d*,\}/)
    for (const wrong of ['a+', 'a*', '\\w', 'a{2,}', 'A', 'a … b … c … d', '(a'])
      expect(() => patternOf([wrong])).toThrow()
  })

  test.each(['user ', 'x@', 'a.', '1.', '5.1.1 ', ':', 'mailbox is not relay … ', 'aaaaaaaa', 'sender address ', '-'])(
    '64 kB of %j cost no more than 2 kB',
    { timeout: 30_000 },
    (piece) => {
      const text = piece.repeat(65_536 / piece.length)
      const cut = text.slice(0, 2_000)
      expect(readAnswer({ stage: 'DATA', code: 550, text })).toEqual(
        readAnswer({ stage: 'DATA', code: 550, text: cut }),
      )
      const began = performance.now()
      for (let round = 0; round < 50; round += 1) readAnswer({ stage: 'report', code: null, text })
      expect(performance.now() - began).toBeLessThan(20_000)
    },
  )
})
