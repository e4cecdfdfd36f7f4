import type { InjectOptions } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { uuidv7 } from '../database/ids.ts'
import { eraseNewsletter } from '../personal-data/erase.ts'
import { lowWater } from '../seed/newsletters.ts'
import { demoOwner } from '../seed/owner.ts'
import { seed } from '../seed/seed.ts'
import { type Session, startTestApp, type TestApp } from '../testing/app.ts'
import { addGiftOrder } from '../testing/charge.ts'

/** Written into everything of the victim that an answer could show. */
const MARK = 'kanarienvogel'
const victim = lowWater(1).id

let server: TestApp
let attacker: Session
let own: string
let foreign: Record<string, string>
let ownPublication: string

beforeAll(async () => {
  server = await startTestApp()
  const { context } = server
  await seed(context, { subscribers: 60 })
  const owner = await server.signIn(demoOwner.email, demoOwner.password)
  attacker = await server.signUp()
  await context.db.updateTable('user').set({ email_verified: true }).where('id', '=', attacker.userId).execute()
  own = await server.createNewsletter(attacker)
  ownPublication = (await attacker.call('POST', `/api/newsletters/${own}/publications`, { title: 'Mine' })).json().id
  await attacker.call('POST', `/api/newsletters/${own}/subscribers`, { email: 'mine@example.org' })
  await context.db.updateTable('publication').set({ title: MARK }).where('newsletter_id', '=', victim).execute()
  await context.db.updateTable('subscriber').set({ name: MARK }).where('newsletter_id', '=', victim).execute()
  foreign = await objectsOf(owner)
}, 120_000)
afterAll(() => server?.stop())

