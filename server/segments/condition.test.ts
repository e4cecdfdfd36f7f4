import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { uuidv7 } from '../database/ids.ts'
import { paces } from '../subscribers/contract.ts'
import { addPaidPlan } from '../testing/charge.ts'
import { startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { addPublication } from '../testing/publication.ts'
import { fits, type KnownSubscriber } from '../testing/slow-filter.ts'
import { conditionOf } from './condition.ts'
import { Filter } from './filter/contract.ts'

const now = new Date('2026-11-22T09:00:00.000Z')
const DAY = 86_400_000
const publications = ['pOne', 'pTwo', 'pThree']
const links = ['lOne', 'lTwo']
const campaigns = ['cOne', 'cTwo']
const timezones = ['UTC', 'Europe/Paris', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia']

// Words that are alike but for their case, that mean something in patterns, and that look empty.
const words = fc.constantFrom(
  'Ada',
  'ADA',
  'Élise',
  'élise',
  'İpek',
  'ipek',
  'Straße',
  'STRASSE',
  'Σίσυφος',
  'ΣΊΣΥΦΟΣ',
  '100%',
  '100',
  'a_b',
  'axb',
  'back\\slash',
  '👩‍🚀 moon',
  "O'Hara; drop table",
)
// Of addresses, and long enough for the index of their letters.
const parts = fc.string({ unit: fc.constantFrom('a', 'A', 'b', '.', '_'), minLength: 1, maxLength: 4 })
const pieces = fc.oneof(words, fc.constantFrom('a', 'É', 's', '%', '_', '\\', '👩', '0', 'ς', 'Σ', 'ß', '@'), parts)
const instants = fc
  .oneof(
    fc.integer({ min: -40 * 24 * 60, max: 0 }).map((minutes) => now.getTime() + minutes * 60_000),
    // At the very edge of a window, and around midnight.
    fc.constantFrom(7 * DAY, 7 * DAY - 1, 7 * DAY + 1).map((ago) => now.getTime() - ago),
    fc.integer({ min: 1, max: 40 }).map((days) => Date.UTC(2026, 10, 22) - days * DAY),
  )
  .map((at) => new Date(at))
// Seven is the window at whose edge things happen.
const days = fc.oneof(fc.constant(7), fc.integer({ min: 1, max: 45 }))
const dates = fc
  .integer({ min: 0, max: 45 })
  .map((ago) => new Date(now.getTime() - ago * DAY).toISOString().slice(0, 10))
const numbers = fc.constantFrom(-1, 0, 0.1, 0.3, 1, 10, 100, 1e15)
const fieldValues = {
  city: words,
  size: numbers,
  born: dates,
  member: fc.boolean(),
  colour: fc.constantFrom('Red', 'red', 'Blue'),
}
const kinds = { city: 'text', size: 'number', born: 'date', member: 'yes_no', colour: 'choice' } as const

const subscriber = fc.record({
  email: fc.string({ unit: fc.constantFrom('a', 'A', 'b', '.', '+', '_'), minLength: 1, maxLength: 6 }),
  name: fc.option(fc.oneof(words, fc.constant('')), { nil: null }),
  language: fc.constantFrom('en' as const, 'fr' as const),
  pace: fc.constantFrom(...paces),
  status: fc.constantFrom('pending' as const, 'active' as const, 'unsubscribed' as const, 'bounced' as const),
  source: fc.constantFrom('page', 'api', 'Import'),
  createdAt: instants,
  confirmedAt: fc.option(instants, { nil: null }),
  // Some have a value of another kind than the field is now, as after a field was deleted and made anew.
  fields: fc.record(
    { ...fieldValues, size: fc.oneof(numbers, words), member: fc.oneof(fc.boolean(), fc.constant('true')) },
    { requiredKeys: [] },
  ),
  tags: fc.uniqueArray(fc.constantFrom(0, 1, 2)),
  // Some have just ended, at the very moment that is asked about.
  plans: fc.uniqueArray(
    fc.record({
      plan: fc.constantFrom(0, 1),
      until: fc.constantFrom(-DAY, 0, 1, 30 * DAY).map((left) => new Date(now.getTime() + left)),
    }),
    { selector: ({ plan }) => plan },
  ),
  deliveries: fc.uniqueArray(
    fc.record({
      publication: fc.constantFrom(...publications),
      accepted: fc.boolean(),
      openedAt: fc.option(instants, { nil: null }),
    }),
    { selector: ({ publication }) => publication },
  ),
  yeses: fc.uniqueArray(fc.record({ campaign: fc.constantFrom(...campaigns), stands: fc.boolean() }), {
    selector: ({ campaign }) => campaign,
  }),
  clicks: fc.array(
    fc.record({
      publication: fc.option(fc.constantFrom(...publications), { nil: null }),
      link: fc.constantFrom(...links),
      at: instants,
      human: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
})

const textTests = fc.record({
  op: fc.constantFrom('is', 'is_not', 'contains', 'contains_not', 'begins'),
  value: pieces,
})
const dayTests = fc.oneof(
  fc.record({ op: fc.constantFrom('is', 'before', 'after'), value: dates }),
  fc.record({ op: fc.constant('between'), from: dates, to: dates }),
)
const presence = fc.record({ op: fc.constantFrom('empty', 'filled') })
const did = fc.constantFrom('did', 'did_not')
const ofField = (field: keyof typeof kinds, tests: fc.Arbitrary<object>) =>
  fc
    .oneof({ weight: 3, arbitrary: tests }, presence)
    .map((asked) => ({ on: 'field', field, kind: kinds[field], ...asked }))

const condition = fc.oneof(
  fc.tuple(fc.constantFrom('email', 'name', 'source'), textTests).map(([on, asked]) => ({ on, ...asked })),
  presence.map((asked) => ({ on: 'name', ...asked })),
  fc.record({ on: fc.constant('language'), op: fc.constantFrom('is', 'is_not'), value: fc.constantFrom('en', 'fr') }),
  fc.record({ on: fc.constant('pace'), op: fc.constantFrom('is', 'is_not'), value: fc.constantFrom(...paces) }),
  fc.record({
    on: fc.constant('status'),
    op: fc.constantFrom('is', 'is_not'),
    value: fc.constantFrom('active', 'pending', 'complained'),
  }),
  fc.record({ on: fc.constant('tag'), op: fc.constantFrom('has', 'has_not'), tag: fc.constantFrom(1, 2, 3, 99) }),
  fc.record({ on: fc.constant('plan'), op: fc.constantFrom('has', 'has_not'), plan: fc.constantFrom('any', 1, 2, 99) }),
  ofField('city', textTests),
  ofField('colour', textTests),
  ofField('member', fc.record({ op: fc.constant('is'), value: fc.boolean() })),
  ofField('born', dayTests),
  ofField(
    'size',
    fc.oneof(
      fc.record({ op: fc.constantFrom('is', 'is_not', 'less', 'more'), value: numbers }),
      fc.record({ op: fc.constant('between'), from: numbers, to: numbers }),
    ),
  ),
  dayTests.map((asked) => ({ on: 'joined', ...asked })),
  fc.record({ on: fc.constant('joined'), op: fc.constantFrom('within', 'longer_ago'), days }),
  fc.record({
    on: fc.constantFrom('received', 'opened', 'clicked'),
    op: did,
    publication: fc.constantFrom(...publications),
  }),
  fc.record({ on: fc.constantFrom('received', 'opened', 'clicked'), op: did, days }),
  fc.record({ on: fc.constant('link'), op: did, link: fc.constantFrom(...links) }),
  fc.record({ on: fc.constant('campaign'), op: did, campaign: fc.constantFrom(...campaigns, 'cNone') }),
)
const { filter } = fc.letrec((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small', withCrossShrink: true, maxDepth: 3 },
    condition,
    fc
      .tuple(fc.constantFrom('all', 'any', 'not'), fc.array(tie('filter'), { minLength: 1, maxLength: 3 }))
      .map(([how, parts]) => ({ [how]: parts })),
  ),
}))

let server: TestNewsletter
let known: KnownSubscriber[]
let tags: number[]
let plans: number[]

beforeAll(async () => {
  server = await startTestNewsletter()
  const { db } = server.context
  const { newsletterId } = server
  const sent = [3, 20, 39].map((ago) => new Date(now.getTime() - ago * DAY))
  for (const [index, id] of publications.entries())
    await addPublication(db, { newsletterId, id, startedAt: sent[index] ?? now })
  for (const id of links)
    await db
      .insertInto('short_link')
      .values({ newsletter_id: newsletterId, id, target: 'https://example.org/' })
      .execute()
  for (const id of campaigns) {
    const key = { newsletter_id: newsletterId, id }
    await db
      .insertInto('campaign')
      .values({ ...key, kind: 'opt-in', name: id })
      .execute()
    await db
      .insertInto('opt_in_campaign')
      .values({ ...key, short_link_id: 'lOne' })
      .execute()
  }
  const made = ['One', 'Two', 'Three'].map((name) => ({ newsletter_id: newsletterId, name }))
  tags = (await db.insertInto('tag').values(made).returning('id').execute()).map(({ id }) => id)
  plans = [await addPaidPlan(db, newsletterId, 'One'), await addPaidPlan(db, newsletterId, 'Two')]
  known = fc.sample(subscriber, { numRuns: 80, seed: 7 }).map((one, index) => ({
    ...one,
    id: uuidv7(now.getTime() + index),
    email: `${one.email}${index}@Example.org`,
    confirmedAt: one.status === 'active' ? (one.confirmedAt ?? one.createdAt) : one.confirmedAt,
    tags: one.tags.map((index) => tags[index] ?? 0),
    plans: one.plans.map(({ plan, until }) => ({ plan: plans[plan] ?? 0, until })),
    deliveries: one.deliveries.map((each) => ({
      ...each,
      sentAt: sent[publications.indexOf(each.publication)] ?? now,
    })),
  }))
  for (const one of known) await store(one)
})
afterAll(() => server?.stop())

async function store(one: KnownSubscriber): Promise<void> {
  const { db } = server.context
  const newsletter_id = server.newsletterId
  const { id, email, name, language, pace, status, source, createdAt, confirmedAt, fields } = one
  await db
    .insertInto('subscriber')
    .values({
      newsletter_id,
      id,
      email,
      email_normalised: email.toLowerCase(),
      name,
      language,
      pace,
      status,
      source,
      created_at: createdAt,
      confirmed_at: confirmedAt,
      fields: JSON.stringify(fields),
    })
    .execute()
  for (const tag_id of one.tags)
    await db.insertInto('subscriber_tag').values({ newsletter_id, tag_id, subscriber_id: id }).execute()
  for (const { plan, until } of one.plans)
    await db.insertInto('entitlement').values({ newsletter_id, subscriber_id: id, plan_id: plan, until }).execute()
  for (const { campaign, stands } of one.yeses) {
    const yes = { newsletter_id, campaign_id: campaign, id: uuidv7(), subscriber_id: id, short_link_id: 'lOne' }
    const said = { version: 1, language, confirmed_at: createdAt, undone_at: stands ? null : now }
    await db
      .insertInto('opt_in')
      .values({ ...yes, ...said })
      .execute()
  }
  for (const { publication, accepted, openedAt } of one.deliveries) {
    const key = { newsletter_id, publication_id: publication, subscriber_id: id }
    const delivery = {
      ...key,
      sending_id: publication,
      email,
      state: accepted ? ('accepted' as const) : ('failed' as const),
    }
    await db
      .insertInto('delivery')
      .values({ ...delivery, opened_at: openedAt })
      .execute()
    if (openedAt)
      await db
        .insertInto('event')
        .values({ ...key, id: uuidv7(), at: openedAt, kind: 'opened' })
        .execute()
  }
  for (const { publication, link, at, human } of one.clicks) {
    const click = {
      newsletter_id,
      short_link_id: link,
      publication_id: publication,
      subscriber_id: id,
      at,
      device: 'phone',
    }
    await db
      .insertInto('click')
      .values({ ...click, excluded_by: human ? null : 'bot' })
      .execute()
  }
}

async function found(filter: Filter, asked: 'few' | 'many' = 'many'): Promise<string[]> {
  const where = conditionOf(filter, {
    asked,
    newsletterId: server.newsletterId,
    asOf: sql<Date>`${now.toISOString()}::timestamptz`,
  })
  const { rows } = await sql<{ id: string }>`
    select id from subscriber s where newsletter_id = ${server.newsletterId} and ${where} order by id`.execute(
    server.context.db,
  )
  return rows.map(({ id }) => id)
}

const asked = fc.constantFrom('few' as const, 'many' as const)

test('any filter finds in the database whom a slow reading in JavaScript finds', { timeout: 120_000 }, async () => {
  const { db } = server.context
  await fc.assert(
    fc.asyncProperty(filter, fc.constantFrom(...timezones), asked, async (generated, timezone, howMany) => {
      await db.updateTable('newsletter').set({ timezone }).where('id', '=', server.newsletterId).execute()
      const parsed = Filter.parse(generated)
      const expected = known.filter((one) => fits(parsed, one, { timezone, now })).map(({ id }) => id)
      expect(await found(parsed, howMany)).toEqual(expected.toSorted())
    }),
    { numRuns: 800 },
  )
})

test('the index of names leads to everybody who has a text, whatever marks and capitals it has', async () => {
  const letters = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('a', 'I', 'k', '1') },
    fc.constantFrom('İ', '\u212a', 'É', 'ẹ', '\u0301', '\u0307', '\u0323', '\u0334', 'Œ', '’', '_'),
  )
  const names = fc.array(fc.string({ unit: letters, minLength: 3, maxLength: 9 }), { minLength: 1, maxLength: 5 })
  const value = fc.tuple(names, fc.nat(3), fc.integer({ min: 3, max: 9 })).map(([names, from, length]) => ({
    names,
    // The small letter of İ is an i, where the dot is none of its own.
    value: `${names[0]?.slice(from, from + length).replaceAll('İ', 'i')}`,
  }))
  await fc.assert(
    fc.asyncProperty(
      value.filter(({ value }) => value !== ''),
      fc.constantFrom('is' as const, 'contains' as const),
      async ({ names, value }, op) => {
        const those = async (filter: Filter) => {
          const where = conditionOf(filter, {
            asked: 'many',
            newsletterId: server.newsletterId,
            asOf: sql<Date>`${now.toISOString()}::timestamptz`,
          })
          const { rows } = await sql<{ name: string }>`
          select name from (select 'a@example.org'::text as email, 'a@example.org'::text as email_normalised, name
            from unnest(${names}::text[]) name) s where ${where} order by name collate "C"`.execute(server.context.db)
          return rows.map(({ name }) => name)
        }
        // The opposite is asked of every name, without the index.
        const opposite = { not: [{ on: 'name' as const, op: `${op}_not` as const, value }] }
        expect(await those({ on: 'name', op, value })).toEqual(await those(opposite))
      },
    ),
    { numRuns: 500 },
  )
})

test('a filter and its opposite divide everybody, those without a value included', async () => {
  await fc.assert(
    fc.asyncProperty(filter, async (generated) => {
      const parsed = Filter.parse(generated)
      const [inside, outside] = [await found(parsed), await found({ not: [parsed] })]
      expect([...inside, ...outside].toSorted()).toEqual(known.map(({ id }) => id).toSorted())
    }),
    { numRuns: 300 },
  )
})

test.each([
  [
    'is_not also holds without a value',
    { on: 'field', field: 'city', kind: 'text', op: 'is_not', value: 'Ada' },
    (one: KnownSubscriber) => one.fields.city === undefined,
  ],
  [
    'less does not',
    { on: 'field', field: 'size', kind: 'number', op: 'less', value: 1e15 },
    (one: KnownSubscriber) => one.fields.size === -1,
  ],
])('%s', async (_name, asked, isSomeone) => {
  const ids = new Set(await found(Filter.parse(asked)))
  const people = known.filter(isSomeone)
  expect(people.length).toBeGreaterThan(0)
  expect(people.every(({ id }) => ids.has(id))).toBe(true)
})

test.each([
  ['too deep', Array.from({ length: 6 }).reduce<unknown>((inner) => ({ all: [inner] }), { on: 'name', op: 'empty' })],
  ['a hundred thousand groups deep', JSON.parse('{"all":['.repeat(100_000) + ']}'.repeat(100_000))],
  ['too many conditions', { any: Array.from({ length: 51 }, () => ({ on: 'name', op: 'empty' })) }],
  [
    'too many in groups',
    {
      any: Array.from({ length: 11 }, () => ({ all: Array.from({ length: 10 }, () => ({ on: 'name', op: 'empty' })) })),
    },
  ],
  ['an empty group', { all: [] }],
  ['two groups in one', { all: [{ on: 'name', op: 'empty' }], any: [{ on: 'name', op: 'empty' }] }],
  ['another operator', { on: 'tag', op: 'contains', tag: 1 }],
  ['a value of another kind', { on: 'field', field: 'size', kind: 'number', op: 'is', value: '1' }],
  ['a key that is none', { on: 'field', field: "x' or true", kind: 'text', op: 'empty' }],
  ['a day that does not exist', { on: 'joined', op: 'is', value: '2026-02-30' }],
  ['nothing', null],
])('a filter is refused that is or has %s', (_name, refused) => {
  expect(Filter.safeParse(refused).success).toBe(false)
})
