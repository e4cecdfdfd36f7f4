import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { permissions, type Role } from '../permissions.ts'
import { type Session, startTestApp, type TestApp } from '../testing/app.ts'

let server: TestApp
let id: string
type Call = Session['call']
const callers = {} as Record<'stranger' | 'user' | 'foreignKey' | 'analyst' | 'editor' | 'owner', Call>

beforeAll(async () => {
  server = await startTestApp()
  const owner = await server.signUp()
  id = await server.createNewsletter(owner)
  const foreigner = await server.signUp()
  const foreign = await server.createNewsletter(foreigner)
  const key = await foreigner.call('POST', `/api/newsletters/${foreign}/api-keys`, { name: 'k', role: 'owner' })
  callers.stranger = server.stranger
  callers.user = foreigner.call
  callers.foreignKey = server.withKey(key.json().secret)
  callers.analyst = (await server.asMember(id, 'analyst')).call
  callers.editor = (await server.asMember(id, 'editor')).call
  callers.owner = owner.call
})
afterAll(() => server?.stop())

/**
 * Who may call what: anyone, anyone signed in, or from which role on. Written out by hand and not read from the table of
 * roles, so that a permission in the wrong role or on the wrong endpoint is found here.
 */
const lowest: Record<string, 'public' | 'user' | Role> = {
  'GET /api/newsletters/:newsletterId/advertise/results': 'analyst',
  'GET /api/newsletters/:newsletterId/advertise/results.csv': 'analyst',
  'GET /api/newsletters/:newsletterId/sponsorship/placements': 'analyst',
  'POST /api/newsletters/:newsletterId/sponsorship/placements': 'editor',
  'PATCH /api/newsletters/:newsletterId/sponsorship/placements/:placementId': 'editor',
  'PATCH /api/newsletters/:newsletterId/sponsorship/settings': 'editor',
  'PUT /api/newsletters/:newsletterId/sponsorship/days': 'editor',
  'GET /api/newsletters/:newsletterId/sponsorship/house-campaigns': 'analyst',
  'POST /api/newsletters/:newsletterId/sponsorship/house-campaigns': 'editor',
  'PATCH /api/newsletters/:newsletterId/sponsorship/house-campaigns/:houseCampaignId': 'editor',
  'GET /api/newsletters/:newsletterId/publications/:publicationId/slots': 'analyst',
  'GET /api/newsletters/:newsletterId/sponsorship/calendar': 'analyst',
  'GET /api/newsletters/:newsletterId/sponsorship/bookings': 'analyst',
  'GET /api/newsletters/:newsletterId/sponsorship/bookings/:bookingId': 'analyst',
  'POST /api/newsletters/:newsletterId/sponsorship/bookings': 'editor',
  'PATCH /api/newsletters/:newsletterId/sponsorship/bookings/:bookingId': 'editor',
  'POST /api/newsletters/:newsletterId/sponsorship/bookings/:bookingId/acts': 'editor',
  'POST /api/newsletters/:newsletterId/sponsorship/bookings/:bookingId/money': 'owner',
  'POST /api/newsletters/:newsletterId/sponsorship/bookings/:bookingId/link': 'editor',
  'GET /api/newsletters/:newsletterId/sponsorship/bookings/:bookingId/report': 'analyst',
  'POST /api/newsletters/:newsletterId/sponsorship/bookings/:bookingId/report-link': 'editor',
  'PUT /api/newsletters/:newsletterId/sponsorship/bookings/:bookingId/creative': 'editor',
  'POST /api/newsletters/:newsletterId/sponsorship/bookings/:bookingId/make-good': 'editor',
  'GET /api/newsletters/:newsletterId/charge/stripe': 'analyst',
  'PUT /api/newsletters/:newsletterId/charge/stripe': 'owner',
  'PATCH /api/newsletters/:newsletterId/charge/stripe': 'owner',
  'DELETE /api/newsletters/:newsletterId/charge/stripe': 'owner',
  'POST /api/newsletters/:newsletterId/charge/stripe/check': 'owner',
  'GET /api/newsletters/:newsletterId/charge/stripe/events': 'analyst',
  'GET /api/newsletters/:newsletterId/charge/stripe/tasks': 'analyst',
  'POST /api/newsletters/:newsletterId/charge/stripe/events/:eventId/retry': 'owner',
  'GET /api/newsletters/:newsletterId/charge/stripe/comparisons': 'analyst',
  'POST /api/newsletters/:newsletterId/charge/stripe/comparisons': 'owner',
  'POST /api/newsletters/:newsletterId/charge/stripe/comparisons/:comparisonId/repair': 'owner',
  'GET /api/newsletters/:newsletterId/charge/payment-failures': 'analyst',
  'POST /api/analytics/events': 'public',
  'GET /api/newsletters/:newsletterId/publications/:publicationId/result': 'analyst',
  'GET /api/newsletters/:newsletterId/results': 'analyst',
  'GET /api/newsletters/:newsletterId/dashboard': 'analyst',
  'GET /api/newsletters/:newsletterId/dashboard/highlights': 'analyst',
  'GET /api/newsletters/:newsletterId/dashboard/chart.csv': 'analyst',
  'GET /api/newsletters/:newsletterId/dashboard/checklist': 'analyst',
  'PUT /api/newsletters/:newsletterId/dashboard/checklist': 'owner',
  'GET /api/me/newsletters/figures': 'user',
  'GET /api/me/newsletters/figures.csv': 'user',
  'GET /api/newsletters/:newsletterId/live': 'analyst',
  'GET /api/newsletters/:newsletterId/domain': 'editor',
  'POST /api/newsletters/:newsletterId/domain/keys': 'owner',
  'POST /api/newsletters/:newsletterId/domain/keys/:keyId/activate': 'owner',
  'POST /api/newsletters/:newsletterId/domain/keys/:keyId/retire': 'owner',
  'DELETE /api/newsletters/:newsletterId/domain/keys/:keyId': 'owner',
  'POST /api/newsletters/:newsletterId/domain/checks': 'editor',
  'GET /api/newsletters/:newsletterId/publications/:publicationId/feedback': 'analyst',
  'GET /api/identity/providers': 'public',
  'GET /api/me': 'public',
  'PATCH /api/me/profile': 'user',
  'POST /api/identity/sign-in-link': 'public',
  'POST /api/identity/confirmation': 'public',
  'POST /api/identity/confirmation/address': 'public',
  'POST /api/identity/reset': 'public',
  'POST /api/identity/reset/address': 'public',
  'POST /api/identity/second-factor': 'public',
  'DELETE /api/me': 'user',
  'GET /api/me/deletion': 'user',
  'GET /api/me/sessions': 'user',
  'DELETE /api/me/sessions': 'user',
  'DELETE /api/me/sessions/:sessionId': 'user',
  'GET /api/me/proof': 'user',
  'POST /api/me/proof': 'user',
  'POST /api/me/proof/mail': 'user',
  'GET /api/me/security': 'user',
  'PUT /api/me/password': 'user',
  'POST /api/me/two-factor': 'user',
  'POST /api/me/two-factor/confirmation': 'user',
  'DELETE /api/me/two-factor': 'user',
  'POST /api/me/recovery-codes': 'user',
  'PATCH /api/me/passkeys/:passkeyId': 'user',
  'DELETE /api/me/passkeys/:passkeyId': 'user',
  'POST /api/newsletters/:newsletterId/links': 'editor',
  'GET /api/newsletters/:newsletterId/links': 'analyst',
  'GET /api/newsletters/:newsletterId/links/:linkId': 'analyst',
  'PATCH /api/newsletters/:newsletterId/links/:linkId': 'editor',
  'GET /api/newsletters/:newsletterId/links/:linkId/clicks.csv': 'analyst',
  'GET /api/newsletters/:newsletterId/links/:linkId/sources.csv': 'analyst',
  'GET /api/newsletters/:newsletterId/links/:linkId/qr': 'analyst',
  'GET /api/newsletters/:newsletterId/utm-templates': 'analyst',
  'PUT /api/newsletters/:newsletterId/utm-templates': 'editor',
  'PUT /api/newsletters/:newsletterId/utm-templates/:templateId': 'editor',
  'DELETE /api/newsletters/:newsletterId/utm-templates/:templateId': 'editor',
  'GET /api/newsletters/:newsletterId/click-rules': 'analyst',
  'POST /api/newsletters/:newsletterId/click-rules/replay': 'editor',
  'POST /api/newsletters/:newsletterId/media': 'editor',
  'POST /api/newsletters/:newsletterId/media/fetch': 'editor',
  'GET /api/newsletters/:newsletterId/search': 'analyst',
  'GET /api/newsletters/:newsletterId/media': 'analyst',
  'PATCH /api/newsletters/:newsletterId/media/:mediaId': 'editor',
  'DELETE /api/newsletters/:newsletterId/media/:mediaId': 'editor',
  'GET /api/newsletters/:newsletterId/digests': 'analyst',
  'GET /api/newsletters/:newsletterId/media-usage': 'analyst',
  'GET /api/newsletters': 'user',
  'POST /api/newsletters': 'user',
  'GET /api/newsletters/:newsletterId/senders': 'analyst',
  'POST /api/newsletters/:newsletterId/senders/code': 'owner',
  'POST /api/newsletters/:newsletterId/senders/proof': 'owner',
  'GET /api/newsletters/:newsletterId': 'analyst',
  'PATCH /api/newsletters/:newsletterId': 'owner',
  'GET /api/newsletters/:newsletterId/handle': 'owner',
  'GET /api/newsletters/:newsletterId/deletion': 'owner',
  'DELETE /api/newsletters/:newsletterId': 'owner',
  'POST /api/me/newsletters/restore': 'user',
  'GET /api/newsletters/:newsletterId/members': 'analyst',
  'POST /api/newsletters/:newsletterId/invitations': 'owner',
  'DELETE /api/newsletters/:newsletterId/invitations/:invitationId': 'owner',
  'PATCH /api/newsletters/:newsletterId/members/:userId': 'owner',
  'DELETE /api/newsletters/:newsletterId/members/:userId': 'analyst',
  'GET /api/invitations/:token': 'public',
  'POST /api/invitations/:token/accept': 'user',
  'GET /api/newsletters/:newsletterId/api-keys': 'owner',
  'POST /api/newsletters/:newsletterId/api-keys': 'owner',
  'DELETE /api/newsletters/:newsletterId/api-keys/:keyId': 'owner',
  'GET /api/newsletters/:newsletterId/subscribers/form': 'analyst',
  'GET /api/newsletters/:newsletterId/publications': 'analyst',
  'POST /api/newsletters/:newsletterId/publications': 'editor',
  'POST /api/newsletters/:newsletterId/publications/sample': 'editor',
  'GET /api/newsletters/:newsletterId/publications/:publicationId': 'analyst',
  'PATCH /api/newsletters/:newsletterId/publications/:publicationId': 'editor',
  'PUT /api/newsletters/:newsletterId/publications/:publicationId/day': 'editor',
  'DELETE /api/newsletters/:newsletterId/publications/:publicationId': 'editor',
  'POST /api/newsletters/:newsletterId/publications/:publicationId/restore': 'editor',
  'GET /api/newsletters/:newsletterId/deleted-publications': 'editor',
  'DELETE /api/newsletters/:newsletterId/deleted-publications/:publicationId': 'editor',
  'POST /api/newsletters/:newsletterId/publications/:publicationId/duplicate': 'editor',
  'GET /api/newsletters/:newsletterId/publications/:publicationId/revisions': 'analyst',
  'GET /api/newsletters/:newsletterId/publications/:publicationId/revisions/:revision': 'analyst',
  'POST /api/newsletters/:newsletterId/publications/:publicationId/preview': 'analyst',
  'POST /api/newsletters/:newsletterId/publications/:publicationId/test': 'editor',
  'GET /api/newsletters/:newsletterId/publications/:publicationId/check': 'analyst',
  'POST /api/newsletters/:newsletterId/publications/:publicationId/addresses/try': 'editor',
  'POST /api/newsletters/:newsletterId/publications/:publicationId/send': 'editor',
  'POST /api/newsletters/:newsletterId/publications/:publicationId/pause': 'editor',
  'POST /api/newsletters/:newsletterId/publications/:publicationId/resume': 'editor',
  'POST /api/newsletters/:newsletterId/publications/:publicationId/trust': 'editor',
  'POST /api/newsletters/:newsletterId/publications/:publicationId/deliveries/again': 'editor',
  'GET /api/newsletters/:newsletterId/publications/:publicationId/deliveries/reasons': 'analyst',
  'POST /api/newsletters/:newsletterId/publications/:publicationId/cancel': 'editor',
  'POST /api/newsletters/:newsletterId/publications/:publicationId/unschedule': 'editor',
  'POST /api/newsletters/:newsletterId/publications/:publicationId/take-off-web': 'editor',
  'POST /api/newsletters/:newsletterId/publications/:publicationId/put-back-on-web': 'editor',
  'GET /api/newsletters/:newsletterId/relays': 'editor',
  'POST /api/newsletters/:newsletterId/relays': 'owner',
  'PATCH /api/newsletters/:newsletterId/relays/:relayId': 'owner',
  'DELETE /api/newsletters/:newsletterId/relays/:relayId': 'owner',
  'POST /api/newsletters/:newsletterId/relays/:relayId/test': 'owner',
  'PUT /api/newsletters/:newsletterId/relays/domain-limits': 'owner',
  'GET /api/newsletters/:newsletterId/publications/:publicationId/deliveries': 'analyst',
  'GET /api/newsletters/:newsletterId/publications/:publicationId/deliveries.csv': 'analyst',
  'POST /api/newsletters/:newsletterId/publications/:publicationId/deliveries/uncertain': 'editor',
  'GET /api/newsletters/:newsletterId/outbox': 'editor',
  'GET /api/newsletters/:newsletterId/outbox/:mailId': 'editor',
  'GET /api/newsletters/:newsletterId/subscribers': 'analyst',
  'POST /api/newsletters/:newsletterId/subscribers': 'editor',
  'GET /api/newsletters/:newsletterId/subscribers/:subscriberId': 'analyst',
  'DELETE /api/newsletters/:newsletterId/subscribers/:subscriberId': 'editor',
  'POST /api/newsletters/:newsletterId/subscribers/:subscriberId/unsubscribe': 'editor',
  'POST /api/newsletters/:newsletterId/subscribers/:subscriberId/restore': 'editor',
  'PATCH /api/newsletters/:newsletterId/subscribers/:subscriberId': 'editor',
  'GET /api/newsletters/:newsletterId/subscribers/count': 'analyst',
  'GET /api/newsletters/:newsletterId/subscribers/sources': 'analyst',
  'GET /api/newsletters/:newsletterId/subscribers/:subscriberId/timeline': 'analyst',
  'GET /api/newsletters/:newsletterId/subscribers/:subscriberId/clicks': 'analyst',
  'GET /api/newsletters/:newsletterId/subscribers/:subscriberId/notes': 'analyst',
  'POST /api/newsletters/:newsletterId/subscribers/:subscriberId/notes': 'editor',
  'DELETE /api/newsletters/:newsletterId/subscribers/:subscriberId/notes/:noteId': 'editor',
  'GET /api/newsletters/:newsletterId/bulk-changes': 'analyst',
  'POST /api/newsletters/:newsletterId/bulk-changes': 'editor',
  'POST /api/newsletters/:newsletterId/bulk-changes/:bulkChangeId/stop': 'editor',
  'POST /api/newsletters/:newsletterId/bulk-changes/:bulkChangeId/undo': 'editor',
  'GET /api/newsletters/:newsletterId/tags': 'analyst',
  'POST /api/newsletters/:newsletterId/tags': 'editor',
  'PATCH /api/newsletters/:newsletterId/tags/:tagId': 'editor',
  'DELETE /api/newsletters/:newsletterId/tags/:tagId': 'editor',
  'GET /api/newsletters/:newsletterId/fields': 'analyst',
  'POST /api/newsletters/:newsletterId/fields': 'editor',
  'PATCH /api/newsletters/:newsletterId/fields/:fieldId': 'editor',
  'DELETE /api/newsletters/:newsletterId/fields/:fieldId': 'editor',
  'GET /api/newsletters/:newsletterId/welcomes': 'analyst',
  'PUT /api/newsletters/:newsletterId/welcomes': 'editor',
  'DELETE /api/newsletters/:newsletterId/welcomes/:welcomeId': 'editor',
  'GET /api/newsletters/:newsletterId/segments': 'analyst',
  'POST /api/newsletters/:newsletterId/segments': 'editor',
  'POST /api/newsletters/:newsletterId/segments/count': 'analyst',
  'GET /api/newsletters/:newsletterId/segments/:segmentId': 'analyst',
  'PATCH /api/newsletters/:newsletterId/segments/:segmentId': 'editor',
  'DELETE /api/newsletters/:newsletterId/segments/:segmentId': 'editor',
  'GET /api/newsletters/:newsletterId/suppressions/groups': 'analyst',
  'POST /api/newsletters/:newsletterId/suppressions/lift': 'editor',
  'GET /api/newsletters/:newsletterId/subscribers.csv': 'owner',
  'GET /api/newsletters/:newsletterId/subscribers.jsonl': 'owner',
  'POST /api/newsletters/:newsletterId/subscribers.csv': 'owner',
  'POST /api/newsletters/:newsletterId/subscribers.jsonl': 'owner',
  'GET /api/newsletters/:newsletterId/imports': 'owner',
  'POST /api/newsletters/:newsletterId/imports': 'owner',
  'POST /api/newsletters/:newsletterId/imports/:importId/parts/:part': 'owner',
  'GET /api/newsletters/:newsletterId/imports/:importId': 'owner',
  'POST /api/newsletters/:newsletterId/imports/:importId/encoding': 'owner',
  'POST /api/newsletters/:newsletterId/imports/:importId/check': 'owner',
  'POST /api/newsletters/:newsletterId/imports/:importId/start': 'owner',
  'POST /api/newsletters/:newsletterId/imports/:importId/cancel': 'owner',
  'GET /api/newsletters/:newsletterId/imports/:importId/take-back': 'owner',
  'POST /api/newsletters/:newsletterId/imports/:importId/take-back': 'owner',
  'GET /api/newsletters/:newsletterId/imports/:importId/report.csv': 'owner',
  'GET /api/newsletters/:newsletterId/receipts.csv': 'owner',
  'GET /api/newsletters/:newsletterId/receipts.jsonl': 'owner',
  'GET /api/newsletters/:newsletterId/subscribers/:subscriberId/receipts': 'owner',
  'GET /api/newsletters/:newsletterId/charge/plans': 'analyst',
  'POST /api/newsletters/:newsletterId/charge/plans': 'owner',
  'GET /api/newsletters/:newsletterId/charge/plans/:planId/opens': 'analyst',
  'PATCH /api/newsletters/:newsletterId/charge/plans/:planId': 'owner',
  'PUT /api/newsletters/:newsletterId/charge/plans/:planId/prices': 'owner',
  'GET /api/newsletters/:newsletterId/charge/plans/:planId/price-moves': 'analyst',
  'POST /api/newsletters/:newsletterId/charge/plans/:planId/price-moves': 'owner',
  'POST /api/newsletters/:newsletterId/charge/price-moves/:moveId/stop': 'owner',
  'PUT /api/newsletters/:newsletterId/charge/plan-order': 'owner',
  'PATCH /api/newsletters/:newsletterId/charge/settings': 'owner',
  'GET /api/newsletters/:newsletterId/charge/coupons': 'analyst',
  'POST /api/newsletters/:newsletterId/charge/coupons': 'owner',
  'DELETE /api/newsletters/:newsletterId/charge/coupons/:couponId': 'owner',
  'GET /api/newsletters/:newsletterId/opt-in-campaigns': 'analyst',
  'POST /api/newsletters/:newsletterId/opt-in-campaigns': 'editor',
  'GET /api/newsletters/:newsletterId/opt-in-campaigns/:campaignId': 'analyst',
  'PATCH /api/newsletters/:newsletterId/opt-in-campaigns/:campaignId': 'editor',
  'POST /api/newsletters/:newsletterId/opt-in-campaigns/:campaignId/withdrawal': 'editor',
  'POST /api/newsletters/:newsletterId/opt-in-campaigns/:campaignId/places': 'editor',
  'GET /api/newsletters/:newsletterId/opt-in-campaigns/:campaignId/opt-ins.csv': 'owner',
  'POST /api/newsletters/:newsletterId/opt-in-campaigns/:campaignId/list-links': 'owner',
  'DELETE /api/newsletters/:newsletterId/opt-in-campaigns/:campaignId/list-links/:listLinkId': 'owner',
  'GET /api/newsletters/:newsletterId/campaign-offers': 'analyst',
  'PUT /api/newsletters/:newsletterId/campaign-offers/:campaignId': 'owner',
  'DELETE /api/newsletters/:newsletterId/campaign-offers/:campaignId': 'owner',
  'GET /api/newsletters/:newsletterId/charge/gifts': 'owner',
  'GET /api/newsletters/:newsletterId/charge/gifts.csv': 'owner',
  'POST /api/newsletters/:newsletterId/charge/gifts': 'owner',
  'POST /api/newsletters/:newsletterId/charge/gifts/:giftId/mail': 'owner',
  'DELETE /api/newsletters/:newsletterId/charge/gifts/:giftId': 'owner',
  'GET /api/newsletters/:newsletterId/recommendations': 'analyst',
  'GET /api/newsletters/:newsletterId/recommendations.csv': 'analyst',
  'POST /api/newsletters/:newsletterId/recommendations': 'editor',
  'PATCH /api/newsletters/:newsletterId/recommendations/:recommendationId': 'editor',
  'DELETE /api/newsletters/:newsletterId/recommendations/:recommendationId': 'editor',
  'PUT /api/newsletters/:newsletterId/recommendation-order': 'editor',
  'POST /api/newsletters/:newsletterId/remote-newsletters': 'editor',
  'POST /api/newsletters/:newsletterId/remote-recommendations': 'editor',
  'POST /api/newsletters/:newsletterId/recommendations/:recommendationId/remote-change': 'editor',
  'GET /api/newsletters/:newsletterId/recommenders': 'analyst',
  'PUT /api/newsletters/:newsletterId/recommenders/:recommendationId': 'owner',
  'PUT /api/newsletters/:newsletterId/recommended-by': 'owner',
  'GET /api/newsletters/:newsletterId/charge/figures': 'analyst',
  'GET /api/newsletters/:newsletterId/charge/figures.csv': 'analyst',
  'GET /api/newsletters/:newsletterId/charge/books.csv': 'analyst',
  'GET /api/newsletters/:newsletterId/charge/overview': 'analyst',
  'GET /api/newsletters/:newsletterId/charge/subscriptions': 'analyst',
  'POST /api/newsletters/:newsletterId/charge/subscriptions': 'owner',
  'PATCH /api/newsletters/:newsletterId/charge/subscriptions/:subscriptionId': 'owner',
  'POST /api/newsletters/:newsletterId/charge/subscriptions/:subscriptionId/cancel': 'owner',
  'POST /api/newsletters/:newsletterId/charge/subscriptions/:subscriptionId/pause': 'owner',
  'POST /api/newsletters/:newsletterId/charge/subscriptions/:subscriptionId/payments': 'owner',
  'POST /api/newsletters/:newsletterId/charge/subscriptions/:subscriptionId/resume': 'owner',
  'POST /api/newsletters/:newsletterId/charge/outside-file': 'owner',
  'GET /api/newsletters/:newsletterId/charge/payments': 'analyst',
  'POST /api/newsletters/:newsletterId/charge/payments/:paymentId/give-back': 'owner',
  'POST /api/newsletters/:newsletterId/charge/payments/:paymentId/refund': 'owner',
  'GET /api/newsletters/:newsletterId/audit': 'owner',
  'GET /api/newsletters/:newsletterId/audit.csv': 'owner',
  'PUT /api/newsletters/:newsletterId/audit/days': 'owner',
  'GET /api/me/events': 'user',
}
const rank: Record<string, number> = { analyst: 1, editor: 2, owner: 3 }

