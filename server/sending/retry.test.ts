import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Outcome } from '../mail/relay.ts'
import { retryDelays, verdictOn } from './retry.ts'

type Answered = Extract<Outcome, { kind: 'answered' }>

const answered = (code: number, text: string, command: Answered['command'] = 'RCPT TO'): Outcome => ({
  kind: 'answered',
  code,
  text,
  command,
})

test.each([
  [answered(250, '250 ok', 'DATA'), { kind: 'accepted' }],
  [answered(451, '451 4.7.1 greylisted'), { kind: 'deferred', delaySeconds: 60 }],
  [answered(421, '421 too busy'), { kind: 'returned' }],
  [answered(550, '550 5.1.1 unknown'), { kind: 'failed', gone: true }],
  [answered(550, '550 no such user'), { kind: 'failed', gone: true }],
  [answered(550, '550 refused'), { kind: 'failed', gone: false }],
  [answered(554, '554 looks like spam', 'DATA'), { kind: 'failed', gone: false }],
  [answered(550, '550 relay not permitted'), { kind: 'deferred', delaySeconds: 60 }],
  [answered(550, '550 5.1.8 bad sender'), { kind: 'deferred', delaySeconds: 60 }],
  [answered(550, '550 sender refused', 'MAIL FROM'), { kind: 'returned' }],
  [{ kind: 'refused', text: '535 wrong password' } as const, { kind: 'returned' }],
  [{ kind: 'unreachable', text: 'ECONNREFUSED' } as const, { kind: 'returned' }],
  [{ kind: 'broken', written: false, text: 'closed' } as const, { kind: 'returned' }],
  [{ kind: 'broken', written: true, text: 'closed' } as const, { kind: 'uncertain' }],
])('%j means %j', (outcome, verdict) => {
  expect(verdictOn(outcome, 0)).toEqual(verdict)
})

describe('for every answer', () => {
  const any = fc.record({
    code: fc.integer({ min: 200, max: 599 }),
    text: fc.string(),
    command: fc.constantFrom('MAIL FROM' as const, 'RCPT TO' as const, 'DATA' as const),
  })

  test('2xx is accepted, and nothing else is', () => {
    fc.assert(
      fc.property(any, fc.nat(20), (answer, attempts) => {
        const { kind } = verdictOn({ kind: 'answered', ...answer }, attempts)
        expect(kind === 'accepted').toBe(answer.code < 400)
      }),
    )
  })

  test('deferring ends: after as many attempts as there are delays the delivery has failed', () => {
    fc.assert(
      fc.property(any, fc.nat(30), (answer, attempts) => {
        const verdict = verdictOn({ kind: 'answered', ...answer }, attempts)
        if (verdict.kind === 'deferred') expect(attempts).toBeLessThan(retryDelays.length)
      }),
    )
  })

  test('the delays never get shorter', () => {
    expect([...retryDelays].sort((a, b) => a - b)).toEqual([...retryDelays])
  })
})
