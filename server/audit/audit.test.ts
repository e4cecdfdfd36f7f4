import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Session, startTestApp, type TestApp } from '../testing/app.ts'
import { forgetAuditJob } from './forget-audit.job.ts'
import { addAccountLine } from './lines.ts'

let server: TestApp
let owner: Session
let id: string
beforeAll(async () => {
  server = await startTestApp()
  owner = await server.signUp({ name: 'Inès' })
  id = await server.createNewsletter(owner)
})
afterAll(() => server?.stop())

const path = (rest = '') => `/api/newsletters/${id}${rest}`
const lines = async (query = '') => (await owner.call('GET', path(`/audit${query}`))).json().rows
const all = async (act: string, query = '') =>
  (await lines(`?limit=200${query}`)).filter((line: { act: string }) => line.act === act)
const newest = async (act: string) => (await all(act))[0]

test('an act that could be disputed leaves who did what, when and from where, and no secret', async () => {
  const made = await owner.call('POST', path('/api-keys'), { name: 'the shop', role: 'editor' })
  const { id: keyId, secret } = made.json()
  expect(await newest('api_key_made')).toMatchObject({
    outcome: 'done',
    actor: 'member',
    who: { userId: owner.userId, name: 'Inès' },
    network: expect.stringMatching(/^10\./),
    detail: { name: 'the shop', role: 'editor' },
  })
  await owner.call('DELETE', path(`/api-keys/${keyId}`))
  expect(await newest('api_key_revoked')).toMatchObject({ outcome: 'done', detail: { name: 'the shop' } })
  expect(JSON.stringify(await lines())).not.toContain(secret)
})

test('the secrets of a relay stay out of its lines', async () => {
  const way = { kind: 'postmark', messageStream: 'broadcast' }
  const relay = { name: 'Postmark', way, secret: 'a-server-token', webhookSecret: 'a-webhook-secret-of-ours' }
  const added = await owner.call('POST', path('/relays'), relay)
  expect(added.statusCode, added.body).toBe(200)
  await owner.call('PATCH', path(`/relays/${added.json().id}`), { secret: 'another-token' })
  const elsewhere = await owner.call('PATCH', path(`/relays/${added.json().id}`), { way: { kind: 'resend' } })
  expect(elsewhere.statusCode).toBe(422)
  expect(await newest('relay_changed')).toMatchObject({ outcome: 'refused', detail: { name: 'Postmark' } })
  await owner.call('PATCH', path(`/relays/${added.json().id}`), { weight: 2 })
  await owner.call('DELETE', path(`/relays/${added.json().id}`))
  for (const act of ['relay_added', 'relay_changed', 'relay_removed']) {
    expect(await newest(act)).toMatchObject({ outcome: 'done', detail: { name: 'Postmark' } })
  }
  expect(JSON.stringify(await lines())).not.toMatch(/token|webhook/)
})

test('that an owner deleted their account stays, with their role and without their name', async () => {
  const leaving = await server.asMember(id, 'owner')
  expect((await leaving.call('DELETE', '/api/me')).statusCode).toBe(200)
  const line = await newest('member_account_deleted')
  expect(line).toMatchObject({ outcome: 'done', actor: 'member', who: null, network: null, detail: { role: 'owner' } })
  expect(JSON.stringify(line)).not.toContain(leaving.email)
})

test('an act that was refused leaves a line that says so', async () => {
  await owner.call('DELETE', path(`/members/${owner.userId}`))
  expect(await newest('member_removed')).toMatchObject({ outcome: 'refused', about: { userId: owner.userId } })
})