/** One object of each kind, by the name of the parameter that names it. */
async function objectsOf(owner: Session): Promise<Record<string, string>> {
  const { db, shownIds } = server.context
  const call = async (path: string, body: unknown) => {
    const answer = await owner.call('POST', `/api/newsletters/${victim}${path}`, body)
    expect([path, answer.statusCode, answer.body]).toEqual([path, 200, expect.any(String)])
    return answer.json()
  }
  const key = await call('/api-keys', { name: MARK, role: 'editor' })
  const invitation = await call('/invitations', { email: `${MARK}@example.org`, role: 'editor' })
  const tag = await call('/tags', { name: MARK })
  const field = await call('/fields', { key: 'victim', label: MARK, kind: 'text' })
  const bulkChange = await call('/bulk-changes', { act: 'tag', tagId: tag.id, chosen: { matching: { search: 'a' } } })
  const one = (await owner.call('GET', `/api/newsletters/${victim}/subscribers`)).json().rows[0].id
  const note = await call(`/subscribers/${one}/notes`, { text: MARK })
  const segment = await call('/segments', { name: MARK, filter: { on: 'tag', op: 'has', tag: tag.id } })
  await call('/subscribers', { email: `${MARK}@example.net` })
  const content = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: MARK }] }] }
  const draft = await call('/publications', { title: MARK, content })
  const chosen = { segmentId: segment.id, publicationId: draft.id }
  const welcome = await owner.call('PUT', `/api/newsletters/${victim}/welcomes`, chosen)
  expect([welcome.statusCode, welcome.body]).toEqual([200, expect.any(String)])
  const plan = await call('/charge/plans', { words: { en: { name: MARK, promise: '' } } })
  const until = '2099-01-01T00:00:00Z'
  const payment = { amount: 100, currency: 'eur', means: 'cash', at: '2026-01-01T00:00:00Z' }
  const paid = { subscriberId: one, planId: plan.id, way: 'outside', until, payment, note: MARK }
  const subscription = await call('/charge/subscriptions', paid)
  const books = (await owner.call('GET', `/api/newsletters/${victim}/charge/payments`)).json()
  const link = await call('/links', { target: 'https://example.org/', name: MARK })
  const template = await owner.call('PUT', `/api/newsletters/${victim}/utm-templates`, { name: MARK, source: MARK })
  const coupon = await call('/charge/coupons', { code: 'VICTIM', percent: 10 })
  const placement = await call('/sponsorship/placements', {
    ...{ words: { en: { name: MARK, disclosure: MARK } }, place: 'top', maxWords: 60, prices: { eur: 100 } },
  })
  await owner.call('PUT', `/api/newsletters/${victim}/sponsorship/days`, {
    ...{ day: '2098-01-02', kind: 'added', reason: MARK },
  })
  const booking = await call('/sponsorship/bookings', {
    ...{ placementId: placement.id, day: '2098-01-02', sponsor: MARK, email: 's@example.org', language: 'en' },
    ...{ currency: 'eur', amount: 100 },
  })
  const house = await call('/sponsorship/house-campaigns', {
    ...{ name: MARK, words: { en: { name: MARK, text: MARK, label: MARK } }, target: 'https://example.org/' },
  })
  const campaign = await call('/opt-in-campaigns', { name: MARK })
  const sponsor = { kind: 'sponsor', sponsor: { name: MARK, address: '', privacy: '' } }
  const ofCampaign = `/api/newsletters/${victim}/opt-in-campaigns/${campaign.id}`
  await owner.call('PATCH', ofCampaign, { beneficiary: sponsor })
  const shared = await call(`/opt-in-campaigns/${campaign.id}/list-links`, { days: 7 })
  const { gifts } = await call('/charge/gifts', { planId: plan.id, months: 6, note: MARK })
  await addGiftOrder(server.context.db, { newsletterId: victim, planId: plan.id, giftId: gifts[0].id })
  const [recommended] = (await owner.call('GET', `/api/newsletters/${victim}/recommendations`)).json().rows
  await owner.call('PATCH', `/api/newsletters/${victim}/recommendations/${recommended.id}`, { reasons: { en: MARK } })
  await server.work()
  const outbox = (await owner.call('GET', `/api/newsletters/${victim}/outbox`)).json()
  // Only now, because the mail of a newsletter with a relay is not caught.
  const relay = await call('/relays', {
    name: MARK,
    way: { kind: 'postmark', messageStream: 'broadcast' },
    secret: 'a-server-token',
  })
  const media = { storage_key: 'none', file_name: MARK, mime: 'image/png', bytes: 1, width: 1, height: 1, alt: MARK }
  await db
    .insertInto('media')
    .values({ ...media, newsletter_id: victim, id: 'mVictim001' })
    .execute()
  const domainKey = {
    selector: 's1',
    algorithm: 'ed25519-sha256',
    public_key: MARK,
    private_key: Buffer.from('x'),
  } as const
  await db
    .insertInto('dkim_key')
    .values({ ...domainKey, newsletter_id: victim, id: 'kVictim', domain: `${MARK}.example` })
    .execute()
  await db
    .insertInto('import')
    .values({ newsletter_id: victim, id: 'iVictim', state: 'checked', file_name: MARK, bytes: 1 })
    .execute()
  const event = { id: 'evt_victim', type: MARK, object_id: MARK, stated_at: new Date(), body: '{}', problem: 'failed' }
  await db
    .insertInto('payment_event')
    .values({ ...event, newsletter_id: victim, due_at: 'infinity' })
    .execute()
  const comparison = { id: uuidv7(), state: 'stopped', list: 'charges', since: new Date() } as const
  await db
    .insertInto('stripe_comparison')
    .values({ ...comparison, newsletter_id: victim })
    .execute()
  const priceMove = { id: uuidv7(), plan_id: plan.id, test: true, started_at: new Date() }
  await db
    .insertInto('price_move')
    .values({ ...priceMove, newsletter_id: victim })
    .execute()
  const publication = await db
    .selectFrom('delivery')
    .select(['publication_id', 'subscriber_id'])
    .where('newsletter_id', '=', victim)
    .limit(1)
    .executeTakeFirstOrThrow()
  const member = await db
    .selectFrom('member')
    .select('user_id')
    .where('newsletter_id', '=', victim)
    .executeTakeFirstOrThrow()
  return {
    publicationId: publication.publication_id,
    subscriberId: shownIds.show(publication.subscriber_id),
    keyId: key.id,
    relayId: relay.id,
    invitationId: invitation.id,
    mediaId: 'mVictim001',
    mailId: outbox.rows[0]?.id ?? '',
    userId: member.user_id,
    revision: '1',
    domainKeyId: 'kVictim',
    tagId: String(tag.id),
    fieldId: String(field.id),
    segmentId: String(segment.id),
    bulkChangeId: bulkChange.id,
    noteId: note.id,
    welcomeId: String(welcome.json().id),
    importId: 'iVictim',
    part: '0',
    planId: String(plan.id),
    recommendationId: recommended.id,
    couponId: String(coupon.id),
    linkId: link.id,
    templateId: String(template.json().id),
    campaignId: campaign.id,
    listLinkId: String(shared.listLinks[0].id),
    giftId: gifts[0].id,
    placementId: String(placement.id),
    bookingId: booking.id,
    houseCampaignId: house.id,
    eventId: event.id,
    comparisonId: comparison.id,
    subscriptionId: subscription.id,
    paymentId: books.rows[0].id,
    moveId: priceMove.id,
  }
}

