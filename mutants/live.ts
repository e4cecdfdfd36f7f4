import type { Mutant } from './mutant.ts'

const promise = { in: 'docs/operating.md', says: 'is right within two seconds, also after its stream was cut' }
const gone = { in: 'docs/operating.md', says: 'the word is away while the stream is' }
const tests = ['studio/live.test.ts']

/** What pages show with the word *Live*. */
export const liveMutants: Mutant[] = [
  {
    name: 'live: what changed while the stream was away is not fetched when it opens',
    promise,
    file: 'studio/live-newsletter.ts',
    find: '      shown.missed()\n',
    replace: '',
    tests,
  },
  {
    name: 'live: a change is lost when it comes while an older answer is under way',
    promise,
    file: 'studio/live-queries.ts',
    find: 'else if (!this.#again.has(query.queryHash)) this.#again.set(query.queryHash, Date.now() + DUE_MS)',
    replace: 'else this.#fetch(query)',
    tests,
  },
  {
    name: 'live: an answer is thrown away at each change, so that a busy page gets none',
    promise,
    file: 'studio/live-queries.ts',
    find: "if (query.state.fetchStatus === 'idle') this.#fetch(query)\n      else if (!this.#again.has(query.queryHash)) this.#again.set(query.queryHash, Date.now() + DUE_MS)",
    replace: 'void this.queries.invalidateQueries({ queryKey: query.queryKey, exact: true })',
    tests,
  },
  {
    name: 'live: a stream that was refused stays closed',
    promise,
    file: 'studio/live-stream.ts',
    find: 'if (source.readyState === CLOSED) this.#reopenLater()\n      else this.#listen()',
    replace: 'clearTimeout(this.#silence)',
    tests,
  },
  {
    name: 'live: the word stays while the stream is broken',
    promise: gone,
    file: 'studio/live-newsletter.ts',
    find: 'onLost: () => set({ open: false }),',
    replace: 'onLost: () => {},',
    tests,
  },
  {
    name: 'live: the word stays when nothing is heard',
    promise: gone,
    file: 'studio/live-stream.ts',
    find: 'this.#doubt = setTimeout(() => this.options.onLost(), DOUBT_MS)',
    replace: '',
    tests,
  },
  {
    name: 'live: the word stays while what changed is not shown',
    promise,
    file: 'studio/live-newsletter.ts',
    find: 'show(is.open && !is.late)',
    replace: 'show(is.open)',
    tests,
  },
  {
    name: 'live: what could not be fetched is not asked for again',
    promise,
    file: 'studio/live-queries.ts',
    find: 'this.#after(RETRY_MS, queryHash, () => this.#fetch(query))',
    replace: '',
    tests,
  },
  {
    name: 'live: streams stay open while the server hears of no change',
    promise,
    file: 'server/http/live.ts',
    find: '      this.#isDeaf = true\n      this.#endAll()\n',
    replace: '      this.#isDeaf = true\n',
    tests: ['server/http/live.test.ts'],
  },
  {
    name: 'live: nobody is told of caught mail',
    promise,
    file: 'server/relays/outbox.ts',
    find: '    this.options.kept?.(mail.newsletterId)\n',
    replace: '',
    tests: ['server/http/live.test.ts'],
  },
]
