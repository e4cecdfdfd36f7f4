import type { Mutant } from './mutant.ts'

const decisions = 'docs/decisions/charge.md'
const events = 'docs/decisions/payment-events.md'
const paywall = 'docs/decisions/paywall.md'
const entitlements = ['server/charge/entitlement.test.ts', 'server/charge/change.test.ts']
const applied = ['server/charge/payment-events/webhook.test.ts', 'server/charge/payment-events/events.test.ts']
const secrets = ['server/publications/secrecy.test.ts']

/** What is paid for is open, what is not stays shut, and nothing is charged or given back twice. */
export const chargeMutants: Mutant[] = [
  {
    name: 'charge: who pays late is locked out at once',
    promise: { in: decisions, says: 'A renewal of which nothing is heard leaves the days of grace.' },
    file: 'server/charge/entitlement.ts',
    find: 'return renews ? afterGrace(paidUntil) : paidUntil',
    replace: 'return paidUntil',
    tests: entitlements,
  },
  {
    name: 'charge: a second subscription shortens the first',
    promise: { in: decisions, says: 'the latest end of all their subscriptions to it' },
    file: 'server/charge/entitlement.ts',
    find: 'if (until && (!before || isLater(until, before)))',
    replace: 'if (until)',
    tests: entitlements,
  },
  {
    name: 'charge: a stored subscription opens nothing',
    promise: { in: decisions, says: 'works out the *entitlements* of its subscriber' },
    file: 'server/charge/change.ts',
    find: 'if (after.subscriber_id) await keepEntitlements(',
    replace: "if (after.subscriber_id === 'nobody') await keepEntitlements(",
    tests: entitlements,
  },
  {
    name: 'charge: what has ended begins again',
    promise: { in: events, says: 'An end is final.' },
    file: 'server/charge/payment-events/newest.ts',
    find: "if (known.ended) return 'nothing new'",
    replace: '',
    tests: applied,
  },
  {
    name: 'charge: what Stripe said earlier takes the place of what it said later',
    promise: { in: events, says: 'The newest statement wins.' },
    file: 'server/charge/payment-events/newest.ts',
    find: "if (known.at && latest < known.at.getTime()) return 'nothing new'",
    replace: '',
    tests: applied,
  },
  {
    name: 'charge: a webhook that somebody kept is taken again',
    promise: { in: 'server/charge/payment-events/webhook-routes.ts', says: 'How old a signature may be.' },
    file: 'server/charge/payment-events/webhook-routes.ts',
    find: 'const TOLERANCE_SECONDS = 300',
    replace: 'const TOLERANCE_SECONDS = 300_000_000',
    tests: applied,
  },
  {
    name: 'charge: a subscription that names another newsletter is taken',
    promise: { in: events, says: 'each id must belong to' },
    file: 'server/charge/payment-events/apply-subscriptions.ts',
    find: 'const ours = before ? theirs : theirs.filter(({ stated }) => stated.names.newsletter === newsletter.id)',
    replace: 'const ours = theirs',
    tests: applied,
  },
  {
    name: 'charge: whatever differs from Stripe is repaired, however much it is',
    promise: { in: events, says: 'more are evidence that something' },
    file: 'server/charge/payment-events/comparison.ts',
    find: 'const isTooMuch = count > Math.max(',
    replace: 'const isTooMuch = count < 0 && count > Math.max(',
    tests: ['server/charge/payment-events/said.test.ts'],
  },
  {
    name: 'charge: a payment is given back in two windows',
    promise: { in: 'server/charge/card/give-back.ts', says: 'the second hears that it was done' },
    file: 'server/charge/card/give-back.ts',
    find: "if (-Number(back?.sum ?? 0) !== seen) throw new AppError('given_back_meanwhile')",
    replace: '',
    tests: ['server/charge/card/give-back.test.ts'],
  },
  {
    name: 'charge: how a subscription was before its newsletter was deleted is forgotten',
    promise: {
      in: 'server/charge/stripe/hold.job.ts',
      says: 'how the subscription was before its newsletter was deleted',
    },
    file: 'server/charge/stripe/hold.job.ts',
    find: "if (metadata[HELD] || stated === 'canceled') return",
    replace: "if (stated === 'canceled') return",
    tests: ['server/charge/stripe/hold.test.ts'],
  },
  {
    name: 'paywall: everybody has paid',
    promise: { in: paywall, says: 'A part of a publication is for paid subscribers.' },
    file: 'server/publications/document/visible.ts',
    find: "if (gate === 'paid') return plans.size > 0",
    replace: "if (gate === 'paid') return plans.size >= 0",
    tests: secrets,
  },
  {
    name: 'paywall: a block for some is for all',
    promise: { in: paywall, says: 'the blocks *only for* some' },
    file: 'server/publications/document/visible.ts',
    find: 'return surfaceOf(node) || isOpen(gateOf(node), access) ?',
    replace: 'return surfaceOf(node) || isOpen(gateOf(node), access) || access ?',
    tests: secrets,
  },
  {
    name: 'only for: what is for one place is read in the other',
    promise: { in: paywall, says: '`visibleTo` takes the place as well' },
    file: 'server/publications/document/visible.ts',
    find: '[null, surface].includes(surfaceOf(node))',
    replace: '[null, surface, surfaceOf(node)].includes(surfaceOf(node))',
    tests: ['server/publications/only-in-one-place.test.ts'],
  },
  {
    name: 'footnote: a note may hold what no document may',
    promise: {
      in: 'server/publications/document/note-text.ts',
      says: 'words, of which some are bold, italic or a link',
    },
    file: 'server/publications/document/note-text.ts',
    find: 'return isLinkAddress(href) &&',
    replace: "return typeof href === 'string' &&",
    tests: ['server/publications/document/footnotes.test.tsx'],
  },
]
