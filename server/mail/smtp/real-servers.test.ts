import tls from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { certificate } from '../../testing/certificate.ts'
import { exim } from '../../testing/installed-exim.ts'
import {
  type InstalledProgram,
  type Received,
  type RunningServer,
  sayMissing,
  smtpSink,
} from '../../testing/installed-mail-servers.ts'
import { opensmtpd } from '../../testing/installed-opensmtpd.ts'
import { postfix } from '../../testing/installed-postfix.ts'
import { briefly, messageTo, SmtpHarness, sendTo } from '../../testing/smtp-harness.ts'

const authorities = tls.getCACertificates()
const harness = new SmtpHarness()
afterEach(() => harness.stop())

const MESSAGES = 200

/** Lines that a careless client would change. */
const body = (n: number): string =>
  `.\r\n..\r\n.${n}\r\n\r\n${'Twice a day the sea leaves.\r\n'.repeat(n)}. \r\nthe end`

/** Some servers add an empty line after a text. */
const ordered = (mails: Received[]) =>
  mails.map(({ to, text }) => ({ to, text: text.trimEnd() })).sort((a, b) => (a.to < b.to ? -1 : 1))

const servers = [postfix, exim, opensmtpd]
sayMissing(smtpSink(), ...servers)

/** A server for the tests of a group, unless it is missing. */
function startedFor(program: InstalledProgram): () => RunningServer {
  let server: RunningServer | null = null
  beforeAll(async () => {
    if (program.missing) return
    tls.setDefaultCACertificates([certificate])
    server = await program.start()
  })
  afterAll(async () => {
    tls.setDefaultCACertificates(authorities)
    await server?.stop()
  })
  return () => server as RunningServer
}

describe.each([smtpSink(), smtpSink('-p'), smtpSink('-e'), ...servers])('$name', (program) => {
  const server = startedFor(program)

  test.skipIf(program.missing)(`${MESSAGES} messages arrive unchanged, each once`, async () => {
    const { port } = server()
    const relay = harness.client(`smtp://${program === exim ? 'ada:secret@' : ''}127.0.0.1:${port}`, { connections: 4 })
    const outcomes = await Promise.all(
      Array.from({ length: MESSAGES }, (_, n) =>
        relay.send(messageTo(`r${n}@example.org`, `Subject: ${n}\r\n\r\n${body(n)}`)),
      ),
    )
    expect(outcomes.filter((outcome) => outcome.kind !== 'answered' || outcome.code !== 250)).toEqual([])
    const written = Array.from({ length: MESSAGES }, (_, n) => ({
      to: `r${n}@example.org`,
      text: `${body(n).replaceAll('\r', '')}\n`,
    }))
    expect(ordered(await server().received())).toEqual(ordered(written))
  })

  // The sink refuses no names and has no size limit.
  if (!servers.includes(program)) return

  test.skipIf(program.missing)('a refusal affects its recipient only', async () => {
    const sent = await sendTo(harness.client(server()), 'a', 'refused', 'b', 'later', 'c', 'refused', 'd')
    expect(sent.map(briefly)).toEqual([
      '250 DATA',
      '550 RCPT TO',
      '250 DATA',
      expect.stringMatching(/^45[01] RCPT TO$/),
      '250 DATA',
      '550 RCPT TO',
      '250 DATA',
    ])
    const received = ordered(await server().received()).map(({ to }) => to)
    expect(received.filter((to) => /^(.|refused|later)@/.test(to))).toEqual(
      ['a', 'b', 'c', 'd'].map((name) => `${name}@example.org`),
    )
  })

  test.skipIf(program.missing)('a message that is too large is not sent', async () => {
    const relay = harness.client(server())
    const large = messageTo('r9@example.org', `Subject: a\r\n\r\n${'x'.repeat(11_000_000)}`)
    expect(await relay.send(large)).toMatchObject({
      kind: 'answered',
      code: 552,
      text: expect.stringContaining('relay takes'),
    })
  })
})

describe.each([
  ['-f', 'RCPT', '500 RCPT TO'],
  ['-r', 'MAIL', '450 MAIL FROM'],
  ['-f', 'DATA', '500 DATA'],
  ['-r', '.', '450 DATA'],
  ['-q', 'RCPT', 'broken unwritten'],
  ['-q', 'DATA', 'broken unwritten'],
  ['-q', '.', 'broken written'],
])('smtp-sink %s %s', (option, command, outcome) => {
  const program = smtpSink(option, command)
  const server = startedFor(program)

  test.skipIf(program.missing)(`each message is ${outcome}`, async () => {
    expect(new Set((await sendTo(harness.client(server()), 'r0', 'r1', 'r2', 'r3')).map(briefly))).toEqual(
      new Set([outcome]),
    )
  })
})
