import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import type { Joined } from './subscribers.ts'

const MINUTE = 60_000

/**
 * People who are in both newsletters of the demo: who were recommended the second one after they confirmed the first, who came the other way,
 * and who said yes to a campaign of the first for the second.
 */
export async function findJoiners(
  db: Db,
  { newsletterId, subscribers, from, now }: { newsletterId: string; subscribers: number; from: number; now: number },
): Promise<Joined[]> {
  const { rows } = await sql<{
    email: string
    name: string | null
    language: 'en' | 'fr'
    source: string
    created: Date
    confirmed: Date
    turn: number
  }>`
    select email, name, language, source, created_at as created, confirmed_at as confirmed,
      (row_number() over (partition by source = 'recommendation' order by confirmed_at > ${new Date(now - 60 * 86_400_000)} desc, md5(id::text)))::integer as turn
    from subscriber
    -- Addresses have numbers, and those of the second newsletter end before these.
    where newsletter_id = ${newsletterId} and status = 'active' and substring(email from '([0-9]+)@')::integer >= ${subscribers}
      and created_at > ${new Date(from)} and confirmed_at < ${new Date(now - 3_600_000)}
    order by turn`.execute(db)
  const came = rows.filter(({ source }) => source === 'recommendation').slice(0, Math.ceil(subscribers / 6))
  const others = rows.filter(({ source }) => source !== 'recommendation')
  const isNew = ({ confirmed }: { confirmed: Date }) => confirmed.getTime() > now - 60 * 86_400_000
  const byDay = others.filter(isNew).sort((one, other) => one.confirmed.getTime() - other.confirmed.getTime())
  const recommended = spread(byDay, Math.ceil(subscribers / 6))
  const asked = others
    .filter((person) => !recommended.includes(person) && person.confirmed.getTime() < now - 20 * 86_400_000)
    .slice(0, Math.ceil(subscribers / 8))
  return [
    ...came.map(({ created, ...person }) => joined(person, 'page', created.getTime() - 2 * MINUTE)),
    ...recommended.map(({ confirmed, ...person }) => joined(person, 'recommendation', confirmed.getTime() + MINUTE)),
    ...asked.map((person, index) =>
      joined(person, 'campaign', now - 19.5 * ((index + 0.6) / (asked.length + 1)) * 86_400_000),
    ),
  ]
}

/** At most so many, from one end to the other: some came lately, and of some it is known that they stayed. */
const spread = <Item>(items: Item[], most: number): Item[] =>
  items.filter(
    (_, at) =>
      items.length <= most || Math.floor((at * most) / items.length) < Math.floor(((at + 1) * most) / items.length),
  )

const joined = ({ name, email, language }: Joined['person'], source: Joined['source'], at: number): Joined => ({
  person: { name, email, language },
  source,
  at,
})
