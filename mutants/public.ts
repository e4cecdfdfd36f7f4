import type { Mutant } from './mutant.ts'

const subscribe = 'server/subscribers/subscribe.test.ts'
const links = 'server/links/links.test.ts'
const get = { in: 'CONTRIBUTING.md', says: 'A GET never changes state' }

export const publicMutants: Mutant[] = [
  {
    name: 'opening a confirmation link confirms',
    promise: get,
    file: 'server/subscribers/confirm-routes.ts',
    find: "page('GET /confirm/:token', show)",
    replace: "page('GET /confirm/:token', async (request, reply) => { await submit(request, reply); return reply })",
    tests: [subscribe],
  },
  {
    name: 'opening an unsubscribe link unsubscribes',
    promise: get,
    file: 'server/subscribers/leave-routes.ts',
    find: "page('GET /unsub/:newsletterId/:subscriberId', show)",
    replace: "page('GET /unsub/:newsletterId/:subscriberId', submit)",
    tests: [subscribe],
  },
  {
    name: 'a signature is not compared',
    promise: { in: 'server/http/signing.ts', says: 'Returns the value when its signature is valid, else null.' },
    file: 'server/http/signing.ts',
    find: 'given.length === expected.length && timingSafeEqual(given, expected) ? value : null',
    replace: 'given.length === expected.length ? value : null',
    tests: [subscribe],
  },
  {
    name: 'a confirmation never ends',
    promise: { in: 'server/subscribers/confirm.ts', says: 'It is valid for 30 days after the request.' },
    file: 'server/subscribers/confirm.ts',
    find: "requested && now.getTime() - asked <= VALID_MS ? 'open'",
    replace: "requested ? 'open'",
    tests: [subscribe],
  },
  {
    name: 'a confirmation lifts what was suppressed by hand',
    promise: { in: 'server/subscribers/change.ts', says: 'A confirmation lifts what a bounce did.' },
    file: 'server/subscribers/change.ts',
    find: "and (x.reason = 'by_hand' or x.reason = 'complained' and",
    replace: "and (x.reason = 'complained' and",
    tests: [subscribe],
  },
  {
    name: 'the form has no limit',
    promise: { in: 'server/subscribers/subscribe-limits.ts', says: 'A form sent from a network.' },
    file: 'server/subscribers/subscribe-limits.ts',
    find: 'return this.#networks.take(network)',
    replace: 'return Promise.resolve(void network)',
    tests: [subscribe],
  },
  {
    name: 'a click is stored after its answer',
    promise: { in: 'docs/human-clicks.md', says: 'is stored as a click before it is answered' },
    file: 'server/links/routes.ts',
    find: '    await clickLog.add(describeClick(link, request, now()))\n',
    replace: '    void clickLog.add(describeClick(link, request, now()))\n',
    tests: [links],
  },
  {
    name: 'an expired link leads on',
    promise: { in: 'server/links/routes.ts', says: "return explain('expired', request, reply)" },
    file: 'server/links/routes.ts',
    find: 'if (link.expiresAt && link.expiresAt <= now()) return',
    replace: 'if (link.expiresAt && link.expiresAt < new Date(0)) return',
    tests: [links],
  },
  {
    name: 'scanners are people',
    promise: {
      in: 'docs/human-clicks.md',
      says: 'the mail filters and link scanners named in `server/links/human.ts`',
    },
    file: 'server/links/human.ts',
    find: 'matches: ({ agent }) => SCANNERS.test(agent)',
    replace: "matches: ({ agent }) => agent === 'scanner'",
    tests: ['server/links/human.test.ts'],
  },
  {
    name: 'HEAD is a person',
    promise: { in: 'docs/human-clicks.md', says: 'requests that are not `GET`' },
    file: 'server/links/human.ts',
    find: "matches: ({ method }) => method !== 'GET'",
    replace: "matches: ({ method }) => method === 'OPTIONS'",
    tests: ['server/links/human.test.ts'],
  },
  {
    name: 'each loading of the pixel is an opening',
    promise: { in: 'server/links/opens.ts', says: 'Records the first opening of each delivery' },
    file: 'server/links/opens.ts',
    find: 'and d.subscriber_id = f.subscriber_id and d.opened_at is null',
    replace: 'and d.subscriber_id = f.subscriber_id',
    tests: ['server/sending/delivery-page.test.ts'],
  },
  {
    name: 'a spreadsheet runs what a subscriber wrote',
    promise: {
      in: 'server/database/csv.ts',
      says: 'A value that a spreadsheet would run as a formula begins with an apostrophe',
    },
    file: 'server/database/csv.ts',
    find: `then '''' || \${column} else`,
    replace: `then \${column} else`,
    tests: ['server/sending/delivery-page.test.ts'],
  },
  {
    name: 'an erased person stays in the deliveries',
    promise: { in: 'server/sending/delivery-state.ts', says: 'Removes a person from every delivery of a newsletter.' },
    file: 'server/sending/delivery-state.ts',
    find: "update delivery d set email = '', answer = null,",
    replace: 'update delivery d set answer = null,',
    tests: ['server/personal-data/personal-data.test.ts'],
  },
]