/** A body that each call accepts, so that what refuses it is the newsletter of the object and nothing before. */
const bodies: Record<string, unknown> = {
  'PUT /utm-templates/:templateId': { name: 'Quay', source: 'poster' },
  'PATCH /media/:mediaId': { alt: 'x' },
  'PATCH /sponsorship/placements/:placementId': { closed: true },
  'PATCH /sponsorship/house-campaigns/:houseCampaignId': { name: 'Taken' },
  'POST /sponsorship/bookings/:bookingId/link': { renew: true },
  'POST /sponsorship/bookings/:bookingId/report-link': { renew: true },
  'PATCH /sponsorship/bookings/:bookingId': { sponsor: 'Taken' },
  'POST /sponsorship/bookings/:bookingId/acts': { act: 'cancel' },
  'POST /sponsorship/bookings/:bookingId/money': { act: 'pay' },
  'POST /sponsorship/bookings/:bookingId/make-good': { day: '2098-01-02' },
  'PUT /sponsorship/bookings/:bookingId/creative': {
    ...{ name: 'Taken', text: 'Taken', label: 'Taken', target: 'https://example.org/' },
  },
  'PATCH /links/:linkId': { name: 'Taken' },
  'PATCH /opt-in-campaigns/:campaignId': { name: 'Taken' },
  'POST /opt-in-campaigns/:campaignId/places': { name: 'Taken' },
  'POST /opt-in-campaigns/:campaignId/list-links': { days: 7 },
  'PATCH /members/:userId': { role: 'analyst' },
  'PATCH /publications/:publicationId': { revision: 1, title: 'Taken' },
  'PUT /publications/:publicationId/day': { day: '2098-01-02' },
  'PATCH /relays/:relayId': { name: 'Taken' },
  'PATCH /tags/:tagId': { name: 'Taken' },
  'PATCH /fields/:fieldId': { label: 'Taken' },
  'PATCH /segments/:segmentId': { name: 'Taken' },
  'PATCH /subscribers/:subscriberId': { tagIds: [] },
  'PUT /charge/plans/:planId/prices': { prices: [{ currency: 'eur', period: 'month', amount: 100 }] },
  'PATCH /recommendations/:recommendationId': { reasons: { en: 'Taken' } },
  'POST /recommendations/:recommendationId/remote-change': { name: 'Taken', key: 'A'.repeat(43) },
  'PUT /recommenders/:recommendationId': { accepted: false },
  'PATCH /charge/plans/:planId': { shown: false },
  'POST /charge/plans/:planId/price-moves': { priceIds: [1], seen: 1 },
  'POST /imports/:importId/take-back': {},
  'POST /imports/:importId/encoding': { encoding: 'windows-1252' },
  'PATCH /charge/subscriptions/:subscriptionId': { note: 'taken' },
  'POST /charge/subscriptions/:subscriptionId/cancel': { when: 'now' },
  'POST /charge/subscriptions/:subscriptionId/pause': { months: 1 },
  'POST /charge/subscriptions/:subscriptionId/payments': {
    ...{ amount: 1, currency: 'eur', means: 'cash', at: '2026-01-01T00:00:00Z', until: '2099-02-01T00:00:00Z' },
  },
  'POST /charge/payments/:paymentId/give-back': { amount: 1, seen: 0, access: 'goes_on' },
  'POST /charge/payments/:paymentId/refund': { amount: 1, at: '2026-01-01T00:00:00Z' },
  'POST /imports/:importId/check': {
    targets: [{ to: 'email' }],
    hasHeader: true,
    origin: 'other',
    words: 'They all said yes to us once.',
    confirmed: true,
  },
  'POST /publications/:publicationId/preview': {},
  'POST /publications/:publicationId/test': {},
  'POST /publications/:publicationId/send': {},
  'POST /publications/:publicationId/deliveries/again': { state: 'failed' },
  'POST /publications/:publicationId/deliveries/uncertain': { act: 'close' },
  'POST /subscribers/:subscriberId/restore': { reason: 'mine now' },
  'POST /subscribers/:subscriberId/notes': { text: 'mine now' },
}
const queries: Record<string, string> = {
  'GET /publications/:publicationId/deliveries/reasons': '?state=failed',
  'DELETE /media/:mediaId': '?evenIfUsed=true',
  'DELETE /tags/:tagId': '?evenIfUsed=true',
  'DELETE /fields/:fieldId': '?evenIfUsed=true',
  'DELETE /segments/:segmentId': '?evenIfUsed=true',
}

