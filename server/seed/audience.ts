import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { consentWording, WORDING_VERSION } from '../subscribers/consent.ts'
import type { Chance } from './chance.ts'
import { type Person, somebody } from './people.ts'

const HOUR = 3_600_000
export const DAY = 24 * HOUR
const BATCH = 5_000

/** How many came each day: a slow start, a steady rise, and one weekend after a piece was read aloud on the radio. */
export interface Growth {
  newsletterId: string
  newsletterName: string
  subscribers: number
  /** Moments of the first and last possible subscription, milliseconds. */
  from: number
  to: number
  /** When the radio read from it; one in thirty came within two days of it. */
  bump: number | null
  /** When each publication left, oldest first. */
  sendings: readonly { publicationId: string; at: number }[]
  french: number
}

type Leaving = { status: 'unsubscribed' | 'bounced' | 'complained'; at: number; publicationId: string }

type Receipt = 'asked' | 'given' | 'withdrawn'

interface Row {
  id: string
  person: Person
  source: string
  createdAt: number
  confirmedAt: number | null
  left: Leaving | null
}

/** Writes subscribers with their receipts, events and suppressions, in statements of 5,000. */
export async function growAudience(db: Db, chance: Chance, growth: Growth): Promise<void> {
  const rows = Array.from({ length: growth.subscribers }, (_, order) => arrive(chance, growth, order))
  rows.sort((one, other) => one.createdAt - other.createdAt)
  for (let at = 0; at < rows.length; at += BATCH) {
    const batch = rows.slice(at, at + BATCH)
    await insertSubscribers(db, growth, batch)
    await insertReceipts(db, chance, growth, batch)
    await insertEvents(db, chance, growth, batch)
  }
}

function arrive(chance: Chance, growth: Growth, order: number): Row {
  const { from, to, bump } = growth
  const onAir = bump !== null && chance.chance(1 / 30)
  // The square root of an even draw makes each week a little better than the one before.
  const createdAt = onAir
    ? Math.min(to, bump + chance.soon(14 * HOUR))
    : byDay(from + (to - from) * Math.max(chance.next() * 0.4, Math.sqrt(chance.next())))
  const pending = chance.chance(0.022)
  const confirmedAt = pending ? null : Math.min(to, createdAt + 40_000 + chance.soon(25 * 60_000))
  const left = confirmedAt === null ? null : leaving(chance, growth, confirmedAt)
  const person = somebody(chance, order, growth.french)
  if (left?.status === 'bounced') person.email = person.email.replace('.example', '.invalid')
  const source = chance.chance(0.04) ? 'api' : 'page'
  return { id: chance.uuid(createdAt), person, source, createdAt, confirmedAt, left }
}

/** People subscribe when they are awake: nothing lands between one and six in the morning, UTC. */
function byDay(at: number): number {
  const hour = new Date(at).getUTCHours()
  return hour >= 1 && hour < 6 ? at - 6 * HOUR : at
}

function leaving(chance: Chance, { sendings, to }: Growth, confirmedAt: number): Leaving | null {
  const received = sendings.filter(({ at }) => at > confirmedAt)
  if (received.length === 0 || !chance.chance(0.075)) return null
  const { publicationId, at } = chance.pick(received)
  const kind = chance.next()
  if (kind < 0.16) return { status: 'bounced', publicationId, at: at + 60_000 + chance.below(240_000) }
  const status = kind < 0.175 ? 'complained' : 'unsubscribed'
  const leftAt = at + 5 * 60_000 + chance.soon(11 * HOUR)
  return leftAt < to ? { status, publicationId, at: leftAt } : null
}

const iso = (at: number | null | undefined) => (at === null || at === undefined ? null : new Date(at).toISOString())

function insertSubscribers(db: Db, { newsletterId }: Growth, rows: Row[]) {
  const values = rows.map(({ id, person, source, createdAt, confirmedAt, left }) => ({
    id,
    ...person,
    source,
    status: left?.status ?? (confirmedAt === null ? 'pending' : 'active'),
    created_at: iso(createdAt),
    confirmed_at: iso(confirmedAt),
    left_at: iso(left?.at),
  }))
  return sql`
    insert into subscriber (newsletter_id, id, email, email_normalised, name, language, status, source,
      created_at, confirmed_at, left_at, asked_at)
    select ${newsletterId}, id, email, email, name, language, status, source, created_at, confirmed_at, left_at, created_at
    from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as r (id uuid, email text, name text, language text,
      status text, source text, created_at timestamptz, confirmed_at timestamptz, left_at timestamptz)`.execute(db)
}

async function insertReceipts(db: Db, chance: Chance, growth: Growth, rows: Row[]) {
  const receipts = rows.flatMap(({ id, person, source, createdAt, confirmedAt, left }) => {
    const act = (name: Receipt, at: number, means: string) => ({
      id: chance.uuid(at),
      subscriber_id: id,
      language: person.language,
      wording: consentWording(name === 'withdrawn' ? 'leave' : 'yes', growth.newsletterName, person.language),
      act: name,
      at: iso(at),
      means,
    })
    return [
      act('asked', createdAt, source),
      ...(confirmedAt === null ? [] : [act('given', confirmedAt, 'confirmation')]),
      ...(left?.status === 'unsubscribed' ? [act('withdrawn', left.at, 'one-click')] : []),
    ]
  })
  await sql`
    insert into consent (newsletter_id, id, subscriber_id, act, wording, wording_version, language, means, at)
    select ${growth.newsletterId}, id, subscriber_id, act, wording, ${WORDING_VERSION}, language, means, at
    from jsonb_to_recordset(${JSON.stringify(receipts)}::jsonb) as r (id uuid, subscriber_id uuid, act text,
      wording text, language text, means text, at timestamptz)`.execute(db)
  const gone = rows.filter(({ left }) => left && left.status !== 'unsubscribed')
  const suppressions = gone.map(({ person, left }) => ({
    email: person.email,
    reason: left?.status,
    at: iso(left?.at),
  }))
  await sql`
    insert into suppression (newsletter_id, email_normalised, reason, at)
    select ${growth.newsletterId}, email, reason, at
    from jsonb_to_recordset(${JSON.stringify(suppressions)}::jsonb) as r (email text, reason text, at timestamptz)`.execute(
    db,
  )
}

function insertEvents(db: Db, chance: Chance, { newsletterId }: Growth, rows: Row[]) {
  const events = rows.flatMap(({ id, createdAt, confirmedAt, left }) => {
    const event = (kind: string, at: number, publicationId: string | null = null) => ({
      id: chance.uuid(at),
      subscriber_id: id,
      kind,
      at: iso(at),
      publication_id: publicationId,
    })
    return [
      event('asked', createdAt),
      ...(confirmedAt === null ? [] : [event('confirmed', confirmedAt)]),
      ...(left ? [event(left.status, left.at, left.publicationId)] : []),
    ]
  })
  return sql`
    insert into event (newsletter_id, id, at, kind, subscriber_id, publication_id)
    select ${newsletterId}, id, at, kind, subscriber_id, publication_id
    from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as r (id uuid, subscriber_id uuid, kind text,
      at timestamptz, publication_id text)`.execute(db)
}