/** The guard's own answer, or null when the call reaches its handler. */
function refusal(route: string, caller: keyof typeof callers): number | null {
  const access = lowest[route]
  if (access === undefined) throw new Error(`who may call ${route}?`)
  if (access === 'public') return null
  if (caller === 'stranger') return 401
  if (access === 'user') return caller === 'foreignKey' ? 403 : null
  if (caller === 'user' || caller === 'foreignKey') return 404
  return (rank[caller] ?? 0) < (rank[access] ?? 0) ? 403 : null
}

/** Calls that pass the guard must change nothing, so the ids do not exist and the bodies fit no contract. */
const address = (path: string) =>
  path.replace(':newsletterId', id).replace(/:\w+/g, () => '00000000-0000-7000-8000-000000000000')

/** Calls every route, and returns the answers that are not the guard's. */
async function walk(call: Call, expectedOf: (route: string) => number | null, skip: (route: string) => boolean) {
  const wrong: string[] = []
  for (const { method, path } of server.app.apiRoutes) {
    const route = `${method} ${path}`
    const refused = expectedOf(route)
    // A stream does not end, and these two act without a body.
    if (refused === null && (path.endsWith('/live') || route === 'DELETE /api/me' || skip(route))) continue
    const body = method === 'GET' || method === 'DELETE' ? undefined : []
    const answer = await call(method as InjectOptions['method'], address(path), body)
    const code = /^application\/json\b/.test(String(answer.headers['content-type']))
      ? answer.json().error?.code
      : undefined
    // What belongs to an account is no matter of a key's role.
    const noRole = call === callers.foreignKey ? 'key_elsewhere' : 'forbidden'
    const expected = { 401: 'unauthenticated', 403: noRole, 404: 'newsletter_not_found' }
    const asDeclared =
      refused === null
        ? !Object.values(expected).includes(code) && answer.statusCode < 500
        : answer.statusCode === refused && code === expected[refused as keyof typeof expected]
    // Members may remove only themselves. The handler refuses this, not the guard.
    const ownRefusal = path.endsWith('/members/:userId') && method === 'DELETE' && answer.statusCode === 403
    if (!asDeclared && !ownRefusal) wrong.push(`${route}: ${answer.statusCode} ${code}`)
  }
  return wrong
}

