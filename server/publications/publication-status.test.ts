import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Act, after, alreadyDone, from, statuses } from './publication-status.ts'

const acts: Act[] = ['schedule', 'unschedule', 'send', 'publish', 'pause', 'resume', 'cancel', 'finish']

test.each([
  ['draft', 'send', 'sending'],
  ['draft', 'schedule', 'scheduled'],
  ['scheduled', 'unschedule', 'draft'],
  ['sending', 'pause', 'paused'],
  ['paused', 'resume', 'sending'],
  ['paused', 'cancel', 'cancelled'],
  ['sending', 'finish', 'sent'],
  ['sent', 'send', null],
  ['cancelled', 'resume', null],
  ['draft', 'pause', null],
] as const)('%s, %s: %s', (status, act, target) => {
  expect(after(act, status)).toBe(target)
})

test('the guard of a statement names exactly the statuses an act is possible from', () => {
  for (const act of acts)
    expect(statuses.filter((status) => after(act, status))).toEqual(expect.arrayContaining(from(act)))
})

test('what was once sent is never a draft again, whatever happens and in whatever order', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...acts), { maxLength: 30 }), (happened) => {
      let status: (typeof statuses)[number] = 'draft'
      let left = false
      for (const act of happened) {
        status = after(act, status) ?? status
        left ||= ['sending', 'sent'].includes(status)
        if (left) expect(['sending', 'paused', 'sent', 'cancelled']).toContain(status)
      }
    }),
  )
})

test('an act that was done is never possible again from where it led, but for rescheduling', () => {
  for (const act of acts)
    for (const status of statuses) if (alreadyDone(act, status)) expect(after(act, status)).toBeNull()
})
