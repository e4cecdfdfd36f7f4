import type { Claim, Measure } from './claim.ts'
import { type BenchServer, startBenchServer } from './server.ts'
import { addSubscribers, compare, nameOf } from './subscribers.ts'

const SIZES = [100_000, 10_000_000] as const
const BATCH = 50_000
const LINKS = 40
const PEOPLE = 5_000
/** The booking whose link has half of the clicks. It is another one in each newsletter, with the same id. */
const BOOKING = '00000000-0000-7000-8000-000000000001'

/** A link's page and a sponsor's report over ten million clicks are read as quickly as those over a hundred thousand. `npm run bench -- links` */
export const links: Claim = {
  name: 'links',
  async measure() {
    const server = await startBenchServer()
    try {
      for (const size of SIZES) await addClicks(server, size)
      await server.database.query('vacuum analyze')
      const measures: Measure[] = []
      for (const [name, path] of asked) measures.push(await compare(server, { name, path }, SIZES))
      return measures
    } finally {
      await server.stop()
    }
  },
}

const asked: [string, string][] = [
  ['a link with half of the clicks, thirty days', `/links/$id-0?from=2026-05-01&to=2026-05-30`],
  ['the same, two weeks by hour', `/links/$id-0?by=hour&from=2026-05-01&to=2026-05-14`],
  ['the same, a year', `/links/$id-0?from=2025-06-01&to=2026-05-31`],
  ['the list of links', '/links'],
  ['a sponsor’s report, live', `/sponsorship/bookings/${BOOKING}/report`],
]

/** A year of clicks: half of them of one link, one in ten by a program, with two hundred referrers. */
async function addClicks(server: BenchServer, clicks: number): Promise<void> {
  const id = nameOf(clicks)
  await addSubscribers(server, clicks, PEOPLE)
  await server.database.query(
    `insert into short_link (newsletter_id, id, target) select $1, $1 || '-' || i, 'https://example.org/' || i from generate_series(0, $2::integer - 1) i`,
    [id, LINKS],
  )
  for (let from = 0; from < clicks; from += BATCH)
    await server.database.query(
      `insert into click (newsletter_id, short_link_id, subscriber_id, at, excluded_by, device, referrer, signs)
       select $1, $1 || '-' || case when i % 2 = 0 then 0 else i % $4 end, p.ids[1 + i % $5], '2025-06-01'::timestamptz + random() * interval '365 days',
         case when i % 10 = 0 then 'bot' end, (array['phone', 'desktop', 'tablet'])[1 + i % 3], 'site' || i % 200 || '.example', 0
       from (select array_agg(id) as ids from subscriber where newsletter_id = $1) p, generate_series($2::bigint, $3::bigint) i`,
      [id, from, Math.min(from + BATCH, clicks) - 1, LINKS, PEOPLE],
    )
  await addBooking(server, id)
}

/** One that ran when most of its clicks were still to come. */
async function addBooking(server: BenchServer, newsletterId: string): Promise<void> {
  await server.database.query(
    `with placed as (insert into placement (newsletter_id, words, place, max_words)
       values ($1, '{"en": {"name": "Top", "disclosure": "Sponsor"}}', 'top', 60) returning id)
     insert into booking (newsletter_id, id, placement_id, day, seat, state, sponsor, language, currency, amount, requested_at, ran_at, short_link_id,
       max_words, takes_image, lead_days)
     select $1, $2, id, '2026-05-01', 1, 'ran', 'Halyard Books', 'en', 'eur', 100, '2026-04-01', '2026-05-01T06:00:00Z', $1 || '-0', 60, true, 5 from placed`,
    [newsletterId, BOOKING],
  )
}
