import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import type { Outcome, Relay } from '../mail/relay.ts'
import { relayAddress } from '../mail/smtp/address.ts'
import { SmtpRelay } from '../mail/smtp/smtp-relay.ts'
import { startSink } from '../testing/smtp-sink.ts'
import { Batch } from './batch.ts'
import { Journal } from './journal.ts'
import type { Result } from './sending.ts'

const sending = { newsletterId: 'low', publicationId: 'tide', id: 'first' }
const yes: Outcome = { kind: 'answered', code: 250, text: '250 ok', command: 'DATA' }

const recipient = (subscriberId: string) => ({
  subscriberId,
  email: `${subscriberId}@example.org`,
  name: null,
  language: 'en' as const,
  attempts: 0,
})

/** Sends to so many through the relay, one batch. */
async function sendBatch(
  relay: Relay,
  journal: Journal,
  { count, onOutcome = () => true }: { count: number; onOutcome?: () => boolean },
): Promise<Result[]> {
  const recorded: Result[] = []
  const owner = {
    messageFor: ({ email }: { email: string }) => ({
      from: 'a@lowwater.test',
      to: email,
      raw: Buffer.from('Now.\r\n'),
    }),
    reuse: () => {},
    mayContinue: () => true,
    onOutcome,
    rests: () => false,
    release: async () => {},
    record: async (_by: string, results: Result[]) => void recorded.push(...results),
  }
  const grant = { relay, relayId: null, caught: false, permits: count, everyMs: 0 }
  const recipients = Array.from({ length: count }, (_, n) => recipient(`${n}`))
  await new Batch(owner, grant, { name: 'worker', journal, recipients, leaseEnds: Number.POSITIVE_INFINITY }).run()
  return recorded
}

test('the answer to a text is in the journal before the next text of its connection begins', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tirage-batch-'))
  // Its answer to a text and its consent to the next one arrive together.
  const sink = await startSink()
  const relay = new SmtpRelay(relayAddress(sink.url), { connections: 1 })
  const journal = new Journal(folder, sending, 'worker')
  const lines: string[] = []
  vi.spyOn(journal, 'begun').mockImplementation((id) => void lines.push(`begun ${id}`))
  vi.spyOn(journal, 'answered').mockImplementation(({ subscriberId }) => void lines.push(`answered ${subscriberId}`))
  expect(await sendBatch(relay, journal, { count: 50 })).toHaveLength(50)
  expect(lines).toEqual(Array.from({ length: 50 }, (_, n) => [`begun ${n}`, `answered ${n}`]).flat())
  relay.close()
  await sink.stop()
  await rm(folder, { recursive: true })
})

test('an answer that comes while others are being recorded is recorded too', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tirage-batch-'))
  const answers: ((outcome: Outcome) => void)[] = []
  const relay: Relay = {
    capacity: 2,
    send: (_message, begun) => {
      begun?.()
      return new Promise((resolve) => answers.push(resolve))
    },
    close: () => {},
  }
  const recorded: Result[] = []
  const owner = {
    messageFor: () => ({ from: 'a@lowwater.test', to: 'b@example.org', raw: Buffer.from('') }),
    reuse: () => {},
    mayContinue: () => true,
    onOutcome: () => true,
    rests: () => false,
    release: async () => {},
    record: async (_by: string, results: Result[]) => void recorded.push(...results),
  }
  const recipients = ['1', '2', '3', '4'].map(recipient)
  const journal = new Journal(folder, sending, 'worker')
  const grant = { relay, relayId: null, caught: false, permits: 4, everyMs: 0 }
  const batch = new Batch(owner, grant, { name: 'worker', journal, recipients, leaseEnds: Number.POSITIVE_INFINITY })
  const done = batch.run()
  // Two are under way; one is answered and recorded while the other waits.
  for (let answered = 0; answered < recipients.length; answered++) {
    await expect.poll(() => answers.length).toBeGreaterThan(0)
    answers.shift()?.(yes)
    await expect.poll(() => batch.recordAll().then(() => recorded.length)).toBe(answered + 1)
  }
  await done
  expect(recorded.map(({ subscriberId }) => subscriberId).sort()).toEqual(['1', '2', '3', '4'])
  await rm(folder, { recursive: true })
})

test('a message that nobody wants any more after its relay failed is no failure of the relay', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tirage-batch-'))
  const relay: Relay = {
    capacity: 2,
    send: async ({ to, wanted }) => {
      if (to === '0@example.org') return { kind: 'answered', code: 421, text: '421 not now', command: 'RCPT TO' }
      await expect.poll(() => wanted?.()).toBe(false)
      return { kind: 'broken', written: false, text: 'The message is not wanted any more' }
    },
    close: () => {},
  }
  const onOutcome = vi.fn(() => false)
  const results = await sendBatch(relay, new Journal(folder, sending, 'worker'), { count: 2, onOutcome })
  expect(onOutcome).toHaveBeenCalledTimes(1)
  expect(results.map(({ state, answer }) => [state, answer])).toEqual([
    ['queued', '421 not now'],
    ['queued', null],
  ])
  await rm(folder, { recursive: true })
})
