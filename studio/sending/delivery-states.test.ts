import { expect, test } from 'vitest'
import { toldStates } from './delivery-states.ts'

const none = {
  intended: 9,
  accepted: 0,
  caught: 0,
  queued: 0,
  claimed: 0,
  deferred: 0,
  failed: 0,
  suppressed: 0,
  uncertain: 0,
}

test.each([
  ['one copy that was caught', { caught: 1 }, ['caught']],
  ['all was accepted', { accepted: 9 }, ['accepted']],
  ['it has just begun', { queued: 9 }, ['accepted', 'queued', 'claimed']],
  ['the last wait for another attempt', { accepted: 8, deferred: 1 }, ['accepted', 'queued', 'claimed', 'deferred']],
  ['none was accepted', { failed: 2, uncertain: 7 }, ['accepted', 'failed', 'uncertain']],
  ['a relay came between', { accepted: 4, caught: 4, suppressed: 1 }, ['accepted', 'caught', 'suppressed']],
])('the states that tell something: %s', (_when, counts, told) => {
  expect(toldStates({ ...none, ...counts })).toEqual(told)
})