test('a line of a placement or a campaign says which it was', async () => {
  const words = { en: { name: 'Top', disclosure: 'From our sponsor' } }
  const made = await owner.call('POST', path('/sponsorship/placements'), { words, place: 'top', maxWords: 10 })
  expect(await newest('placement_made')).toMatchObject({ detail: { name: 'Top' } })
  const renamed = { words: { en: { ...words.en, name: 'Head' } } }
  await owner.call('PATCH', path(`/sponsorship/placements/${made.json().id}`), renamed)
  expect(await newest('placement_changed')).toMatchObject({ detail: { name: 'Head' } })
  const campaign = await owner.call('POST', path('/opt-in-campaigns'), { name: 'Almanac' })
  await owner.call('PATCH', path(`/opt-in-campaigns/${campaign.json().id}`), { cap: 4 })
  expect(await newest('campaign_changed')).toMatchObject({ outcome: 'done', detail: { name: 'Almanac' } })
  const launched = { startsAt: new Date().toISOString() }
  await owner.call('PATCH', path(`/opt-in-campaigns/${campaign.json().id}`), launched)
  expect((await newest('campaign_changed')).detail).toMatchObject({ name: 'Almanac', launched: true })
})

test('what is saved as it was leaves no line', async () => {
  const count = async () => (await owner.call('GET', path('/audit?limit=200'))).json().rows.length
  const words = { en: { name: 'Foot', disclosure: 'From our sponsor' } }
  const placement = (
    await owner.call('POST', path('/sponsorship/placements'), { words, place: 'end', maxWords: 10 })
  ).json()
  const campaign = (await owner.call('POST', path('/opt-in-campaigns'), { name: 'Yearbook' })).json()
  const filter = { on: 'email', op: 'contains', value: 'a' }
  const segment = (await owner.call('POST', path('/segments'), { name: 'With an a', filter })).json()
  const link = (await owner.call('POST', path('/links'), { name: 'Card', target: 'https://example.org/card' })).json()
  const before = await count()
  for (const [rest, body] of [
    [`/sponsorship/placements/${placement.id}`, { words, maxWords: 10 }],
    [`/opt-in-campaigns/${campaign.id}`, { name: 'Yearbook' }],
    [`/segments/${segment.id}`, { name: 'With an a', filter }],
    [`/links/${link.id}`, { name: 'Card' }],
  ] as const)
    expect([rest, (await owner.call('PATCH', path(rest), body)).statusCode]).toEqual([rest, 200])
  expect(await count()).toBe(before)
  await owner.call('PATCH', path(`/links/${link.id}`), { name: 'Postcard' })
  expect(await count()).toBe(before + 1)
})

test('who is no member is named by no line, and nobody learns their address by an id', async () => {
  const stranger = await server.signUp({ name: 'Yann', email: 'yann@example.org' })
  await owner.call('DELETE', path(`/members/${stranger.userId}`))
  await owner.call('PATCH', path(`/members/${stranger.userId}`), { role: 'editor' })
  expect(await newest('member_removed')).toMatchObject({ outcome: 'refused', about: null })
  expect((await owner.call('GET', path('/audit.csv'))).body).not.toMatch(/yann/i)
})

test('what a role does not allow leaves one line, however often it is tried', async () => {
  const analyst = await server.asMember(id, 'analyst')
  for (let i = 0; i < 5; i++) await analyst.call('GET', path('/subscribers.csv'))
  const refused = await all('access_refused', `&kind=access&userId=${analyst.userId}`)
  expect(refused).toMatchObject([
    { outcome: 'refused', detail: { method: 'GET', path: expect.stringContaining('csv') } },
  ])
})

test('somebody else’s newsletter gets no line from a stranger', async () => {
  const before = (await lines()).length
  const stranger = await server.signUp()
  expect((await stranger.call('DELETE', path())).statusCode).toBe(404)
  expect((await lines()).length).toBe(before)
})

test('an act whose answer is not known leaves the line that was begun', async () => {
  await sql`alter table audit add constraint stopped check (outcome = 'begun' or act <> 'audit_kept')`.execute(
    server.context.db,
  )
  try {
    expect((await owner.call('PUT', path('/audit/days'), { days: 365 })).statusCode).toBe(200)
    expect(await newest('audit_kept')).toMatchObject({ outcome: 'begun', detail: { days: 365 } })
  } finally {
    await sql`alter table audit drop constraint stopped`.execute(server.context.db)
  }
})

test('nothing is done without a line', async () => {
  await sql`alter table audit add constraint away check (act <> 'newsletter_closed')`.execute(server.context.db)
  try {
    expect((await owner.call('DELETE', path())).statusCode).toBe(500)
    expect((await owner.call('GET', path())).statusCode).toBe(200)
  } finally {
    await sql`alter table audit drop constraint away`.execute(server.context.db)
  }
})

