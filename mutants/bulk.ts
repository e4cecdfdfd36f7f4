import type { Mutant } from './mutant.ts'

const bulk = 'server/subscribers/bulk/bulk.test.ts'
const decision = 'docs/decisions/bulk-changes.md'

/** One act on many subscribers. */
export const bulkMutants: Mutant[] = [
  {
    name: 'a bulk change begins anew when it goes on',
    promise: { in: decision, says: 'A killed process leaves whole batches' },
    file: 'server/subscribers/bulk/bulk-change.job.ts',
    find: '.$if(after_subscriber !== null, (query)',
    replace: '.$if(false, (query)',
    tests: [bulk],
  },
  {
    name: 'undoing a bulk change brings back who left by themselves',
    promise: { in: decision, says: 'only brings back who still left at the time of the act, and is not suppressed' },
    file: 'server/subscribers/put-back.ts',
    find: 'and s.left_at = r.removed_at and',
    replace: 'and',
    tests: [bulk],
  },
  {
    name: 'a bulk change takes whoever is chosen by now',
    promise: { in: decision, says: 'Whoever says how many they mean is refused when it is another number' },
    file: 'server/subscribers/bulk/changes.ts',
    find: 'if (expected !== null && expected !== total)',
    replace: 'if (expected !== null && expected > total + 1_000_000)',
    tests: [bulk],
  },
  {
    name: 'leaving after a bulk change by a member is not written down',
    promise: { in: decision, says: 'withdrawal of its own, with a new time' },
    file: 'server/subscribers/change.ts',
    find: "from: ['pending', 'active', 'unsubscribed'],\n    set: sql`status = 'unsubscribed'",
    replace: "from: ['pending', 'active'],\n    set: sql`status = 'unsubscribed'",
    tests: [bulk],
  },
  {
    name: 'a bulk change goes on after its API key is revoked',
    promise: { in: decision, says: "before each batch, the member's role or the key's is read again" },
    file: 'server/newsletters/api-keys.ts',
    find: 'return row ? [row.role, row.makerRole] : []',
    replace: "return row ? [row.role, row.makerRole] : ['owner']",
    tests: [bulk],
  },
  {
    name: 'a bulk change of an API key goes on after its maker may do less',
    promise: { in: decision, says: "before each batch, the member's role or the key's is read again" },
    file: 'server/newsletters/api-keys.ts',
    find: 'return row ? [row.role, row.makerRole] : []',
    replace: 'return row ? [row.role] : []',
    tests: [bulk],
  },
]
