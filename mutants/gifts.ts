import type { Mutant } from './mutant.ts'

const decisions = 'docs/decisions/charge.md'
const reminders = ['server/charge/outside/remind.test.ts']
const gifts = ['server/charge/gifts/gifts.test.ts']
const job = 'server/charge/outside/remind.job.ts'

/** Reminders before an end, and gifts by code. */
export const giftMutants: Mutant[] = [
  {
    name: 'charge: nobody notes for which end a reminder was',
    promise: { in: decisions, says: 'The mail is queued in the transaction that notes for which end it is.' },
    file: job,
    find: 'const reminded = { reminded_for: subscription.paid_until, reminded_days: due.days, at }',
    replace: 'const reminded = { at }',
    tests: reminders,
  },
  {
    name: 'charge: two processes remind of one end at the same time',
    promise: { in: job, says: 'under the lock of its subscriber' },
    file: job,
    find: 'await lockSubscriber(tx, { newsletterId, subscriberId })',
    replace: 'await Promise.resolve(lockSubscriber)',
    tests: reminders,
  },
  {
    name: 'charge: a reminder goes to who called a mail spam',
    promise: { in: decisions, says: 'to nobody whose address bounced, complained, was suppressed or never confirmed' },
    file: job,
    find: 'x.email_normalised = r.email_normalised)',
    replace: 'x.email_normalised = r.email_normalised and false)',
    tests: reminders,
  },
  {
    name: 'charge: everybody is reminded of the end of a gift, whatever their owner chose',
    promise: {
      in: decisions,
      says: 'Of a gift and a complimentary subscription nobody is reminded until the owner says so',
    },
    file: job,
    find: 's.way = any(n.remind_ways)',
    replace: "s.way <> 'card'",
    tests: reminders,
  },
  {
    name: 'charge: a sale is due to nothing that its buyer was reading',
    promise: { in: 'docs/charge-figures.md', says: 'what they were reading when they bought' },
    file: 'server/charge/plans/origin.ts',
    find: 'publicationId: publication?.id ?? null',
    replace: 'publicationId: null',
    tests: ['server/charge/plans/origin.test.ts'],
  },
  {
    name: 'charge: another site says by its address from where a sale came',
    promise: { in: 'server/charge/plans/origin.ts', says: 'then that of the page of ours from' },
    file: 'server/charge/plans/origin.ts',
    find: 'before?.origin === new URL(publicUrl).origin ?',
    replace: 'before ?',
    tests: ['server/charge/plans/origin.test.ts'],
  },
  {
    name: 'publications: nobody is told that a gate names a closed plan beside an open one',
    promise: { in: 'docs/charge.md', says: 'names one that is closed beside one that is not' },
    file: 'server/publications/pre-flight.ts',
    find: 'return open > 0 && open < gate.length',
    replace: 'return open < 0',
    tests: ['server/publications/pre-flight-gates.test.ts'],
  },
  {
    name: 'gifts: two people take one code at the same moment',
    promise: { in: decisions, says: 'of two who have one code one gets it' },
    file: 'server/charge/gifts/redeem.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a file
    find: '${isOpen(at)} for update',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a file
    replace: '${isOpen(at)}',
    tests: gifts,
  },
  {
    name: 'gifts: codes are tried without end',
    promise: { in: 'server/charge/gifts/code.ts', says: 'nobody guesses at the pace at which codes can be tried' },
    file: 'server/charge/gifts/public-routes.ts',
    find: 'await tries.take(network)',
    replace: 'await Promise.resolve(tries)',
    tests: gifts,
  },
  {
    name: 'gifts: opening the link takes the gift',
    promise: { in: 'server/charge/gifts/public-routes.ts', says: 'Opening a link changes nothing' },
    file: 'server/charge/gifts/public-routes.ts',
    find: "page('GET /gift/:token', show)",
    replace: "page('GET /gift/:token', take)",
    tests: gifts,
  },
]