test('every change of members, keys, relays and domains, every export and every erasure is audited', () => {
  const disputable = /^(members|keys|relays|domains|newsletter|subscribers)\.(manage|delete|export)$/
  // A test mail goes to oneself.
  const harmless = ['POST /api/newsletters/:newsletterId/relays/:relayId/test']
  const unaudited = server.app.apiRoutes
    .filter(({ method, access }) => method !== 'GET' || access === 'subscribers.export')
    .filter(
      ({ access, path, method }) => disputable.test(access) || (method === 'DELETE' && path.includes('/subscribers/')),
    )
    .filter(({ audit }) => audit === null)
    .map(({ method, path }) => `${method} ${path}`)
  expect(unaudited).toEqual(harmless)
})

test('the audit is exported, page by page and whole, and its export is a line of it', async () => {
  const first = (await owner.call('GET', path('/audit?limit=2'))).json()
  const second = (await owner.call('GET', path(`/audit?limit=2&cursor=${first.next}`))).json()
  const ids = [...first.rows, ...second.rows].map((row: { id: string }) => row.id)
  expect(ids).toEqual([...new Set(ids)].sort().reverse())
  const csv = await owner.call('GET', path('/audit.csv'))
  expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(csv.body.split('\n')[0]).toContain('at,act,outcome,actor,user_id')
  expect(csv.body).toContain('api_key_made')
  const ofMembers = (await owner.call('GET', path('/audit.csv?kind=members'))).body
  expect(ofMembers).not.toContain('api_key_made')
  const acts = ofMembers
    .trim()
    .split('\n')
    .slice(1)
    .map((line: string) => line.split(',')[1])
  const listed = (await owner.call('GET', path('/audit?kind=members&limit=100'))).json().rows
  expect(acts).toEqual(listed.map(({ act }: { act: string }) => act).reverse())
  expect((await owner.call('GET', path('/audit.csv?kind=nothing'))).statusCode).toBe(422)
  expect(await newest('audit_exported')).toMatchObject({ outcome: 'done' })
})

test('lines are kept as long as the owners choose', async () => {
  await owner.call('PUT', path('/audit/days'), { days: 90 })
  const old = sql`update audit set at = now() - interval '91 days' where newsletter_id = ${id} and act = 'api_key_made'`
  await old.execute(server.context.db)
  const job = forgetAuditJob(server.context)
  await job({}, {} as Parameters<typeof job>[1])
  expect(await newest('api_key_made')).toBeUndefined()
  expect(await newest('api_key_revoked')).toBeDefined()
  for (const days of [0, -1, 91, '90', 1e9]) {
    expect((await owner.call('PUT', path('/audit/days'), { days })).statusCode).toBe(422)
  }
})

test('the owners see the sign-ins of their members, and everybody sees their own', async () => {
  const email = 'marie@example.org'
  const member = await server.signUp({ email })
  await server.context.db.updateTable('user').set({ email_verified: true }).where('id', '=', member.userId).execute()
  await server.context.db
    .insertInto('member')
    .values({ newsletter_id: id, user_id: member.userId, role: 'editor' })
    .execute()
  const again = await server.signIn(email)
  await expect(server.signIn(email, 'not this one, surely')).rejects.toThrow()
  await expect
    .poll(async () => (await all('sign_in_failed'))[0])
    .toMatchObject({
      outcome: 'refused',
      method: 'no_match',
      who: { userId: member.userId },
      network: expect.stringMatching(/^10\./),
    })
  expect(await newest('signed_in')).toMatchObject({
    outcome: 'done',
    method: 'password',
    who: { userId: member.userId },
  })
  const mine = (await again.call('GET', '/api/me/events')).json().rows
  expect(mine.map(({ act }: { act: string }) => act)).toEqual(['sign_in_failed', 'signed_in', 'signed_up'])
  // What happened before somebody became a member is theirs.
  expect(await all('signed_up')).toEqual([])
  const stranger = await server.signUp()
  expect((await stranger.call('GET', '/api/me/events')).json().rows).toHaveLength(1)
})