describe('every route refuses those who may not call it', () => {
  test.each(['stranger', 'user', 'foreignKey', 'analyst', 'editor', 'owner'] as const)('%s', async (caller) => {
    const deletes = (route: string) => route === 'DELETE /api/newsletters/:newsletterId'
    expect(await walk(callers[caller], (route) => refusal(route, caller), deletes)).toEqual([])
  })
})

test('everything below a newsletter names a permission, and the list of who may call what names every route', () => {
  const routes = server.app.apiRoutes.map(({ method, path }) => `${method} ${path}`)
  expect(Object.keys(lowest).sort()).toEqual(routes.sort())
  const below = server.app.apiRoutes.filter(({ path }) => path.startsWith('/api/newsletters/:newsletterId'))
  expect(below.length).toBeGreaterThan(20)
  const known: readonly string[] = permissions
  expect(below.filter(({ access }) => !known.includes(access))).toEqual([])
})

test('another site cannot write with somebody’s cookies', async () => {
  const person = await server.signUp()
  const write = (headers: Record<string, string>) =>
    server.inject({
      method: 'PATCH',
      url: '/api/me/profile',
      headers: { cookie: person.cookie, ...headers },
      payload: { mode: 'dark' },
    })
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
  ] as Record<string, string>[]) {
    const answer = await write(headers)
    expect([answer.statusCode, answer.json().error.code]).toEqual([403, 'cross_site'])
  }
  expect((await write({ origin: 'http://tirage.test' })).statusCode).toBe(200)
  const out = await server.inject({
    method: 'POST',
    url: '/api/auth/sign-out',
    headers: { cookie: person.cookie, origin: 'https://evil.example' },
  })
  expect(out.statusCode).toBe(403)
})

test('wrong types, huge bodies and broken JSON get readable errors', async () => {
  const send = (payload: string | object, type = 'application/json') =>
    server.inject({ method: 'POST', url: '/api/analytics/events', headers: { 'content-type': type }, payload })
  expect((await send('{"events":')).json().error.code).toBe('bad_request')
  expect((await send({ events: 'all' })).json().error).toMatchObject({
    code: 'invalid',
    fields: { events: expect.any(String) },
  })
  expect((await send({ events: [], filler: 'x'.repeat(5_000_000) })).statusCode).toBe(413)
  expect((await send('<x/>', 'application/xml')).statusCode).toBe(415)
  expect((await server.stranger('GET', '/api/nothing')).json().error.code).toBe('not_found')
})

test('the API describes itself', async () => {
  const document = (await server.stranger('GET', '/api/openapi.json')).json()
  expect(document.openapi).toBe('3.1.0')
  expect(Object.keys(document.paths)).toContain('/api/newsletters/{newsletterId}')
  expect(JSON.stringify(document)).not.toContain('/api/auth/')
  const docs = await server.stranger('GET', '/api/docs/')
  expect([docs.statusCode, docs.headers['content-type']]).toEqual([200, expect.stringContaining('text/html')])
})
