import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { uuidv7 } from '../database/ids.ts'
import { type BesideTwin, besideTwin } from '../testing/beside-twin.ts'
import { addGiftOrder, addPaidSubscription } from '../testing/charge.ts'
import { startTestDns, type TestDns } from '../testing/dns.ts'
import { type ShownImport, uploadFile, words } from '../testing/import-file.ts'
import { addNewsletter, paragraph, startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { bounced, doc, image, link, sent, troubled, upload } from '../testing/newsletter-history.ts'
import { type RecordingRelay, startRecordingRelay } from '../testing/recording-relay.ts'
import { answering, type RemoteStage, startRemoteStage } from '../testing/remote-stage.ts'
import { addBought } from '../testing/stripe/bought.ts'
import { type StripeStandIn, startStripe } from '../testing/stripe/stand-in.ts'
import { TWIN } from '../testing/twin.ts'

// Every call of a newsletter, beside the newsletter of somebody else whose objects have the same ids. What forgets the newsletter in
// its condition shows or changes the other one's.

let server: TestNewsletter
let relay: RecordingRelay
let dns: TestDns
let beside: BesideTwin
let stripe: StripeStandIn
let stage: RemoteStage

beforeAll(async () => {
  relay = await startRecordingRelay()
  dns = await startTestDns()
  stripe = await startStripe()
  stage = await startRemoteStage()
  server = await startTestNewsletter({
    SMTP_URL: relay.url,
    DNS_SERVERS: dns.server,
    PRIVATE_RELAYS: 'true',
    PRIVATE_SERVERS: 'true',
    STRIPE_API: stripe.url,
  })
  beside = await besideTwin(server)
}, 120_000)
afterAll(async () => {
  await server?.stop()
  await relay?.stop()
  await dns?.stop()
  stripe?.stop()
  stage?.stop()
})
beforeEach(() => server.context.relays.forget())

const read: BesideTwin['read'] = (rest, body) => beside.read(rest, body)
const change: BesideTwin['change'] = (method, rest, body) => beside.change(method, rest, body)
const run = (statement: ReturnType<typeof sql>) => statement.execute(server.context.db)
const shown = (id: string | undefined) => server.context.shownIds.show(id ?? '')
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString()

test('writing publications', async () => {
  const mediaId = await upload(server)
  const { id, revision } = (await change('POST', '/publications', { title: 'Low tide' })).json()
  const at = `/publications/${id}`
  const content = doc(image(mediaId), link('https://example.org/harbour'), paragraph('Twice a day the sea leaves.'))
  const saved = await change('PATCH', at, { revision, content, coverMediaId: mediaId })
  const again = await change('PATCH', at, { revision: saved.json().revision, subtitle: 'And comes back' })
  for (const rest of ['', '/revisions', `/revisions/${again.json().revision}`, '/check']) await read(at + rest)
  await read('/publications?search=harbour')
  await read('/search?search=low')
  await read('/media')
  await read(`${at}/preview`, {})
  await change('POST', `${at}/test`, {})
  await change('POST', '/publications/sample')
  const pictured = (await change('POST', '/publications', { title: 'A boat', content: doc(image(mediaId)) })).json()
  await read(`/publications/${pictured.id}/addresses/try`, {})
  await change('DELETE', `/publications/${pictured.id}`)
  await read('/deleted-publications?search=boat')
  await change('POST', `/publications/${pictured.id}/restore`)
  await change('DELETE', `/publications/${pictured.id}`)
  await change('DELETE', `/deleted-publications/${pictured.id}`)
  const copy = (await change('POST', `${at}/duplicate`)).json()
  await change('DELETE', `/publications/${copy.id}`)
  await server.addSubscribers(['reader-of-writing@example.com'])
  await change('POST', `${at}/send`, { at: tomorrow() })
  await read('/publications')
  await change('POST', `${at}/send`, { at: tomorrow() })
  await change('POST', `${at}/unschedule`)
  const published = await change('POST', `${at}/send`, { channel: 'web' })
  expect(published.json()).toMatchObject({ status: 'sent', number: 1 })
  const last = (await read(at)).json()
  await change('PATCH', at, { revision: last.revision, slug: 'low-tide-again' })
  await read(at)
  expect((await change('POST', `${at}/take-off-web`)).json()).toMatchObject({ url: null })
  await read('/publications?offWeb=true')
  await change('POST', `${at}/put-back-on-web`)
  await read(at)
  await read('/dashboard')
})

test('sending, and what becomes of deliveries', async () => {
  const { id, subscriberIds } = await sent(server, 'sending.example', ['a', 'b', 'c', 'd'])
  const at = `/publications/${id}`
  const [first, second, third, fourth] = subscriberIds
  await troubled(server, [id, first], 'failed')
  await troubled(server, [id, second], 'uncertain')
  await troubled(server, [id, third], 'uncertain')
  await troubled(server, [id, fourth], 'deferred')
  for (const rest of ['/deliveries', '/deliveries?search=a@sending.example', '/deliveries.csv', '/result', '/feedback'])
    await read(at + rest)
  for (const state of ['failed', 'claimed', 'queued', 'returned', 'accepted'])
    await read(`${at}/deliveries?state=${state}`)
  await read(`/links?publicationId=${id}`)
  await read(`/results?ids=${id}`)
  await read('/dashboard')
  await read('/dashboard?from=first')
  await read('/dashboard/highlights?from=first')
  await read('/dashboard/checklist')
  for (const chart of ['growth', 'engagement', 'publications', 'links', 'sources', 'revenue'])
    await read(`/dashboard/chart.csv?from=first&chart=${chart}`)
  await change('PUT', '/dashboard/checklist', { step: 'write', skipped: true })
  await read('/dashboard')
  const [reason] = (await read(`${at}/deliveries/reasons?state=failed`)).json().rows
  const queued = await change('POST', `${at}/deliveries/again`, { state: 'failed', reason: reason.reason })
  expect(queued.json()).toEqual({ queued: 1 })
  const one = { subscriberIds: [shown(second)] }
  expect((await change('POST', `${at}/deliveries/uncertain`, { act: 'close', ...one })).json()).toEqual({ decided: 1 })
  expect((await change('POST', `${at}/deliveries/uncertain`, { act: 'resend' })).json()).toEqual({ decided: 1 })
  await read(`${at}/deliveries?state=waiting`)
  expect((await change('POST', `${at}/pause`)).json()).toMatchObject({ status: 'paused' })
  await read(at)
  expect((await change('POST', `${at}/resume`)).json()).toMatchObject({ status: 'sending' })
  await change('POST', `${at}/pause`)
  await run(
    sql`update sending set stopped_by = 'too_many_refusals' where newsletter_id = ${server.newsletterId} and publication_id = ${id}`,
  )
  await change('POST', `${at}/trust`)
  await change('POST', `${at}/pause`)
  expect((await change('POST', `${at}/cancel`)).json()).toMatchObject({ status: 'cancelled' })
  await read(`${at}/deliveries`)
})

test('sending a scheduled publication, and deleting one that was cancelled', async () => {
  await server.addSubscribers(['reader-of-planned@example.com'])
  const { id } = await server.draft()
  await change('POST', `/publications/${id}/send`, { at: tomorrow() })
  await change('POST', `/publications/${id}/send`, {})
  await change('POST', `/publications/${id}/cancel`)
  await change('DELETE', `/publications/${id}`)
})

test('subscribers', async () => {
  const { id: publicationId, subscriberIds } = await sent(server, 'readers.example', ['a', 'b', 'c'])
  const [first, second, third] = subscriberIds.map((id) => `/subscribers/${shown(id)}`)
  await change('POST', '/subscribers', { email: 'new@readers.example' })
  await server.work()
  await read('/digests')
  const tag = (await change('POST', '/tags', { name: 'Sailors' })).json()
  await change('POST', '/fields', { key: 'boat', label: 'Boat', kind: 'text' })
  const filled = { tagIds: [tag.id], fields: { boat: 'Morvarc’h' } }
  expect((await change('PATCH', `${first}`, filled)).json()).toMatchObject({
    tags: [{ id: tag.id }],
    fields: { boat: 'Morvarc’h' },
  })
  for (const rest of [
    '',
    '?search=readers',
    '?status=active',
    `?tagId=${tag.id}`,
    '.csv',
    '.jsonl',
    `.csv?tagId=${tag.id}`,
  ])
    await read(`/subscribers${rest}`)
  await read('/search?search=readers')
  await read(`${first}`)
  await read(`${first}/receipts`)
  const note = (await change('POST', `${first}/notes`, { text: 'Lends a boat' })).json()
  for (const rest of ['timeline', 'timeline?limit=2', 'clicks', 'notes']) await read(`${first}/${rest}`)
  await change('DELETE', `${first}/notes/${note.id}`)
  for (const rest of ['/count?language=en', '/sources', '?sort=name', '?sort=changed&direction=asc', '?source=page'])
    await read(`/subscribers${rest}`)
  await read(`/subscribers/count?tagId=${tag.id}`)
  await change('PATCH', `${first}`, { tagIds: [] })
  await change('POST', `${second}/unsubscribe`, {})
  const emails = ['d', 'e', 'f', 'g'].map((name) => `${name}@readers.example`)
  const lost = await bounced(server, emails, publicationId)
  await read('/suppressions/groups')
  await read(`/subscribers/${shown(lost[0])}`)
  const lifted = { restored: 1, kept: { unsubscribed: 0, complained: 0, erased: 0 } }
  const restored = await change('POST', `/subscribers/${shown(lost[0])}/restore`, { reason: 'They asked' })
  expect(restored.json()).toEqual(lifted)
  const byAnswer = { reason: 'The relay was wrong', answer: '550 5.1.1 no such user', publicationId }
  expect((await change('POST', '/suppressions/lift', byAnswer)).json()).toEqual({ ...lifted, restored: 3 })
  const more = await bounced(server, ['h@readers.example'], publicationId)
  expect((await change('POST', '/suppressions/lift', { reason: 'All', publicationId })).json()).toEqual(lifted)
  await read(`/subscribers/${shown(more[0])}`)
  await change('DELETE', `${third}`)
  await change('DELETE', `${first}`)
  await read('/dashboard')
  await read('/receipts.csv')
  await read('/receipts.jsonl')
})

test('changing many subscribers', async () => {
  await server.addSubscribers(['a', 'b', 'c'].map((name) => `${name}@many.example`))
  const tag = (await change('POST', '/tags', { name: 'Many' })).json()
  const chosen = { matching: { search: 'many.example' } }
  for (const file of ['csv', 'jsonl']) await change('POST', `/subscribers.${file}`, { chosen })
  for (const act of ['tag', 'unsubscribe', 'untag', 'erase']) {
    const asked = { act, chosen, expected: 3, ...(act.endsWith('tag') && { tagId: tag.id }) }
    const { id } = (await change('POST', '/bulk-changes', asked)).json()
    await change('POST', `/bulk-changes/${id}/stop`)
    await run(sql`update bulk_change set state = 'running' where newsletter_id = ${server.newsletterId} and id = ${id}`)
    await beside.act(act, () => server.work())
    await read('/bulk-changes')
    if (act === 'erase') continue
    expect((await change('POST', `/bulk-changes/${id}/undo`)).json()).toMatchObject({ changed: 3 })
    await beside.act(`taking back: ${act}`, () => server.work())
    expect((await read('/bulk-changes')).json().changes[0]).toMatchObject({ state: 'undone', restored: 3 })
    if (act === 'tag')
      await run(sql`insert into subscriber_tag select newsletter_id, ${tag.id}, id from subscriber
      where newsletter_id = ${server.newsletterId} and email like '%@many.example'`)
  }
  expect((await read('/subscribers/count?search=many.example')).json()).toEqual({ total: 0 })
})

test('tags, fields and segments', async () => {
  const { id: publicationId } = await sent(server, 'segments.example', ['a', 'b'])
  await server.addSubscribers(['c@segments.example'])
  const tag = (await change('POST', '/tags', { name: 'Divers' })).json()
  await change('PATCH', `/tags/${tag.id}`, { name: 'Deep divers' })
  const field = (await change('POST', '/fields', { key: 'depth', label: 'Depth', kind: 'number' })).json()
  await change('PATCH', `/fields/${field.id}`, { label: 'Depth in metres' })
  const [row] = (await read(`/links?publicationId=${publicationId}`)).json().rows
  const campaign = (await change('POST', '/opt-in-campaigns', { name: 'Underwater' })).json().id
  const filters = [
    { on: 'tag', op: 'has', tag: tag.id },
    { on: 'link', op: 'did', link: row.id },
    { on: 'campaign', op: 'did', campaign },
    ...['received', 'opened', 'clicked'].flatMap((on) => [
      { on, op: 'did', publication: publicationId },
      { on, op: 'did', days: 3 },
    ]),
  ]
  for (const filter of filters) await read('/segments/count', { filter })
  const filter = { any: [...filters, { on: 'field', field: 'depth', kind: 'number', op: 'filled' }] }
  const segment = (await change('POST', '/segments', { name: 'Underwater', filter })).json()
  const { id } = await server.draft()
  for (const rest of ['/tags', '/fields', '/segments', `/segments/${segment.id}`]) await read(rest)
  await read(`/subscribers?segmentId=${segment.id}`)
  await read(`/publications/${id}/check?segmentId=${segment.id}`)
  await change('PATCH', `/segments/${segment.id}`, { name: 'Below' })
  const audience = { kind: 'segment', segmentId: segment.id }
  await change('POST', `/publications/${id}/send`, { at: tomorrow(), audience })
  await change('POST', `/publications/${id}/unschedule`)
  await change('DELETE', `/segments/${segment.id}?evenIfUsed=true`)
  await change('DELETE', `/tags/${tag.id}?evenIfUsed=true`)
  await change('DELETE', `/fields/${field.id}?evenIfUsed=true`)
})

test('welcomes', async () => {
  const [{ id }, other] = [await server.draft(), await server.draft()]
  const filter = { on: 'email', op: 'contains', value: '@welcomes.example' }
  const segment = (await change('POST', '/segments', { name: 'Welcomes', filter })).json()
  await server.addSubscribers(['in@welcomes.example'])
  const chosen = { segmentId: segment.id, publicationId: id }
  const welcome = (await change('PUT', '/welcomes', chosen)).json()
  await change('PUT', '/welcomes', { segmentId: null, publicationId: id, delayDays: 2 })
  await server.addSubscribers(['joined@welcomes.example'])
  await run(sql`update welcome set look_at = now() where look_at is not null`)
  await server.work()
  expect((await read('/welcomes')).json().welcomes[1]).toMatchObject({ counts: { accepted: 1 } })
  await change('PUT', '/welcomes', { ...chosen, paused: true })
  await change('PUT', '/welcomes', { ...chosen, publicationId: other.id })
  await change('PATCH', `/segments/${segment.id}`, { filter: { not: [filter] } })
  expect((await server.owner.call('DELETE', `${server.path}/publications/${other.id}`)).statusCode).toBe(409)
  await change('DELETE', `/welcomes/${welcome.id}`)
  await change('DELETE', `/publications/${other.id}`)
  await change('PUT', '/welcomes', chosen)
  await change('DELETE', `/segments/${segment.id}?evenIfUsed=true`)
})

test('what nothing of one’s own uses is deleted, whatever a twin builds on it', async () => {
  const tag = (await change('POST', '/tags', { name: 'Unused' })).json()
  const field = (await change('POST', '/fields', { key: 'unused', label: 'Unused', kind: 'text' })).json()
  const mediaId = await upload(server)
  await beside.twin.renew()
  const filter = JSON.stringify({
    all: [
      { on: 'tag', op: 'has', tag: tag.id },
      { on: 'field', field: 'unused', kind: 'text', op: 'filled' },
    ],
  })
  await run(sql`insert into segment (newsletter_id, name, filter) values (${TWIN}, 'Built on them', ${filter})`)
  await run(sql`insert into publication (newsletter_id, id, language, content, cover_media_id)
    values (${TWIN}, 'twinsOwn', 'en', '{"type": "doc", "content": []}', ${mediaId})`)
  for (const rest of [`/tags/${tag.id}`, `/fields/${field.id}`, `/media/${mediaId}`]) {
    const answer = await server.owner.call('DELETE', server.path + rest)
    expect([rest, answer.statusCode, answer.body]).toEqual([rest, 200, expect.any(String)])
  }
  await beside.twin.remove()
})

test('people, invitations and keys', async () => {
  const colleague = await server.asMember(server.newsletterId, 'editor')
  await change('POST', '/invitations', { email: 'owner@twin.example', role: 'analyst' })
  const { id } = (await change('POST', '/invitations', { email: 'owner@twin.example', role: 'editor' })).json()
  const key = (await change('POST', '/api-keys', { name: 'Shop', role: 'editor' })).json()
  await read('/members')
  await read('/api-keys')
  await change('DELETE', `/invitations/${id}`)
  await change('PATCH', `/members/${colleague.userId}`, { role: 'owner' })
  await change('PATCH', `/members/${colleague.userId}`, { role: 'analyst' })
  const used = await server.withKey(key.secret)('GET', `${server.path}/publications`)
  expect(used.statusCode).toBe(200)
  await change('DELETE', `/api-keys/${key.id}`)
  await read('/audit')
  await change('DELETE', `/members/${colleague.userId}`)
})

test('relays', async () => {
  const { hostname: host, port } = new URL(relay.url)
  const way = { kind: 'smtp', host, port: Number(port), security: 'none', username: null }
  const { id } = (await change('POST', '/relays', { name: 'Ours', way })).json()
  await change('PUT', '/relays/domain-limits', { limits: [{ domain: 'example.com', perSecond: 5, perHour: null }] })
  await read('/relays')
  await change('PATCH', `/relays/${id}`, { weight: 2 })
  await change('POST', `/relays/${id}/test`)
  await read('/relays')
  await change('PUT', '/relays/domain-limits', { limits: [{ domain: 'example.net', perSecond: 5, perHour: null }] })
  await change('DELETE', `/relays/${id}`)
})

test('the domain and the addresses of senders', async () => {
  const made = (await change('POST', '/domain/keys')).json()
  const records = made.keys.map(({ record }: { record: { name: string; value: string } }) => [
    record.name,
    { TXT: [record.value] },
  ])
  dns.zone = Object.fromEntries(records)
  await read('/domain')
  await change('POST', '/domain/checks', { fresh: true })
  await read('/senders')
  await change('POST', '/domain/keys')
  const { keys } = (await read('/domain')).json()
  const waiting = keys.find(({ state }: { state: string }) => state === 'waiting')
  await change('POST', `/domain/keys/${waiting.id}/activate`)
  await change('POST', `/domain/keys/${waiting.id}/retire`)
  await change('DELETE', `/domain/keys/${waiting.id}`)
  const address = 'letters@elsewhere.example'
  await change('PATCH', '', { senderAddress: address })
  await change('POST', '/senders/code', { address })
  const [mail] = await server.queuedMail(address)
  const code = /^\w{8}$/m.exec(mail?.text ?? '')?.[0]
  await change('POST', '/senders/proof', { address, code })
  await read('/senders')
  await change('PATCH', '', { senderAddress: 'ines@lowwater.test' })
})

test('imports', async () => {
  await read('/subscribers/form?language=en')
  const { id, sheet } = (await uploadFile(server, 'email\nada@example.org\nnobody\n')).json<ShownImport>()
  const at = `/imports/${id}`
  const targets = sheet?.columns.map(({ target }) => target)
  const choices = { targets, hasHeader: true, origin: 'own_newsletter', words, confirmed: true }
  await change('POST', `${at}/encoding`, { encoding: 'windows-1252' })
  for (const [step, body] of Object.entries({ check: choices, start: undefined, 'take-back': { keepLeft: true } })) {
    if (step === 'take-back') await read(`${at}/take-back`)
    await change('POST', `${at}/${step}`, body)
    await server.work()
    await read(at)
  }
  await read('/imports')
  await change('GET', `${at}/report.csv`)
  const other = (await change('POST', '/imports', { fileName: 'more.csv', bytes: 6 })).json()
  await change('POST', `/imports/${other.id}/cancel`)
})

test('sponsorship', async () => {
  const placement = await change('POST', '/sponsorship/placements', {
    ...{
      words: { en: { name: 'Top', disclosure: 'From our sponsor' } },
      place: 'top',
      maxWords: 60,
      prices: { eur: 100 },
    },
  })
  const { id: placementId } = placement.json()
  await change('PATCH', `/sponsorship/placements/${placementId}`, { seats: 2 })
  await change('PATCH', '/sponsorship/settings', { weekdays: [6] })
  for (const day of ['2098-01-02', '2098-01-03']) await change('PUT', '/sponsorship/days', { day, kind: 'added' })
  const agreed = {
    placementId,
    day: '2098-01-02',
    sponsor: 'Halyard Books',
    language: 'en',
    currency: 'eur',
    amount: 100,
  }
  const at = `/sponsorship/bookings/${(await change('POST', '/sponsorship/bookings', agreed)).json().id}`
  await change('PATCH', at, { note: 'By the quay' })
  await change('POST', `${at}/link`, { renew: true })
  await change('POST', `${at}/money`, { act: 'pay' })
  const creative = { name: 'Halyard Books', text: 'An almanac.', label: 'Order', target: 'https://example.org/' }
  await change('PUT', `${at}/creative`, creative)
  await change('POST', `${at}/acts`, { act: 'approve' })
  // What has not come cannot have run.
  await run(sql`update booking set day = current_date where day = '2098-01-02'`)
  await change('POST', `${at}/acts`, { act: 'run' })
  await run(sql`update booking set day = '2098-01-02' where day = current_date`)
  await giveFigures(at.split('/').at(-1) ?? '')
  await change('POST', `${at}/report-link`, { renew: true })
  await read(`${at}/report`)
  await read('/advertise/results')
  for (const chart of ['revenue', 'clicks', 'places', 'yeses']) await read(`/advertise/results.csv?chart=${chart}`)
  await change('POST', `${at}/make-good`, { day: '2098-01-03' })
  await read(at)
  const words = { en: { name: 'Us', text: 'A cup for the tide.', label: 'Look' } }
  const house = { name: 'Cup', words, target: 'https://example.org/' }
  const { id: houseId } = (await change('POST', '/sponsorship/house-campaigns', house)).json()
  await change('PATCH', `/sponsorship/house-campaigns/${houseId}`, { on: false })
  await read('/sponsorship/house-campaigns')
  const slot = { type: 'sponsorSlot', attrs: { placementId, hideFromPaid: false } }
  const draft = { title: 'With a slot', content: { type: 'doc', content: [slot, { type: 'paragraph' }] } }
  const publication = (await change('POST', '/publications', draft)).json()
  await read(`/publications/${publication.id}/slots?at=2098-01-03T12:00:00Z`)
  await change('PUT', `/publications/${publication.id}/day`, { day: '2098-01-03' })
  await read('/sponsorship/placements')
  await read('/sponsorship/calendar?from=2098-01-01&to=2098-01-10')
  await read('/sponsorship/bookings?which=coming')
  await change('PUT', '/sponsorship/days', { day: '2098-01-02', kind: null })
})

/** The publication and the link of what ran, with a click and a yes that came by it. */
async function giveFigures(bookingId: string) {
  const { id: publicationId, subscriberIds } = await sent(server, 'sponsored.example', ['dora'])
  const { id: campaignId } = (await change('POST', '/opt-in-campaigns', { name: 'Almanac' })).json()
  const target = `${server.context.config.publicUrl}/optin/${campaignId}`
  const { id: linkId } = (await change('POST', '/links', { target })).json()
  const { newsletterId } = server
  await run(
    sql`insert into click (newsletter_id, short_link_id, at, device) values (${newsletterId}, ${linkId}, now(), 'phone')`,
  )
  await run(sql`insert into opt_in (newsletter_id, campaign_id, id, subscriber_id, short_link_id, version, language, confirmed_at)
    values (${newsletterId}, ${campaignId}, gen_random_uuid(), ${subscriberIds[0]}, ${linkId}, 1, 'en', now())`)
  await run(sql`insert into opt_in_request (newsletter_id, campaign_id, address, short_link_id, asked_at)
    values (${newsletterId}, ${campaignId}, '\\x01', ${linkId}, now())`)
  await run(sql`update booking set publication_id = ${publicationId}, short_link_id = ${linkId}
    where newsletter_id = ${newsletterId} and id = ${bookingId}`)
}

test('recommendations', async () => {
  const other = await addNewsletter(server.context.db, server.owner.userId, 'Rope & Tar')
  const made = (await change('POST', '/recommendations', { newsletter: other, reasons: { en: 'Knots' } })).json()
  const at = `/recommendations/${made.id}`
  await change('PATCH', at, { reasons: { en: 'Splices' } })
  const address = `${stage.base}/n/stage`
  const { name, key } = (await change('POST', '/remote-newsletters', { address })).json()
  const added = await change('POST', '/remote-recommendations', { address, key, reasons: { en: 'Knots' } })
  await change('POST', `/recommendations/${added.json().id}/remote-change`, { name, key })
  await change('PUT', '/recommendation-order', { ids: [made.id] })
  await change('PUT', '/recommended-by', { recommendedBy: 'accepted' })
  for (const rest of ['/recommendations', '/recommendations.csv', '/recommenders']) await read(rest)
  const back = await server.owner.call('POST', `/api/newsletters/${other}/recommendations`, {
    ...{ newsletter: server.newsletterId, reasons: { en: 'The tide' } },
  })
  await change('PUT', `/recommenders/${back.json().id}`, { accepted: false })
  await read('/recommenders')
  await change('DELETE', at)
})

test('opt-in campaigns', async () => {
  const { id } = (await change('POST', '/opt-in-campaigns', { name: 'Winter box' })).json()
  const at = `/opt-in-campaigns/${id}`
  const words = { en: { question: 'Shall we?', offer: 'A box.', yes: 'Yes', afterYes: 'Thank you.' } }
  const sponsor = { kind: 'sponsor', sponsor: { name: 'Kelp & Rye', address: '', privacy: '' } }
  await change('PATCH', at, { words, beneficiary: sponsor, startsAt: '2026-01-01T00:00:00Z', cap: 5 })
  await change('POST', `${at}/places`, { name: 'Printed card' })
  const [shared] = (await change('POST', `${at}/list-links`, { days: 7 })).json().listLinks
  await read('/opt-in-campaigns')
  await read(at)
  await change('GET', `${at}/opt-ins.csv`)
  await change('DELETE', `${at}/list-links/${shared.id}`)
  const other = { kind: 'other_newsletter', newsletter: server.newsletterId }
  const asking = await addNewsletter(server.context.db, server.owner.userId, 'Of a friend')
  const theirs = `/api/newsletters/${asking}/opt-in-campaigns`
  const { id: offered } = (await server.owner.call('POST', theirs, { name: 'Of a friend' })).json()
  await server.owner.call('PATCH', `${theirs}/${offered}`, { beneficiary: other })
  await change('DELETE', `/campaign-offers/${offered}`)
  await change('PUT', `/campaign-offers/${offered}`)
  await read('/campaign-offers')
  await change('POST', `${at}/withdrawal`)
})

test('plans and coupons', async () => {
  const plan = (await change('POST', '/charge/plans', { words: { en: { name: 'Supporter', promise: '' } } })).json()
  const at = `/charge/plans/${plan.id}`
  const price = { currency: 'eur', period: 'year', amount: 5400 }
  await change('PUT', `${at}/prices`, { prices: [price] })
  await change('PUT', `${at}/prices`, { prices: [{ ...price, amount: 6000 }], moveOutside: true })
  const made = (await change('POST', '/charge/gifts', { planId: plan.id, months: 6, count: 2 })).json()
  await change('DELETE', `/charge/gifts/${made.gifts[0].id}`)
  await addGiftOrder(server.context.db, {
    newsletterId: server.newsletterId,
    planId: plan.id,
    giftId: made.gifts[1].id,
  })
  await change('POST', `/charge/gifts/${made.gifts[1].id}/mail`)
  await change('PATCH', at, { trialDays: 14, closed: true })
  await change('PUT', '/charge/plan-order', { planIds: [plan.id] })
  const coupon = (await change('POST', '/charge/coupons', { code: 'SPRING', percent: 10, planId: plan.id })).json()
  await change('DELETE', `/charge/coupons/${coupon.id}`)
  await change('PATCH', '/charge/settings', { graceDays: 3 })
  await server.work()
  await read('/charge/plans')
  await read('/charge/coupons')
  await read('/charge/gifts')
  await read('/charge/gifts.csv')
  const [subscriberId = ''] = await server.addSubscribers(['payer@example.com'])
  await addPaidSubscription(server.context.db, { newsletterId: server.newsletterId, subscriberId }, { planId: plan.id })
  for (const rest of [
    '/figures',
    '/figures?by=day',
    '/figures.csv?chart=plans',
    '/books.csv',
    '/books.csv?rows=months',
  ])
    await read(`/charge${rest}`)
})

test('the account at Stripe', async () => {
  const account = stripe.addAccount()
  await change('PUT', '/charge/stripe', { key: account.key })
  await read('/charge/stripe')
  await change('PATCH', '/charge/stripe', { automaticTax: true })
  await change('POST', '/charge/stripe/check')
  await change('POST', '/charge/stripe/comparisons')
  await server.work()
  await read('/charge/stripe/comparisons')
  await read('/charge/stripe/events')
  await read('/charge/stripe/tasks')
  await read('/charge/payment-failures')
  const { newsletterId: newsletter_id, context } = server
  const said = { id: 'evt_1', type: 'invoice.paid', object_id: 'in_1', stated_at: new Date(), body: '{}' }
  await context.db
    .insertInto('payment_event')
    .values({ newsletter_id, ...said, due_at: 'infinity', problem: 'failed' })
    .execute()
  const stopped = { id: uuidv7(), state: 'stopped', list: 'charges', since: new Date() } as const
  await context.db
    .insertInto('stripe_comparison')
    .values({ newsletter_id, ...stopped })
    .execute()
  await change('POST', '/charge/stripe/events/evt_1/retry')
  await change('POST', `/charge/stripe/comparisons/${stopped.id}/repair`)
  const [subscriberId = ''] = await server.addSubscribers(['card@example.org'])
  const bought = await addBought(context.db, account, { newsletterId: newsletter_id, subscriberId })
  await movePrices(bought.subscriptionId)
  const at = `/charge/subscriptions/${bought.subscriptionId}`
  expect((await change('POST', `${at}/pause`, { months: 2 })).json()).toMatchObject({ status: 'paused' })
  expect((await change('POST', `${at}/resume`)).json()).toMatchObject({ status: 'active' })
  expect((await change('POST', `${at}/cancel`, { when: 'period_end' })).json()).toMatchObject({ renews: false })
  const back = { amount: 200, seen: 0, access: 'now' }
  expect((await change('POST', `/charge/payments/${bought.paymentId}/give-back`, back)).json()).toMatchObject({
    refunded: 200,
  })
  await change('DELETE', '/charge/stripe')
})

/** Begins to move who has a subscription by card to a new price, and stops it. */
async function movePrices(subscriptionId: string) {
  const { db } = server.context
  const { rows } = await sql<{ planId: number }>`
    update subscription s set price_id = p.id from price p where s.newsletter_id = ${server.newsletterId} and s.id = ${subscriptionId}
      and p.newsletter_id = s.newsletter_id and p.plan_id = s.plan_id and p.period = 'month' returning s.plan_id as "planId"`.execute(
    db,
  )
  const at = `/charge/plans/${rows[0]?.planId}`
  await change('PUT', `${at}/prices`, { prices: [{ currency: 'eur', period: 'month', amount: 800 }] })
  const { groups } = (await read(`${at}/price-moves`)).json()
  const move = (await change('POST', `${at}/price-moves`, { priceIds: [groups[0].priceId], seen: 1 })).json()
  await server.work()
  await change('POST', `/charge/price-moves/${move.id}/stop`)
}

test('what is paid outside', async () => {
  const plan = (await change('POST', '/charge/plans', { words: { en: { name: 'Outside', promise: '' } } })).json()
  const [id] = await server.addSubscribers(['paid@outside.example'])
  const payment = { amount: 5400, currency: 'eur', means: 'cash', at: new Date().toISOString() }
  const entered = {
    subscriberId: shown(id),
    planId: plan.id,
    way: 'outside',
    period: 'year',
    payment,
    until: tomorrow(),
  }
  const subscription = (await change('POST', '/charge/subscriptions', entered)).json()
  const at = `/charge/subscriptions/${subscription.id}`
  await change('PATCH', at, { note: 'by hand' })
  const until = new Date(Date.now() + 9 * 86_400_000).toISOString()
  await change('POST', `${at}/payments`, { ...payment, until })
  const csv = `email,plan,until\npaid@outside.example,Outside,2099-01-01\nnew@outside.example,Outside,2099-01-01\n`
  await read('/charge/outside-file', { csv, dryRun: true })
  await change('POST', '/charge/outside-file', { csv, dryRun: false })
  const { rows } = (await read('/charge/payments')).json()
  await change('POST', `/charge/payments/${rows[0].id}/refund`, { amount: 100, at: payment.at })
  for (const rest of [
    'overview',
    'subscriptions',
    'payments',
    `subscriptions?planId=${plan.id}&way=outside`,
    'subscriptions?due=ending',
    `plans/${plan.id}/opens`,
  ])
    await read(`/charge/${rest}`)
})

test('media and links', async () => {
  const mediaId = await upload(server)
  await change('PATCH', `/media/${mediaId}`, { alt: 'A boat' })
  const { rawPayload } = await server.inject(`/media/${mediaId}`)
  stage.answer((_request, response) => response.end(rawPayload))
  await change('POST', '/media/fetch', { address: `${stage.base}/boat.jpg` })
  stage.answer((request, response) => answering(stage.signed())(request, response))
  await change('PATCH', '', { logoMediaId: mediaId })
  await server.draft({ content: doc(image(mediaId)) })
  await read('/media')
  await read('/media-usage')
  await change('DELETE', `/media/${mediaId}?evenIfUsed=true`)
  await change('POST', '/links', { target: 'https://example.org/chart', slug: 'chart' })
  await read('/links')
  await change('PATCH', '/links/chart', { name: 'The chart', disabled: true })
  await read('/links/chart?by=hour')
  await read('/links/chart/clicks.csv')
  await read('/links/chart/sources.csv')
  await read('/links/chart/qr')
  const template = await change('PUT', '/utm-templates', { name: 'Letter', source: 'letter' })
  await read('/utm-templates')
  await change('PUT', `/utm-templates/${template.json().id}`, { name: 'Quay', source: 'poster' })
  await change('DELETE', `/utm-templates/${template.json().id}`)
  await change('POST', '/click-rules/replay')
  await read('/click-rules')
})

test('the newsletter itself', async () => {
  await change('PATCH', '', { description: 'A letter about the edge of the sea.' })
  await read('')
  await change('PUT', '/audit/days', { days: 365 })
  await read('/audit')
  await change('GET', '/audit.csv')
  await read('/outbox')
  await read('/deletion')
  await read('/handle')
  await change('DELETE', '')
  const restored = await server.owner.call('POST', '/api/me/newsletters/restore', { newsletterId: server.newsletterId })
  expect(restored.statusCode).toBe(200)
  await change('GET', '')
})

/** Mails that were caught lie in files, in a folder for each newsletter. The stream of figures never ends. Files go up in another form. */
const others = ['GET /outbox/:mailId', 'GET /live', 'POST /media', 'POST /imports/:importId/parts/:part']

test('no route of a newsletter is left out', () => {
  const routes = server.app.apiRoutes
    .filter(({ path }) => path.includes(':newsletterId'))
    .map(({ method, path }) => `${method} ${path.replace('/api/newsletters/:newsletterId', '')}`)
  expect(routes.filter((route) => !beside.called.has(route) && !others.includes(route))).toEqual([])
})