/** A fingerprint of every row of the victim, by table. Rows that hold clicks of several newsletters are left out. */
async function rowsOfVictim(): Promise<Record<string, string>> {
  const { db } = server.context
  const { rows: tables } = await sql<{ name: string }>`select c.relname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'newsletter_id' and a.attndims = 0
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`.execute(db)
  const parts = tables.map(
    ({ name }) => sql`select ${name} as name, md5(coalesce(string_agg(t::text, ',' order by t::text), '')) as digest
      from ${sql.table(name)} t where newsletter_id = ${victim}`,
  )
  const { rows } = await sql<{ name: string; digest: string }>`${sql.join(parts, sql` union all `)}`.execute(db)
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]))
}

test('no call in one’s own newsletter reaches an object of another one', async () => {
  const before = await rowsOfVictim()
  const routes = server.app.apiRoutes.filter(({ path }) => /^\/api\/newsletters\/:newsletterId\/.*:/.test(path))
  expect(routes.length).toBeGreaterThan(42)
  for (const { method, path } of routes) {
    const short = path.replace('/api/newsletters/:newsletterId', '')
    const address = path.replaceAll(/:(\w+)/g, (_, name: string) => {
      if (name === 'newsletterId') return own
      const id = name === 'keyId' && path.includes('/domain/') ? foreign.domainKeyId : foreign[name]
      if (!id) throw new Error(`an object for :${name} of ${path}, which this walk does not know`)
      return id
    })
    const route = `${method} ${short}`
    const answer = await attacker.call(
      method as InjectOptions['method'],
      address + (queries[route] ?? ''),
      bodies[route],
    )
    expect([route, answer.statusCode, answer.json().error.code]).toEqual([
      route,
      404,
      expect.stringMatching(/not_found$/),
    ])
    expect([route, answer.body]).toEqual([route, expect.not.stringContaining(MARK)])
    expect([route, await rowsOfVictim()]).toEqual([route, before])
  }
})

