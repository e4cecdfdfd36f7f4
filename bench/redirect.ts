import { type Claim, type Measure, thousands } from './claim.ts'
import { cpuSeconds, databaseCpuSeconds } from './processes.ts'
import { type BenchServer, postmasterOf, runLoad, startBare } from './server.ts'

// Clicks wait up to half a second to be counted: in a short run that rest would be the cost of clicks.
const SECONDS = 12
const PROMISED = 0.4
const PROMISED_SLOWEST = 12
const LINKS = 100_000

const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** `/r/{id}` with every click committed and counted, compared with a bare redirect of `node:http` before and after it. */
export const redirect: Claim = {
  name: 'redirect',
  async measure(server) {
    const running = await server()
    await running.database.query(
      `insert into short_link (newsletter_id, id, target)
       select $1, 'bench-' || i, 'https://example.org/' || i from generate_series(1, $2::integer) i on conflict do nothing`,
      [running.newsletterId, LINKS],
    )
    return [
      ...(await compare(running, { name: 'one short link', links: 1 })),
      ...(await compare(running, { name: `${thousands(LINKS)} short links`, links: LINKS })),
    ]
  },
}

async function compare(server: BenchServer, { name, links }: { name: string; links: number }): Promise<Measure[]> {
  const { port, pid, database } = server
  const postmaster = await postmasterOf(server)
  const load = {
    connections: 64,
    method: 'GET',
    path: '/r/bench-{n}',
    links,
    headers: { 'user-agent': agent },
  } as const
  await runLoad({ ...load, port, seconds: 2 })
  await counted()
  const before = await stored()
  const bare = await startBare()
  const first = await runLoad({ ...load, port: bare.port, seconds: SECONDS / 2 })
  const usedBefore = await used()
  const begun = performance.now()
  const ours = await runLoad({ ...load, port, seconds: SECONDS })
  const redirected = performance.now()
  await counted()
  // What is counted after the last answer belongs to the cost of what was answered.
  const perSecond = (ours.perSecond * (redirected - begun)) / (performance.now() - begun)
  const usedAfter = await used()
  const second = await runLoad({ ...load, port: bare.port, seconds: SECONDS / 2 })
  await bare.stop()
  const clicks = (await stored()) - before
  const reference = (first.perSecond + second.perSecond) / 2
  const ratio = perSecond / reference
  const slowest = ours.p99 / ours.p50
  return [
    {
      claim: `${name}, 64 connections, each click counted`,
      promised: `≥ ${PROMISED} × node:http`,
      measured: `${ratio.toFixed(2)} × (${thousands(perSecond)}/s of ${thousands(reference)}/s; ${costs()})`,
      kept: ratio >= PROMISED && ours.statuses['302'] === ours.answered,
    },
    {
      claim: `${name}, p99 beside p50`,
      promised: `< ${PROMISED_SLOWEST} ×`,
      measured: `${slowest.toFixed(1)} × (${ours.p99} of ${ours.p50} ms)`,
      kept: slowest < PROMISED_SLOWEST,
    },
    {
      claim: `${name}, answered redirects that are clicks and counted`,
      promised: 'all',
      measured: `${thousands(clicks)} of ${thousands(ours.answered)}`,
      kept: clicks >= ours.answered,
    },
  ]

  /** What one click costs; its counting too. */
  function costs(): string {
    const each = (part: keyof typeof usedAfter) => (usedAfter[part] - usedBefore[part]) / ours.answered
    const cpu = (part: 'app' | 'database') => `${(each(part) * 1e6).toFixed(1)} µs`
    return `of CPU, the application ${cpu('app')} a click and PostgreSQL ${cpu('database')}; ${each('log').toFixed(0)} bytes of its log`
  }

  async function used() {
    const { rows } = await database.query<{ bytes: number }>('select wal_bytes::float8 as bytes from pg_stat_wal')
    return { app: cpuSeconds(pid), database: databaseCpuSeconds(postmaster), log: rows[0]?.bytes ?? 0 }
  }

  /** Of all links: what is counted of them. */
  async function stored(): Promise<number> {
    const { rows } = await database.query<{ clicks: number; counted: number }>(
      `select (select count(*)::integer from click) as clicks, (select sum(raw)::integer from link_clicks_by_source) as counted`,
    )
    return Math.min(rows[0]?.clicks ?? 0, rows[0]?.counted ?? 0)
  }

  async function counted(): Promise<void> {
    for (;;) {
      const { rows } = await database.query<{ wait: boolean }>('select exists (select from click_waiting) as wait')
      if (!rows[0]?.wait) return
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}
