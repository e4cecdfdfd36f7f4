import type { Claim, Measure } from './claim.ts'
import { type BenchServer, startBenchServer } from './server.ts'

export const [FEW, MANY] = [10_000, 1_000_000]
const ROUNDS = 25
const MOST_TIMES = 3
const MOST_MS = 150

/** What an owner waits for is no slower with a million subscribers than with ten thousand. */
export const subscribers: Claim = {
  name: 'subscribers',
  async measure() {
    const server = await startBenchServer()
    try {
      await addSubscribers(server, FEW)
      await addSubscribers(server, MANY)
      await server.database.query('analyze')
      const measures: Measure[] = []
      for (const [name, path] of asked) measures.push(await compare(server, { name, path }))
      return measures
    } finally {
      await server.stop()
    }
  },
}

const asked: [string, string][] = [
  ['first page', '/subscribers'],
  ['first page of those who have not confirmed', '/subscribers?status=pending'],
  ['first page by address', '/subscribers?sort=address'],
  ['first page by name', '/subscribers?sort=name'],
  ['first page by name, of a language that few have', '/subscribers?sort=name&language=en'],
  ['first page by the day they joined', '/subscribers?sort=joined&direction=asc'],
  ['first page by the last change', '/subscribers?sort=changed'],
  ['first page of an origin that few have', '/subscribers?source=api'],
  ['search for an address by a part that only it has', '/subscribers?search=le.bris7330%40'],
  ['search by a part that one in a hundred has', '/subscribers?search=ines.'],
  ['search by a part that one in a hundred has, by address', '/subscribers?search=ines.&sort=address'],
  ['search by two letters that nobody has', '/subscribers?search=qx'],
  ['search by a part that all have', '/subscribers?search=example'],
  ['search by a name that nobody has', '/subscribers?search=zzyzx'],
  ['the dashboard', '/dashboard'],
]

interface Asked {
  name: string
  method?: 'POST'
  path: string
  body?: (newsletter: string) => unknown
}

/** The time of a call in the newsletter of the many beside that in the newsletter of the few. */
export async function compare(
  { call }: BenchServer,
  { name, method, path, body }: Asked,
  [fewer, more]: readonly [number, number] = [FEW, MANY],
): Promise<Measure> {
  const times = { few: [] as number[], many: [] as number[] }
  for (let round = -3; round < ROUNDS; round++) {
    for (const [size, newsletter] of [
      ['few', nameOf(fewer)],
      ['many', nameOf(more)],
    ] as const) {
      const begun = performance.now()
      await call(
        method ?? 'GET',
        `/api/newsletters/${newsletter}${path.replace('$id', newsletter)}`,
        body?.(newsletter),
      )
      if (round >= 0) times[size].push(performance.now() - begun)
    }
  }
  const [few, many] = [median(times.few), median(times.many)]
  return {
    claim: `${name}, of ${more / 1_000_000} million`,
    promised: `≤ ${MOST_TIMES} × that of ${fewer / 1000} thousand, ≤ ${MOST_MS} ms`,
    measured: `${(many / few).toFixed(2)} × (${many.toFixed(0)} ms beside ${few.toFixed(0)} ms)`,
    kept: many <= few * MOST_TIMES && many <= MOST_MS,
  }
}

const median = (times: number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0

export const nameOf = (size: number) => `bench${size}`

/** `people`: how many; as many as the newsletter's size unless it is measured by something else. One in ten has not confirmed, and nobody's neighbour in the alphabet came at the same time. */
export async function addSubscribers({ database }: BenchServer, size: number, people = size): Promise<void> {
  const id = nameOf(size)
  await database.query(
    `insert into newsletter (id, name, sender_name, language, timezone, currency)
     values ($1, 'Low Water', 'Low Water', 'en', 'Europe/Paris', 'eur')`,
    [id],
  )
  await database.query(`insert into member (newsletter_id, user_id, role) select $1, id, 'owner' from "user"`, [id])
  await database.query(
    `insert into subscriber (newsletter_id, id, email, email_normalised, name, language, source, status, created_at, confirmed_at)
     select $1, uuidv7(), email, email, initcap(first || ' ' || last), case when i % 5000 = 1 then 'en' else 'fr' end,
       case when i % 5000 = 3 then 'api' else 'page' end, case when i % 10 = 0 then 'pending' else 'active' end,
       now() - (i % 700) * interval '1 day', case when i % 10 = 0 then null else now() - (i % 700) * interval '1 day' end
     from (
       select i, first, last, first || '.' || last || i || '@' || domain || '.example' as email
       from generate_series(1::bigint, $2::bigint) i
       cross join lateral (select (array['ada', 'yann', 'zoé', 'malo', 'nour', 'loïc', 'anna', 'per', 'tom', 'eva'])[(i * 7919) % 10 + 1] as usual) u
       cross join lateral (select case when i % 100 = 7 then 'ines' else usual end as first) f
       cross join lateral (select (array['le.bris', 'kerbrat', 'guillou', 'morvan', 'le.goff'])[(i * 104729) % 5 + 1] as last) l
       cross join lateral (select (array['orange', 'free', 'proton', 'mer', 'port'])[(i * 1299709) % 5 + 1] as domain) d
     ) people`,
    [id, people],
  )
}