test('no id of another newsletter’s object in a body or a query is followed', async () => {
  const { db } = server.context
  const before = await rowsOfVictim()
  const path = `/api/newsletters/${own}`
  const {
    publicationId,
    subscriberId,
    mediaId,
    userId,
    keyId,
    tagId,
    segmentId,
    planId,
    placementId,
    bookingId,
    recommendationId,
  } = foreign
  const filters = [
    { on: 'tag', op: 'has', tag: Number(tagId) },
    { on: 'field', field: 'victim', kind: 'text', op: 'filled' },
    { on: 'received', op: 'did', publication: publicationId },
  ]
  await db.updateTable('newsletter').set({ postal_address: 'x' }).where('id', '=', own).execute()
  const key = { newsletter_id: own, id: ownPublication, publication_id: ownPublication }
  await db
    .insertInto('sending')
    .values({ ...key, audience: '{"kind":"everyone"}', state: 'paused', started_at: new Date() })
    .execute()
  const calls: [InjectOptions['method'], string, unknown?][] = [
    ['PATCH', '', { logoMediaId: mediaId }],
    ['GET', `/results?ids=${publicationId}`],
    ['GET', `/links?publicationId=${publicationId}`],
    ['GET', `/links?cursor=${publicationId}`],
    ['GET', `/media?cursor=${encodeURIComponent(`2100-01-01T00:00:00Z~${mediaId}`)}`],
    ['GET', `/subscribers?cursor=${subscriberId}`],
    ['GET', `/subscribers?search=${MARK}`],
    ['GET', `/publications?search=${MARK}`],
    ['GET', `/publications?cursor=${publicationId}`],
    ['GET', `/audit?userId=${userId}`],
    ['GET', `/audit?cursor=${uuidv7(Date.now() + 1e9)}`],
    ['GET', `/outbox?search=${MARK}`],
    ['GET', '/suppressions/groups?atLeast=1'],
    ['POST', '/suppressions/lift', { reason: 'mine', publicationId }],
    ['POST', `/publications/${ownPublication}/deliveries/again`, { state: 'failed', subscriberIds: [subscriberId] }],
    ['POST', `/publications/${ownPublication}/deliveries/uncertain`, { act: 'close', subscriberIds: [subscriberId] }],
    ['GET', `/subscribers?tagId=${tagId}`],
    ['GET', `/subscribers?segmentId=${segmentId}`],
    ['GET', `/subscribers/count?segmentId=${segmentId}`],
    ['GET', `/subscribers/count?tagId=${tagId}`],
    ['POST', '/bulk-changes', { act: 'tag', tagId: Number(tagId), chosen: { matching: {} } }],
    ['POST', '/bulk-changes', { act: 'unsubscribe', chosen: { matching: { segmentId } } }],
    ['GET', '/bulk-changes'],
    ['GET', `/publications/${ownPublication}/check?segmentId=${segmentId}`],
    ...filters.map(
      (filter) => ['POST', '/segments', { name: 'Theirs', filter }] as [InjectOptions['method'], string, unknown],
    ),
    ...filters.map((filter) => ['POST', '/segments/count', { filter }] as [InjectOptions['method'], string, unknown]),
    ['PUT', '/welcomes', { segmentId: null, publicationId }],
    ['PUT', '/welcomes', { segmentId: Number(segmentId), publicationId: ownPublication, paused: true }],
    ['GET', '/welcomes'],
    ['GET', '/subscribers.csv'],
    ['GET', '/subscribers.jsonl'],
    ['POST', '/subscribers.csv', { chosen: { matching: { tagId } } }],
    ['POST', '/subscribers.jsonl', { chosen: { matching: {} } }],
    ['GET', `/subscribers.csv?tagId=${tagId}`],
    ['GET', `/subscribers.jsonl?segmentId=${segmentId}`],
    ['GET', '/receipts.csv'],
    ['GET', '/receipts.jsonl'],
    ['GET', '/audit.csv'],
    ['GET', '/dashboard'],
    ['GET', '/dashboard?from=first'],
    ['GET', '/dashboard/highlights?from=first'],
    ...['growth', 'engagement', 'publications', 'links', 'sources', 'revenue'].map(
      (chart) => ['GET', `/dashboard/chart.csv?from=first&chart=${chart}`] as [InjectOptions['method'], string],
    ),
    ['GET', '/dashboard/checklist'],
    ['PUT', '/dashboard/checklist', { step: 'write', skipped: true }],
    ['PUT', '/dashboard/checklist', { step: 'write', skipped: false }],
    ['GET', '/charge/plans'],
    ['GET', '/charge/coupons'],
    ['GET', '/sponsorship/placements'],
    ['GET', '/sponsorship/house-campaigns'],
    ['GET', '/sponsorship/calendar?from=2098-01-01&to=2098-01-10'],
    ['GET', `/sponsorship/bookings?cursor=${bookingId}`],
    ['PUT', '/sponsorship/days', { day: '2098-01-02', kind: null }],
    [
      'POST',
      '/sponsorship/bookings',
      {
        ...{ placementId: Number(placementId), day: '2098-01-02', sponsor: 'x', language: 'en' },
        ...{ currency: 'eur', amount: 1 },
      },
    ],
    ['GET', '/opt-in-campaigns'],
    ['GET', '/campaign-offers'],
    ['GET', '/charge/gifts'],
    ['GET', '/charge/gifts.csv'],
    ['POST', '/charge/gifts', { planId: Number(planId), months: 6 }],
    ['GET', '/recommendations'],
    ['GET', '/recommendations.csv'],
    ['GET', '/recommenders'],
    ['PUT', '/recommendation-order', { ids: [recommendationId] }],
    ['GET', '/charge/figures'],
    ['GET', '/charge/figures.csv?chart=plans'],
    ['GET', '/charge/books.csv'],
    ['GET', '/charge/overview'],
    ['GET', `/charge/subscriptions?subscriberId=${subscriberId}`],
    ['GET', '/charge/subscriptions?due=ending'],
    ['GET', `/charge/payments?subscriberId=${subscriberId}`],
    ['POST', '/charge/subscriptions', { subscriberId, planId: Number(planId), way: 'complimentary', until: null }],
    ['PUT', '/charge/plan-order', { planIds: [Number(planId)] }],
    ['POST', '/charge/coupons', { code: 'MINE', percent: 10, planId: Number(planId) }],
  ]
  for (const [method, rest, body] of calls) {
    const answer = await attacker.call(method, `${path}${rest}`, body)
    expect([rest, answer.statusCode]).toEqual([
      rest,
      expect.toSatisfy((status: number) => status < 500 && status !== 422),
    ])
    expect([rest, answer.body.replaceAll(`search=${MARK}`, '')]).toEqual([rest, expect.not.stringContaining(MARK)])
    // One's own audit repeats what one asked for.
    const ids = rest.startsWith('/audit') ? [] : [publicationId, keyId, mediaId]
    for (const id of ids) expect([rest, answer.body.includes(`"${id}"`)]).toEqual([rest, false])
    expect([rest, await rowsOfVictim()]).toEqual([rest, before])
  }
})

