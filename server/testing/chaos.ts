import { setTimeout as sleep } from 'node:timers/promises'
import { chance } from './chance.ts'
import { type Fleet, type Hand, startFleet } from './fleet.ts'
import { type LedgerRow, type Reckoning, reckon } from './reckoning.ts'
import type { Sink } from './sink.ts'
import { type Fault, startUnrulyRelay, type UnrulyRelay } from './unruly-relay.ts'

export interface Plan {
  seed: number
  readers: number
  workers: number
  /** Times that a worker, chosen by lot, is killed; it is started again at once. */
  kills: number
  /** Milliseconds from one blow to the next, on average. */
  everyMs: number
  /** Times that PostgreSQL is stopped: half of them fast, half of them as a crash. */
  databaseStops: number
  /** Times that all connections end and no new one is taken for a second. */
  silences: number
  faults: Fault[]
  /** How long the rest may take once the last blow has fallen. */
  patienceMs: number
  say?: (line: string) => void
}

export interface Damage extends Reckoning {
  states: Record<string, number>
  /** Rows of the ledger by state and the sums that are kept beside them are the same, and everybody is there. */
  addsUp: boolean
  finished: boolean
  /** Connections that ended in the middle of something: each may leave one recipient uncertain. */
  broken: number
  seconds: number
}

interface Battle {
  plan: Plan
  fleet: Fleet
  relay: UnrulyRelay
  posts: { hand: Hand; door: Sink; restart: Promise<void> }[]
  publicationId: string
  random: () => number
  broken: number
  ended: boolean
}

const NEWSLETTER = 'chaos'

/** Sends one publication while all that a plan names goes wrong, and compares the relay's own record with the ledger. */
export async function wreakHavoc(plan: Plan): Promise<Damage> {
  const fleet = await startFleet()
  const relay = await startUnrulyRelay(plan.seed, plan.faults)
  const begun = performance.now()
  try {
    await fleet.addNewsletter(NEWSLETTER, plan.readers)
    const posts = await Promise.all(
      Array.from({ length: plan.workers }, async () => {
        const door = await relay.openDoor()
        return { door, hand: await fleet.hire(door.url), restart: Promise.resolve() }
      }),
    )
    const publicationId = await send(fleet)
    const battle: Battle = {
      plan,
      fleet,
      relay,
      posts,
      publicationId,
      random: chance(plan.seed),
      broken: 0,
      ended: false,
    }
    await strikeAll(battle)
    const finished = await isSentWithin(battle, plan.patienceMs)
    battle.ended = true
    await Promise.all(posts.map(({ restart }) => restart))
    return { ...(await assess(battle)), finished, seconds: (performance.now() - begun) / 1_000 }
  } finally {
    await fleet.stop()
    await relay.stop()
  }
}

async function send(fleet: Fleet): Promise<string> {
  const path = `/api/newsletters/${NEWSLETTER}/publications`
  const content = {
    type: 'doc',
    content: [{ type: 'paragraph', content: [{ type: 'text', text: 'The sea leaves.' }] }],
  }
  const { id } = await fleet.call<{ id: string }>('POST', path, { title: 'Low tide', content })
  await fleet.call('POST', `${path}/${id}/send`, {})
  return id
}

type Blow = 'kill' | 'stop the database' | 'crash the database' | 'silence'

/** Every blow by lot; the relay takes no more between two of them than its share, so that they fall while mail is leaving. */
async function strikeAll(battle: Battle): Promise<void> {
  const { plan, relay, random } = battle
  const blows = shuffled(blowsOf(plan), random)
  for (const [index, blow] of blows.entries()) {
    relay.allow(Math.floor((plan.readers * (index + 1)) / (blows.length + 1)))
    await sleep(plan.everyMs * 2 * random())
    await strike(battle, blow)
    if (index % 10 === 9)
      plan.say?.(`${index + 1} of ${blows.length} blows, ${relay.record.length} entries in the record`)
  }
  relay.allow(Number.POSITIVE_INFINITY)
}

const blowsOf = ({ kills, databaseStops, silences }: Plan): Blow[] => [
  ...Array<Blow>(kills).fill('kill'),
  ...Array<Blow>(Math.ceil(databaseStops / 2)).fill('stop the database'),
  ...Array<Blow>(Math.floor(databaseStops / 2)).fill('crash the database'),
  ...Array<Blow>(silences).fill('silence'),
]

async function strike(battle: Battle, blow: Blow): Promise<void> {
  const { fleet, posts, random } = battle
  if (blow === 'kill') await kill(battle, Math.floor(random() * posts.length))
  else if (blow === 'silence') await silence(battle, 500 + random() * 1_000)
  else {
    // It may be on its way up from the last blow.
    await fleet.query('select 1')
    // PostgreSQL’s own signals: fast, and immediate, which is recovered from as after a crash.
    process.kill(fleet.databaseServer(), blow === 'stop the database' ? 'SIGINT' : 'SIGQUIT')
  }
}

/** Mostly somebody at work, at times somebody in the middle of their start. */
async function kill(battle: Battle, index: number): Promise<void> {
  const post = battle.posts[index]
  if (!post) return
  if (battle.random() < 0.9) await post.restart
  battle.broken += post.door.connections()
  await post.hand.end('SIGKILL')
  await post.restart
  post.restart = keepUp(battle, post.hand)
}

/** What a service manager does: a program that does not come up, because its database is away, is started again. */
async function keepUp(battle: Battle, hand: Hand): Promise<void> {
  while (!battle.ended) {
    const up = await hand.start().then(
      () => true,
      () => false,
    )
    if (up) return
    await sleep(200)
  }
}

async function silence(battle: Battle, ms: number): Promise<void> {
  const doors = battle.posts.map(({ door }) => door)
  battle.broken += doors.reduce((sum, door) => sum + door.connections(), 0)
  await Promise.all(doors.map((door) => door.deafen()))
  await sleep(ms)
  await Promise.all(doors.map((door) => door.listen()))
}

async function isSentWithin({ fleet, publicationId, plan }: Battle, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms
  for (let told = 0; performance.now() < deadline; ) {
    const [row] = await fleet.query<{ status: string; waiting: number }>(
      `select p.status, c.queued + c.claimed + c.deferred as waiting from publication_status p
       left join publication_count c on c.publication_id = p.publication_id where p.publication_id = $1`,
      [publicationId],
    )
    if (row?.status === 'sent') return true
    if (Date.now() - told > 10_000) {
      told = Date.now()
      plan.say?.(`${row?.status}, ${row?.waiting} to go`)
    }
    await sleep(50)
  }
  return false
}

async function assess({ fleet, relay, publicationId, plan, broken }: Battle) {
  const rows = await fleet.query<LedgerRow & Record<string, unknown>>(
    `select subscriber_id as "subscriberId", email, state from delivery where publication_id = $1`,
    [publicationId],
  )
  const [counts] = await fleet.query<Record<string, number>>(
    `select intended, queued, claimed, accepted, deferred, failed, suppressed, uncertain
     from publication_count where publication_id = $1`,
    [publicationId],
  )
  const { intended, ...kept } = counts ?? {}
  const states = Object.fromEntries(
    Object.entries(Object.groupBy(rows, ({ state }) => state)).map(([state, of]) => [state, of?.length ?? 0]),
  )
  const same = Object.entries(kept).every(([state, n]) => (states[state] ?? 0) === n)
  return {
    ...reckon(publicationId, rows, relay.record),
    states,
    addsUp: same && intended === plan.readers && rows.length === plan.readers,
    broken: broken + relay.cuts(),
  }
}

function shuffled<T>(items: T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}
