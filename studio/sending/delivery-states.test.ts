import { expect, test } from 'vitest'
import { fewRetries, toldStates } from './delivery-states.ts'

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

test.each([
  ['6 of 61 wait for a full mailbox', { intended: 61, accepted: 55, deferred: 6 }, 6],
  ['one of them is tried at this moment', { intended: 61, accepted: 55, deferred: 5, claimed: 1 }, 6],
  ['some were not tried yet', { intended: 61, accepted: 40, deferred: 6, queued: 15 }, 0],
  ['a relay takes nothing for now', { intended: 61, accepted: 11, deferred: 50 }, 0],
  ['all were tried', { intended: 61, accepted: 61 }, 0],
])('copies that are still tried once everybody else has had theirs: %s', (_when, counts, retries) => {
  expect(fewRetries({ status: 'sending' }, { ...none, ...counts })).toBe(retries)
  expect(fewRetries({ status: 'paused' }, { ...none, ...counts })).toBe(0)
})
