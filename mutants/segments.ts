import type { Mutant } from './mutant.ts'

const segments = 'server/segments/segments.test.ts'

export const segmentMutants: Mutant[] = [
  {
    name: 'a segment: what somebody leaves out is not checked before a copy',
    promise: { in: 'docs/segments.md', says: 'its subscriber must still be active and still fit' },
    file: 'server/subscribers/audience.ts',
    find: 'when may_receive and named then null',
    replace: 'when may_receive then null',
    tests: [segments],
  },
  {
    name: 'a segment: time goes on while it is sent to',
    promise: { in: 'docs/segments.md', says: 'Windows of time count back from the beginning of the sending' },
    file: 'server/subscribers/audience.ts',
    find: 'subscribersFor({ newsletterId, audience, asOf })',
    replace: 'subscribersFor({ newsletterId, audience, asOf: now })',
    tests: [segments],
  },
  {
    name: 'a segment: what something is built on is deleted without a word',
    promise: { in: 'docs/segments.md', says: 'otherwise the answer is `in_use` and names it' },
    file: 'server/segments/uses.ts',
    find: "if (uses.length > 0) throw new AppError('in_use', { detail: { uses } })",
    replace: '',
    tests: [segments],
  },
]
