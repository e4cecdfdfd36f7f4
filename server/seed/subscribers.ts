import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { consentWording } from '../subscribers/consent.ts'
import { type Person, randomPerson } from './people.ts'
import type { Random } from './random.ts'

const HOUR = 3_600_000
export const DAY = 24 * HOUR
const BATCH = 5_000

/** How many subscribe and when: a slow start, a steady rise, and a jump after the radio mentioned the newsletter. */
export interface Growth {
  newsletterId: string
  newsletterName: string
  subscribers: number
  /** The first and the last possible moment of a subscription, in milliseconds since 1970. */
  from: number
  to: number
  /** When the radio mentioned it, in milliseconds; one in thirty subscribes within two days after that. */
  radioAt: number | null
  /** When each publication was sent, oldest first. */
  sendings: readonly { publicationId: string; at: number }[]
  /** The share of subscribers who read French, from 0 to 1. */
  frenchShare: number
  /** From when on some come because the other newsletter recommends this one; null where those are in `joined`. */
  recommendedFrom: number | null
  /** People of the other newsletter, who are some of the subscribers. */
  joined: Joined[]
}

/** Somebody of another newsletter who subscribes to this one. */
export interface Joined {
  person: Person
  source: 'page' | 'recommendation' | 'campaign'
  at: number
}

type Departure = { status: 'unsubscribed' | 'bounced' | 'complained'; at: number; publicationId: string }

type Receipt = 'asked' | 'given' | 'withdrawn'

interface Row {
  id: string
  person: Person
  source: string
  createdAt: number
  confirmedAt: number | null
  left: Departure | null
}

/** Inserts subscribers with their receipts, events and suppressions, in statements of 5,000. */
export async function insertSubscribers(db: Db, random: Random, growth: Growth): Promise<void> {
  const known = growth.joined.map((joined) => subscriberOf(random, growth, joined))
  const strangers = Array.from({ length: growth.subscribers - known.length }, (_, order) =>
    randomSubscriber(random, growth, order),
  )
  const rows = [...known, ...strangers]
  rows.sort((one, other) => one.createdAt - other.createdAt)
  for (let at = 0; at < rows.length; at += BATCH) {
    const batch = rows.slice(at, at + BATCH)
    await insertBatch(db, growth, batch)
    await insertReceipts(db, receiptsOf(random, growth, batch), growth)
    await insertSuppressions(db, growth, batch)
    await insertEvents(db, eventsOf(random, batch), growth.newsletterId)
  }
}

function randomSubscriber(random: Random, growth: Growth, order: number): Row {
  const { from, to, radioAt } = growth
  const heardOnRadio = radioAt !== null && random.happens(1 / 30)
  // The square root of a uniform random number gives each week a few more than the week before.
  const createdAt = heardOnRadio
    ? Math.min(to, radioAt + random.exponential(14 * HOUR))
    : atWakingHour(from + (to - from) * Math.max(random.next() * 0.4, Math.sqrt(random.next())))
  const pending = random.happens(0.022)
  const confirmedAt = pending ? null : Math.min(to, createdAt + 40_000 + random.exponential(25 * 60_000))
  const left = confirmedAt === null ? null : randomDeparture(random, growth, confirmedAt)
  const person = randomPerson(random, order, growth.frenchShare)
  if (left?.status === 'bounced') person.email = person.email.replace('.example', '.invalid')
  const isRecommended = growth.recommendedFrom !== null && createdAt > growth.recommendedFrom && order % 24 === 7
  const source = isRecommended ? 'recommendation' : random.happens(0.04) ? 'api' : 'page'
  return { id: random.uuid(createdAt), person, source, createdAt, confirmedAt, left }
}

/** A yes to a campaign proves the address; everybody else confirms it a moment later. */
function subscriberOf(random: Random, growth: Growth, { person, source, at }: Joined): Row {
  const confirmedAt = Math.min(growth.to, source === 'campaign' ? at : at + 40_000)
  const left = randomDeparture(random, growth, confirmedAt)
  const isHere = left?.status !== 'unsubscribed'
  return { id: random.uuid(at), person: { ...person }, source, createdAt: at, confirmedAt, left: isHere ? null : left }
}

