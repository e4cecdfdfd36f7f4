import type { Mutant } from './mutant.ts'

const rules = 'docs/human-clicks.md'
const patterns = ['server/links/patterns.test.ts']
const figures = ['server/links/figures.test.ts']

/** The rules for clicks of people, and the figures that are kept of them. */
export const linkMutants: Mutant[] = [
  {
    name: 'links: whoever follows a hidden address is a person',
    promise: { in: rules, says: 'Whoever follows it follows every address' },
    file: 'server/links/click.ts',
    find: "excludedBy(facts) ?? (link.canary ? 'canary' : null)",
    replace: 'excludedBy(facts)',
    tests: patterns,
  },
  {
    name: 'links: two of three links are a burst',
    promise: { in: rules, says: 'every link of a mail that has three or more' },
    file: 'server/links/patterns.job.ts',
    find: 'const BURST_LINKS = 3',
    replace: 'const BURST_LINKS = 2',
    tests: patterns,
  },
  {
    name: 'links: a burst may come a day later',
    promise: { in: rules, says: 'beginning no later than a minute after the mail was accepted' },
    file: 'server/links/patterns.job.ts',
    find: 'const BURST_BEGINS_SECONDS = 60',
    replace: 'const BURST_BEGINS_SECONDS = 86_400',
    tests: patterns,
  },
  {
    name: 'links: what several clicks have shown is forgotten when rules are applied again',
    promise: { in: 'server/links/replay.job.ts', says: 'What several clicks have shown stays' },
    file: 'server/links/replay.job.ts',
    find: "return rule ?? (excluded_by === 'canary' || excluded_by === 'burst' ? excluded_by : null)",
    replace: 'return rule',
    tests: patterns,
  },
  {
    name: 'links: a disabled link leads on',
    promise: { in: 'server/links/routes.ts', says: 'Why a link leads to its target no more' },
    file: 'server/links/routes.ts',
    find: "disabledAt ? 'disabled' : expiresAt",
    replace: "disabledAt === at ? 'disabled' : expiresAt",
    tests: figures,
  },
  {
    name: 'links: a link that was changed leads where it led before',
    promise: { in: 'server/links/link-cache.ts', says: 'notifies of a changed link, which is then forgotten' },
    file: 'server/links/link-cache.ts',
    find: '    this.#changes++\n    this.#links.delete(id)\n',
    replace: '    this.#changes++\n    void id\n',
    tests: ['server/links/link-cache.test.ts'],
  },
  {
    name: 'links: a person who clicked many links is counted for none',
    promise: { in: 'docs/decisions/click-figures.md', says: 'its people' },
    file: 'migrations/0098_clicks_in_batches.sql',
    find: 'set people = r.people + excluded.people;\n  end if;\n\n  if has_publications',
    replace: 'set people = r.people;\n  end if;\n\n  if has_publications',
    tests: figures,
  },
  {
    name: 'links: networks of data centres begin one address later',
    promise: { in: 'server/links/networks.ts', says: 'both ends included' },
    file: 'server/links/networks.ts',
    find: 'return { first, last: first + (1n << free) - 1n }',
    replace: 'return { first: first + 1n, last: first + (1n << free) - 1n }',
    tests: ['server/links/networks.test.ts'],
  },
]