test('a guest does not fill the database with lines', async () => {
  const guest = await server.tryFirst()
  const own = await server.createNewsletter(guest)
  const codes: number[] = []
  for (let i = 0; i < 61; i++)
    codes.push((await guest.call('PATCH', `/api/newsletters/${own}`, { name: `N${i}` })).statusCode)
  expect(codes.indexOf(429)).toBe(60)
})

test('a stranger who guesses fills nobody’s list', async () => {
  const { db, log } = server.context
  const line = { userId: owner.userId, act: 'sign_in_failed', outcome: 'refused', network: null, device: null } as const
  for (let i = 0; i < 80; i++) await addAccountLine({ db, log }, line)
  const kept = db.selectFrom('account_event').select('id').where('user_id', '=', owner.userId)
  expect(await kept.execute()).toHaveLength(60)
})

test('halves of a character are in no name, and leave no line unfinished', async () => {
  const field = { key: 'half', label: '\ud800', kind: 'text' }
  expect((await owner.call('POST', path('/fields'), field)).statusCode).toBe(422)
  // Cut in the middle of a character.
  const reason = `${'x'.repeat(199)}😀`
  expect((await owner.call('POST', path('/imports/none/check'), { origin: reason })).statusCode).toBe(422)
  expect((await owner.call('PATCH', path('/segments/1'), { filter: { '\ud800': 1, '\0': 2 } })).statusCode).toBe(422)
  const unfinished = (await lines()).filter(({ outcome }: { outcome: string }) => outcome === 'begun')
  expect(unfinished).toEqual([])
})

test('a change of what holds for sponsors keeps the names of what changed', async () => {
  const before = (await owner.call('GET', path('/sponsorship/placements'))).json().settings
  await owner.call('PATCH', path('/sponsorship/settings'), { ...before, page: 'listed' })
  await owner.call('PATCH', path('/sponsorship/settings'), { ...before, page: 'listed' })
  expect((await all('sponsorship_changed')).map(({ detail }: { detail: unknown }) => detail)).toEqual([
    { page: 'listed' },
  ])
})

test('a short link that somebody made leaves a line, and what was refused none, also of a guest whose acts are counted', async () => {
  const guest = await server.tryFirst()
  const links = `/api/newsletters/${await server.createNewsletter(guest)}/links`
  const target = 'https://quay.example/'
  expect((await guest.call('POST', links, { target, slug: 'the-quay' })).statusCode).toBe(200)
  for (let tries = 0; tries < 61; tries++)
    expect((await guest.call('POST', links, { target, slug: 'the-quay' })).json().error.code).toBe('slug_taken')
  expect((await guest.call('POST', links, { target, slug: 'the-pier' })).statusCode).toBe(200)
  const made = (await guest.call('GET', links.replace('/links', '/audit'))).json().rows
  const { userId } = guest
  expect(made).toMatchObject([
    { act: 'link_made', outcome: 'done', actor: 'member', who: { userId }, detail: { linkId: 'the-pier' } },
    { act: 'link_made', outcome: 'done', actor: 'member', who: { userId }, detail: { linkId: 'the-quay' } },
  ])
})

test('a change of settings keeps the names of those that changed, or would have', async () => {
  const form = { senderName: 'Inès', postalAddress: '4 quai de la Criée', takeBackSeconds: 10 }
  await owner.call('PATCH', path(), form)
  await owner.call('PATCH', path(), { ...form, senderName: 'Inès at the quay' })
  expect((await newest('settings_changed')).detail).toEqual({ senderName: 'Inès at the quay' })
  const before = await all('settings_changed')
  await owner.call('PATCH', path(), { ...form, senderName: 'Inès at the quay' })
  expect(await all('settings_changed')).toEqual(before)
  const other = await server.createNewsletter(owner)
  await owner.call('PATCH', `/api/newsletters/${other}`, { handle: 'taken-already' })
  const taken = await owner.call('PATCH', path(), { ...form, senderName: 'Inès at the quay', handle: 'taken-already' })
  expect(taken.statusCode).toBe(409)
  const { outcome, detail } = await newest('settings_changed')
  expect([outcome, detail]).toEqual(['refused', { handle: 'taken-already' }])
})