/** People subscribe when they are awake: nobody does between one and six in the morning, UTC. */
function atWakingHour(at: number): number {
  const hour = new Date(at).getUTCHours()
  return hour >= 1 && hour < 6 ? at - 6 * HOUR : at
}

function randomDeparture(random: Random, { sendings, to }: Growth, confirmedAt: number): Departure | null {
  const received = sendings.filter(({ at }) => at > confirmedAt)
  if (received.length === 0 || !random.happens(0.075)) return null
  const { publicationId, at } = random.pick(received)
  const kind = random.next()
  if (kind < 0.16) return { status: 'bounced', publicationId, at: at + 60_000 + random.below(240_000) }
  const status = kind < 0.175 ? 'complained' : 'unsubscribed'
  const leftAt = at + 5 * 60_000 + random.exponential(11 * HOUR)
  return leftAt < to ? { status, publicationId, at: leftAt } : null
}

const iso = (at: number | null | undefined) => (at === null || at === undefined ? null : new Date(at).toISOString())

function insertBatch(db: Db, { newsletterId }: Growth, rows: Row[]) {
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

function receiptsOf(random: Random, { newsletterName }: Growth, rows: Row[]) {
  return rows.flatMap(({ id, person, source, createdAt, confirmedAt, left }) => {
    const receipt = (act: Receipt, at: number, means: string) => ({
      id: random.uuid(at),
      subscriber_id: id,
      language: person.language,
      wording: consentWording(act === 'withdrawn' ? 'leave' : 'yes', newsletterName, person.language),
      act,
      at: iso(at),
      means,
    })
    const byCampaign = source === 'campaign'
    return [
      ...(byCampaign ? [] : [receipt('asked', createdAt, source)]),
      ...(confirmedAt === null ? [] : [receipt('given', confirmedAt, byCampaign ? 'campaign' : 'confirmation')]),
      ...(left?.status === 'unsubscribed' ? [receipt('withdrawn', left.at, 'one-click')] : []),
    ]
  })
}

/** The words are as old as the newsletter, so that nobody said yes to younger ones. */
const insertReceipts = (
  db: Db,
  receipts: ReturnType<typeof receiptsOf>,
  { newsletterId, newsletterName, from }: Growth,
) =>
  sql`
    insert into consent (newsletter_id, id, subscriber_id, act, wording, wording_version, language, means, beneficiary_name, at)
    select ${newsletterId}, id, subscriber_id, act, wording, ${new Date(from).toISOString().slice(0, 10)}::text, language, means, ${newsletterName}, at
    from jsonb_to_recordset(${JSON.stringify(receipts)}::jsonb) as r (id uuid, subscriber_id uuid, act text,
      wording text, language text, means text, at timestamptz)`.execute(db)

/** Addresses that bounced or complained. */
function insertSuppressions(db: Db, { newsletterId }: Growth, rows: Row[]) {
  const suppressions = rows.flatMap(({ person, left }) =>
    left && left.status !== 'unsubscribed' ? [{ email: person.email, reason: left.status, at: iso(left.at) }] : [],
  )
  return sql`
    insert into suppression (newsletter_id, email_normalised, reason, at)
    select ${newsletterId}, email, reason, at
    from jsonb_to_recordset(${JSON.stringify(suppressions)}::jsonb) as r (email text, reason text, at timestamptz)`.execute(
    db,
  )
}

function eventsOf(random: Random, rows: Row[]) {
  return rows.flatMap(({ id, createdAt, confirmedAt, left }) => {
    const event = (kind: string, at: number, publicationId: string | null = null) => ({
      id: random.uuid(at),
      subscriber_id: id,
      kind,
      at: iso(at),
      publication_id: publicationId,
    })
    return [
      ...(createdAt === confirmedAt ? [] : [event('asked', createdAt)]),
      ...(confirmedAt === null ? [] : [event('confirmed', confirmedAt)]),
      ...(left ? [event(left.status, left.at, left.publicationId)] : []),
    ]
  })
}

const insertEvents = (db: Db, events: ReturnType<typeof eventsOf>, newsletterId: string) =>
  sql`
    insert into event (newsletter_id, id, at, kind, subscriber_id, publication_id)
    select ${newsletterId}, id, at, kind, subscriber_id, publication_id
    from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as r (id uuid, subscriber_id uuid, kind text,
      at timestamptz, publication_id text)`.execute(db)
