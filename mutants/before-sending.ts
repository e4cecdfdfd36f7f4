import type { Mutant } from './mutant.ts'

const tried = 'docs/decisions/links-tried.md'
const back = 'docs/decisions/take-back.md'
const trying = ['server/net/try-address.test.ts']
const trials = ['server/publications/address-trials.test.ts']
const taking = ['server/publications/take-back.test.ts']

export const beforeSendingMutants: Mutant[] = [
  {
    name: 'a link to any port is tried',
    promise: { in: tried, says: 'Only the ports of the web are asked' },
    file: 'server/net/try-address.ts',
    find: 'trying.ports && !trying.ports.has(portOf(next))',
    replace: 'false',
    tests: trying,
  },
  {
    name: 'a private address is told from a name that nobody has',
    promise: { in: tried, says: 'so that nobody maps a network by it' },
    file: 'server/net/try-address.ts',
    find: "error instanceof NotPublic || code === 'ENOTFOUND'",
    replace: "code === 'ENOTFOUND'",
    tests: trying,
  },
  {
    name: 'redirects are followed for ever',
    promise: { in: tried, says: 'at most five redirects' },
    file: 'server/net/try-address.ts',
    find: 'next && hops <= MOST_REDIRECTS',
    replace: 'next && hops <= 1_000',
    tests: trying,
  },
  {
    name: 'a name and a password of a link are sent',
    promise: { in: tried, says: 'No name, password or cookie is sent' },
    file: 'server/net/try-address.ts',
    find: "  url.username = ''\n  url.password = ''\n",
    replace: '',
    tests: trying,
  },
  {
    name: 'one network is asked without a limit',
    promise: { in: tried, says: 'ask one network (an IPv4 address, a /64) at' },
    file: 'server/publications/address-trials.ts',
    find: 'if (!(await this.#requests.admits(network))) throw new TooOften()',
    replace: 'await this.#requests.admits(network)',
    tests: trials,
  },
  {
    name: 'an answer is not kept',
    promise: { in: tried, says: 'What leads somewhere is known for ten minutes' },
    file: 'server/publications/address-trials.ts',
    find: '    if (kept) return kept\n',
    replace: '',
    tests: ['server/publications/reach.test.ts'],
  },
  {
    name: 'this server asks itself',
    promise: { in: tried, says: 'This server does not ask itself' },
    file: 'server/publications/reach.ts',
    find: 'tryAll([...links.map(({ address }) => address), ...images].filter((each) => !isOwn(each)))',
    replace: 'tryAll([...links.map(({ address }) => address), ...images])',
    tests: ['server/publications/reach.test.ts'],
  },
  {
    name: 'an image is fetched from any port',
    promise: { in: 'server/net/web-ports.ts', says: 'finds out what else a machine serves' },
    file: 'server/media/fetch-image.ts',
    find: '!config.privateServers && !webPorts.has(portOf(url))',
    replace: 'false',
    tests: ['server/media/fetch-image.test.ts'],
  },
  {
    name: 'a beginning of a killed worker waits for hours',
    promise: { in: back, says: 'is given to another worker' },
    file: 'server/publications/start.job.ts',
    find: "const LEFT_ALONE = '1 minute'",
    replace: "const LEFT_ALONE = '4 hours'",
    tests: taking,
  },
  {
    name: 'what was taken back leaves',
    promise: { in: back, says: 'that come at once, one changes something' },
    file: 'server/publications/publish.ts',
    find: '      ...(order.dueAt && { only: { scheduled_at: order.dueAt } }),\n',
    replace: '',
    tests: taking,
  },
  {
    name: 'sending again begins the seconds anew',
    promise: { in: 'server/publications/publish.ts', says: 'However often it is asked, the first time counts' },
    file: 'server/publications/publish.ts',
    find: "leaving: true, unscheduled_by: null }\n    const held = await change(tx, key, { act: 'schedule', ...fields, only: { leaving: false } })",
    replace:
      "leaving: true, unscheduled_by: null }\n    const held = await change(tx, key, { act: 'schedule', ...fields })",
    tests: taking,
  },
]
