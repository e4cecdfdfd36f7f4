import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { to as copyTo } from 'pg-copy-streams'
import type { Claim, Measure } from './claim.ts'
import { type BenchServer, startBenchServer } from './server.ts'

const SUBSCRIBERS = 1_000_000
const ROUNDS = 3
const MOST_TIMES = 2
const MOST_MEGABYTES = 50

/** A million subscribers leave in little more than the time in which PostgreSQL writes them, and the server keeps none of them. */
export const exported: Claim = {
  name: 'export',
  async measure() {
    const server = await startBenchServer()
    try {
      await addSubscribers(server)
      return [...(await compare(server, 'csv')), ...(await compare(server, 'jsonl'))]
    } finally {
      await server.stop()
    }
  },
}

async function compare(server: BenchServer, format: 'csv' | 'jsonl'): Promise<Measure[]> {
  const { newsletterId, pid } = server
  const path = `/api/newsletters/${newsletterId}/subscribers.${format}`
  await seconds(() => download(server, path))
  const before = residentMegabytes(pid)
  let most = before
  const watch = setInterval(() => (most = Math.max(most, residentMegabytes(pid))), 100)
  const times = { ours: [] as number[], bare: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    times.bare.push(await seconds(() => copy(server, references[format])))
    times.ours.push(await seconds(() => download(server, path)))
  }
  clearInterval(watch)
  const [ours, bare] = [median(times.ours), median(times.bare)]
  const name = `${SUBSCRIBERS / 1_000_000} million subscribers as ${format === 'csv' ? 'CSV' : 'JSON lines'}`
  return [
    {
      claim: name,
      promised: `≤ ${MOST_TIMES} × copy to stdout of the same columns`,
      measured: `${(ours / bare).toFixed(2)} × (${ours.toFixed(1)} s beside ${bare.toFixed(1)} s)`,
      kept: ours <= bare * MOST_TIMES,
    },
    {
      claim: `${name}: memory that the server takes meanwhile`,
      promised: `≤ ${MOST_MEGABYTES} MB`,
      measured: `${(most - before).toFixed(0)} MB`,
      kept: most - before <= MOST_MEGABYTES,
    },
  ]
}

/** The same columns of the same rows as PostgreSQL writes them by itself: no guard, no times in ISO 8601, no order. */
const columns = `s.email, s.name, s.language, s.status, s.source, s.created_at, s.confirmed_at, s.left_at, s.left_reason, s.paused_until, s.pace`
const tags = (names: string) => `from subscriber s left join (
  select st.subscriber_id, ${names} as tags from subscriber_tag st
  join tag t on t.newsletter_id = st.newsletter_id and t.id = st.tag_id
  where st.newsletter_id = 'bench' group by 1) t on t.subscriber_id = s.id
  where s.newsletter_id = 'bench'`
const references = {
  csv: `copy (select ${columns}, t.tags, s.fields ->> 'city', s.fields ->> 'boats' ${tags(`string_agg(t.name, ';')`)})
    to stdout with (format csv)`,
  jsonl: `copy (select to_json(x) from (select ${columns}, t.tags, s.fields ${tags('json_agg(t.name)')}) x) to stdout`,
}

async function copy({ database }: BenchServer, statement: string): Promise<void> {
  const client = await database.connect()
  try {
    for await (const _ of client.query(copyTo(statement)));
  } finally {
    client.release()
  }
}

async function download({ port, cookie }: BenchServer, path: string): Promise<void> {
  let lines = 0
  await new Promise<void>((resolve, reject) => {
    get({ port, path, headers: { cookie } }, (answer) => {
      answer.on('data', (piece: Buffer) => {
        for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines++
      })
      answer.once('end', resolve).once('error', reject)
    }).once('error', reject)
  })
  if (lines < SUBSCRIBERS) throw new Error(`${path} has ${lines} lines`)
}

async function seconds(work: () => Promise<void>): Promise<number> {
  const begun = performance.now()
  await work()
  return (performance.now() - begun) / 1000
}

const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

const median = (times: number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0

/** One in three has values of both fields and some of ten tags. */
async function addSubscribers({ database, newsletterId }: BenchServer): Promise<void> {
  await database.query(`insert into custom_field (newsletter_id, key, label, kind)
    values ('${newsletterId}', 'city', 'City', 'text'), ('${newsletterId}', 'boats', 'Boats', 'number')`)
  await database.query(
    `insert into tag (newsletter_id, name) select '${newsletterId}', 'tag ' || i from generate_series(1, 10) i`,
  )
  await database.query(
    `insert into subscriber (newsletter_id, id, email, email_normalised, name, language, status, created_at, confirmed_at, fields)
     select $1, uuidv7(), 'reader.' || i || '@harbour.example', 'reader.' || i || '@harbour.example', 'Inès Le Bris ' || i, 'fr', 'active',
       at, at, case when i % 3 = 0 then '{"city": "Brest", "boats": 2}'::jsonb else '{}' end
     from generate_series(1, $2::integer) i cross join lateral (select now() - (i % 700) * interval '1 day' as at) t`,
    [newsletterId, SUBSCRIBERS],
  )
  await database.query(
    `insert into subscriber_tag (newsletter_id, tag_id, subscriber_id)
     select $1, t.id, s.id from (select id, row_number() over (order by id) as place from subscriber where newsletter_id = $1) s
     join tag t on t.newsletter_id = $1 and s.place % 3 = 0 and s.place % 7 = t.id % 7`,
    [newsletterId],
  )
  await database.query('vacuum analyze')
}