test('a key of one newsletter is nobody in another', async () => {
  const { secret } = (
    await attacker.call('POST', `/api/newsletters/${own}/api-keys`, { name: 'k', role: 'owner' })
  ).json()
  const call = server.withKey(secret)
  for (const { method, path } of server.app.apiRoutes.filter(({ path }) => path.includes(':newsletterId'))) {
    const address = path.replaceAll(/:(\w+)/g, (_, name: string) =>
      name === 'newsletterId' ? victim : (foreign[name] ?? 'x'),
    )
    expect([path, (await call(method as InjectOptions['method'], address)).statusCode]).toEqual([path, 404])
  }
})

/** What every call that only reads answers in one’s own newsletter. */
async function ownAnswers(): Promise<Record<string, string>> {
  const { rows } = (await attacker.call('GET', `/api/newsletters/${own}/subscribers`)).json()
  const ids: Record<string, string> = {
    newsletterId: own,
    publicationId: ownPublication,
    subscriberId: rows[0].id,
    revision: '1',
  }
  const answers: Record<string, string> = {}
  for (const { method, path } of server.app.apiRoutes) {
    if (method !== 'GET' || !path.includes(':newsletterId') || path.endsWith('/live')) continue
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
    if (!names.every((name) => ids[name])) continue
    const address = path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? '')
    const answer = await attacker.call('GET', address + (queries[`GET ${path.split(':newsletterId')[1]}`] ?? ''))
    expect([path, answer.statusCode]).toEqual([path, expect.toSatisfy((status: number) => status < 500)])
    expect([path, answer.body]).toEqual([path, expect.not.stringContaining(MARK)])
    // The walk itself writes into the audit, which has tests of its own. Which handles are taken is public: they are addresses.
    if (!path.includes('/audit') && !path.endsWith('/handle')) answers[path] = `${answer.statusCode} ${answer.body}`
  }
  expect(Object.keys(answers).length).toBeGreaterThan(20)
  return answers
}

test('what one’s own newsletter shows is the same when there is no other', async () => {
  const answers = await ownAnswers()
  const { db } = server.context
  for (const { id } of await db.selectFrom('newsletter').select('id').where('id', '<>', own).execute()) {
    await eraseNewsletter(db, id)
  }
  expect(await ownAnswers()).toEqual(answers)
})
