import type { Claim, Measure } from './claim.ts'
import { type BenchServer, startBenchServer } from './server.ts'
import { addSubscribers, compare, FEW, MANY, nameOf } from './subscribers.ts'

/** A segment of a million is counted as quickly as one of ten thousand. `npm run bench -- segments` */
export const segments: Claim = {
  name: 'segments',
  async measure() {
    const server = await startBenchServer()
    try {
      for (const size of [FEW, MANY]) {
        await addSubscribers(server, size)
        await addBehaviour(server, size)
      }
      await server.database.query('vacuum analyze')
      const measures: Measure[] = []
      for (const [name, filter] of asked) {
        measures.push(
          await compare(server, {
            name,
            method: 'POST',
            path: '/segments/count',
            body: (newsletter) => ({ filter: filter(newsletter) }),
          }),
        )
      }
      measures.push(await compare(server, { name: 'the dashboard, with what they did', path: '/dashboard' }))
      return measures
    } finally {
      await server.stop()
    }
  },
}

/** Ids of publications are those of one newsletter. */
const publicationOf = (newsletter: string) => `${newsletter}p`

const did = (on: 'received' | 'opened' | 'clicked') => (newsletter: string) => ({
  on,
  op: 'did',
  publication: publicationOf(newsletter),
})

const french = { on: 'language', op: 'is', value: 'fr' }
const recent = { on: 'joined', op: 'within', days: 365 }

const asked: [string, (newsletter: string) => unknown][] = [
  ['a segment: French, joined within a year, opened one', (n) => ({ all: [french, recent, did('opened')(n)] })],
  [
    'a segment: French, joined within a year, clicked within 30 days',
    () => ({
      all: [french, recent, { on: 'clicked', op: 'did', days: 30 }],
    }),
  ],
  [
    'a segment: French, joined within a year, opened nothing within 30 days',
    () => ({
      all: [french, recent, { on: 'opened', op: 'did_not', days: 30 }],
    }),
  ],
  [
    'a segment: received one, opened it, did not click in it',
    (n) => ({
      all: [did('received')(n), did('opened')(n), { ...did('clicked')(n), op: 'did_not' }],
    }),
  ],
]

/** Ten publications, as many as the dashboard shows: one that was received, and nine before it. */
const EARLIER = 9

/**
 * Everybody who is active received one publication last week; two in five opened it, one in twelve clicked. In each of nine before it
 * one in twelve clicked too, three in a thousand unsubscribed, one in a hundred bounced and one in a thousand complained.
 */
export async function addBehaviour({ database }: BenchServer, size: number): Promise<void> {
  const id = nameOf(size)
  const run = (statement: string) =>
    database.query(
      statement
        .replaceAll('$id', `'${id}'`)
        .replaceAll('$p', `'${publicationOf(id)}'`)
        .replaceAll('$n', String(EARLIER)),
    )
  await run(`insert into publication (newsletter_id, id, language, content, published_at)
    select $id, case i when 0 then $p else $p || i end, 'fr', '{"type": "doc", "content": []}', now() - (i + 1) * interval '7 days'
    from generate_series(0, $n) i`)
  await run(`insert into sending (newsletter_id, id, publication_id, audience, state, started_at, finished_at)
    select $id, id, id, '{"kind": "everyone"}', 'sent', published_at, published_at from publication where newsletter_id = $id`)
  await run(`insert into delivery (newsletter_id, publication_id, sending_id, subscriber_id, email, state, opened_at)
    select $id, $p, $p, id, email, 'accepted', case when hashtext(id::text) % 5 in (0, 1) then now() - interval '6 days' end
    from subscriber where newsletter_id = $id and status = 'active'`)
  await run(`insert into event (newsletter_id, id, at, kind, subscriber_id, publication_id)
    select $id, gen_random_uuid(), opened_at, 'opened', subscriber_id, $p from delivery
    where newsletter_id = $id and opened_at is not null`)
  await run(`insert into click (newsletter_id, short_link_id, publication_id, subscriber_id, at, device)
    select $id, 'benchLink', $p, subscriber_id, now() - interval '5 days', 'desktop' from delivery
    where newsletter_id = $id and hashtext(subscriber_id::text) % 12 = 0`)
  await run(`insert into click (newsletter_id, short_link_id, publication_id, subscriber_id, at, device)
    select $id, 'benchLink' || i, $p || i, id, now() - (i * 7 + 5) * interval '1 day', 'desktop'
    from subscriber, generate_series(1, $n) i where newsletter_id = $id and hashtext(id::text || i) % 12 = 0`)
  await run(`insert into event (newsletter_id, id, at, kind, subscriber_id, publication_id)
    select $id, gen_random_uuid(), now() - (i * 7 + 6) * interval '1 day', 'unsubscribed', id, $p || i
    from subscriber, generate_series(1, $n) i where newsletter_id = $id and hashtext(id::text || i) % 1000 between 0 and 2`)
  await run(`insert into feedback (newsletter_id, id, at, publication_id, subscriber_id, kind, source)
    select $id, gen_random_uuid(), now() - (i * 7 + 6) * interval '1 day', $p || i, id,
      case when hashtext(id::text || i) % 1000 = 0 then 'complaint' else 'hard' end, 'dsn'
    from subscriber, generate_series(1, $n) i where newsletter_id = $id and hashtext(id::text || i) % 100 = 0`)
}
