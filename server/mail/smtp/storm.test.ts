import tls from 'node:tls'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { certificate } from '../../testing/certificate.ts'
import { type Peer, type ServerOptions, serve } from '../../testing/scripted-server.ts'
import { briefly, messageTo, type Sent, SmtpHarness } from '../../testing/smtp-harness.ts'

const authorities = tls.getCACertificates()
beforeAll(() => tls.setDefaultCACertificates([certificate]))
afterAll(() => tls.setDefaultCACertificates(authorities))

const misbehaviours = ['later', 'no', 'closing', 'cut', 'reset', 'half', 'swallow', 'twice', 'nonsense'] as const
type Behaviour = (typeof misbehaviours)[number] | 'yes'

const behaviours: fc.Arbitrary<Behaviour> = fc.oneof(
  { weight: 3, arbitrary: fc.constant('yes') },
  { weight: 1, arbitrary: fc.constantFrom(...misbehaviours) },
)

const yes = { mail: '250 ok', rcpt: '250 ok', data: '354 go on', text: '250 taken', rset: '250 ok' }

const numberIn = (text: string): string => /^Number: (\w+)$/m.exec(text)?.[1] as string

/** The messages whose text the relay took without an answer, and those for whose text it closed the connection, as often as it did. */
interface Ended {
  swallowed: Set<string>
  closed: string[]
}

/** Answers each command as the list says, in its order, on whatever connection. After the list it is polite. */
function fickle(list: Behaviour[], { swallowed, closed }: Ended): NonNullable<ServerOptions['answer']> {
  const left = list.values()
  return async (peer, step, said) => {
    const behaviour = left.next().value ?? 'yes'
    if (behaviour === 'later') return '451 4.0.0 later'
    if (behaviour === 'no') return '550 5.1.1 nobody'
    if (behaviour === 'twice') return `${yes[step]}\r\n250 once more`
    if (behaviour === 'swallow' && step === 'text') swallowed.add(numberIn(said))
    if (behaviour === 'closing' && step === 'text') closed.push(numberIn(said))
    return behaviour === 'yes' ? undefined : end(peer, behaviour)
  }
}

function end(peer: Peer, behaviour: Behaviour): null {
  if (behaviour === 'nonsense') peer.say('what was that?')
  if (behaviour === 'closing') peer.say('421 4.3.2 closing')
  if (behaviour === 'half' || behaviour === 'closing') peer.halfClose()
  else if (behaviour === 'reset') peer.reset()
  else peer.cut()
  return null
}

const storm = fc.record({
  list: fc.array(behaviours, { maxLength: 40 }),
  messages: fc.integer({ min: 1, max: 14 }),
  connections: fc.integer({ min: 1, max: 3 }),
  messagesPerConnection: fc.integer({ min: 1, max: 8 }),
  offers: fc.constantFrom<string[]>(['PIPELINING'], []),
  secure: fc.boolean(),
})

test('whatever a relay does, each message has one outcome, and the outcome is true', async () => {
  await fc.assert(
    fc.asyncProperty(storm, async ({ list, messages, connections, messagesPerConnection, offers, secure }) => {
      const harness = new SmtpHarness()
      try {
        const ended: Ended = { swallowed: new Set(), closed: [] }
        const manners = { offers, answer: fickle(list, ended) }
        const { port } = await harness.server((peer) => serve(peer, harness.taken, manners), secure)
        const relay = harness.client(`${secure ? 'smtps' : 'smtp'}://127.0.0.1:${port}`, {
          connections,
          messagesPerConnection,
        })
        const sent = await Promise.all(
          Array.from({ length: messages }, async (_, n): Promise<Sent> => {
            let begun = 0
            const message = messageTo(`r${n}@example.org`, `Number: r${n}\r\n\r\nNow.`)
            const outcome = await relay.send(message, () => {
              begun += 1
            })
            return { outcome, begun }
          }),
        )
        for (const [n, each] of sent.entries()) {
          const taken = harness.taken.filter(({ text }) => numberIn(text) === `r${n}`).length
          const closed = ended.closed.filter((number) => number === `r${n}`).length
          check({ outcome: briefly(each), begun: each.begun, taken, closed, swallowed: ended.swallowed.has(`r${n}`) })
        }
      } finally {
        harness.stop()
      }
    }),
    { numRuns: 100 },
  )
})

interface Observed {
  outcome: string
  begun: number
  taken: number
  closed: number
  swallowed: boolean
}

function check({ outcome, begun, taken, closed, swallowed }: Observed): void {
  if (swallowed) expect(outcome).toBe('broken written')
  if (outcome === 'broken written') expect(taken).toBeLessThanOrEqual(1)
  else expect(taken, outcome).toBe(outcome === '250 DATA' ? 1 : 0)
  // With 421 the relay has not taken the text that it answers (RFC 5321 section 4.2.1), and the message begins anew on another connection.
  if (outcome === 'broken written' || outcome === '250 DATA') expect(begun, outcome).toBe(1 + closed)
  else expect(begun, outcome).toBe(/DATA$/.test(outcome) ? begun & 1 : 0)
}
