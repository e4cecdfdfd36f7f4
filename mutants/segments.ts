import type { Mutant } from './mutant.ts'

const counts = 'server/segments/count.test.ts'
const welcomes = 'server/welcomes/welcomes.test.ts'
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
    find: "subscribersFor({ newsletterId, audience, asOf, asked: 'few' })",
    replace: "subscribersFor({ newsletterId, audience, asOf: now, asked: 'few' })",
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
  {
    name: 'a segment: what few fit is estimated too',
    promise: { in: 'docs/segments.md', says: 'When fewer than 40' },
    file: 'server/segments/count.ts',
    find: 'if (found.subscribers >= FEW) return',
    replace: 'return',
    tests: [counts],
  },
  {
    name: 'a segment: an exact count is estimated',
    promise: { in: 'docs/segments.md', says: 'counts exactly when it is asked to' },
    file: 'server/segments/count.ts',
    find: 'const total = exactly ? 0 :',
    replace: 'const total =',
    tests: [counts],
  },
  {
    name: 'a welcome: who comes back is welcomed again',
    promise: { in: 'docs/segments.md', says: 'Who leaves and comes back is not' },
    file: 'server/welcomes/enrol.ts',
    find: ` and \${notWelcomed({ newsletterId, segmentId })}\``,
    replace: '`',
    tests: [welcomes],
  },
  {
    name: 'a welcome: who was in the segment before gets it',
    promise: { in: 'docs/segments.md', says: 'is passed over' },
    file: 'server/welcomes/welcomes.ts',
    find: 'await passOver(tx, { newsletterId, segmentId, filter })',
    replace: '',
    tests: [welcomes],
  },
  {
    name: 'a welcome: it begins before all are noted who were there',
    promise: { in: 'docs/segments.md', says: 'Until they are all noted' },
    file: 'server/welcomes/enrol.ts',
    find: 'is ? null : welcome',
    replace: 'is ? welcome : welcome',
    tests: ['server/welcomes/pass-over.test.ts'],
  },
  {
    name: 'a welcome: the list is gone before it is written',
    promise: { in: 'docs/segments.md', says: 'Until they are all noted' },
    file: 'server/welcomes/pass-over.ts',
    find: '    await noteWelcomed(tx, part, who)\n',
    replace: '',
    tests: ['server/welcomes/pass-over.test.ts'],
  },
  {
    name: 'a welcome: who fits new conditions at once gets it',
    promise: { in: 'docs/segments.md', says: 'or when its conditions are changed' },
    file: 'server/segments/segments.ts',
    find: 'if (isWelcomed) await passOver(tx, { newsletterId, segmentId, filter })',
    replace: '',
    tests: [welcomes],
  },
  {
    name: 'a welcome: a draft that became empty is sent',
    promise: { in: 'docs/segments.md', says: 'the welcome stops and says why' },
    file: 'server/sending/dispatcher.ts',
    find: 'if (isAutomatic) {',
    replace: 'if (isAutomatic === undefined) {',
    tests: [welcomes],
  },
]
