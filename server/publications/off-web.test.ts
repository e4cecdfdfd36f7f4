import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Session } from '../testing/app.ts'
import { paragraph, startTestNewsletter, type TestNewsletter } from '../testing/newsletter.ts'
import { type RecordingRelay, startRecordingRelay } from '../testing/recording-relay.ts'

let room: TestNewsletter
let relay: RecordingRelay
/** What stays on the web, and what is taken off. */
let stays: string
let goes: string
beforeAll(async () => {
  relay = await startRecordingRelay()
  room = await startTestNewsletter({ SMTP_URL: relay.url })
  await room.addSubscribers(['reader@example.org'])
  stays = await publish('Spring tide')
  goes = await publish('Neap tide')
})
beforeEach(() => act(goes, 'put-back-on-web'))
afterAll(async () => {
  await room?.stop()
  await relay?.stop()
})

async function publish(title: string, body: Record<string, unknown> = {}): Promise<string> {
  const content = { type: 'doc', content: [paragraph(`Of the ${title.toLowerCase()} and the pilot.`)] }
  const { id } = await room.draft({ title, content })
  const sent = await room.send(id, body)
  expect(sent.statusCode, sent.body).toBe(200)
  await room.work()
  return id
}

type Act = 'take-off-web' | 'put-back-on-web'
const act = (id: string, what: Act, { who = room.owner, path = room.path }: { who?: Session; path?: string } = {}) =>
  who.call('POST', `${path}/publications/${id}/${what}`, {})
const codeOf = (answer: Awaited<ReturnType<Session['call']>>) => [answer.statusCode, answer.json().error?.code]
const read = async (id: string) => (await room.owner.call('GET', `${room.path}/publications/${id}`)).json()
const visit = (path: string, headers: Record<string, string> = {}) =>
  room.inject({ url: path, headers: { 'accept-language': 'en', ...headers } })
const at = (rest = '') => `/n/${room.newsletterId}${rest}`
/** The lines of these acts, newest first. */
const lines = async () => {
  const { rows } = (await room.owner.call('GET', `${room.path}/audit?limit=200`)).json()
  return rows.filter((line: { act: string }) => /_web$/.test(line.act))
}

/** Every public place that names publications. */
const places = () =>
  [
    ['the archive', at()],
    ['the archive in French', at('?lang=fr')],
    ['a search of the archive', at('?q=pilot')],
    ['the RSS feed', at('/feed.xml')],
    ['the JSON feed', at('/feed.json')],
    ['the site map', at('/sitemap.xml')],
    ['the page to subscribe', `/subscribe/${room.newsletterId}`],
  ] as const

test('a publication that is off the web is in no public place, and what is not stays in all of them', async () => {
  const shownIn = async () =>
    Promise.all(
      places().map(async ([name, path]) => {
        const { statusCode, body } = await visit(path)
        expect([name, statusCode]).toEqual([name, 200])
        return [name, /spring[ -]tide/i.test(body), /neap[ -]tide/i.test(body)]
      }),
    )
  const all = (isShown: boolean) => places().map(([name]) => [name, true, isShown])
  expect(await shownIn()).toEqual(all(true))
  expect((await act(goes, 'take-off-web')).statusCode).toBe(200)
  expect(await shownIn()).toEqual(all(false))
  expect((await visit(at('?q=pilot'))).body).toContain('1 letter speaks of')
  expect((await act(goes, 'put-back-on-web')).statusCode).toBe(200)
  expect(await shownIn()).toEqual(all(true))
})

test('its page says kindly that it is gone, in the newsletter’s language, and is kept by nothing', async () => {
  const page = at('/neap-tide')
  const before = await visit(page)
  expect(before.statusCode).toBe(200)
  await act(goes, 'take-off-web')
  const gone = await visit(page, { 'if-none-match': String(before.headers.etag), 'accept-language': 'fr' })
  expect(gone.statusCode).toBe(410)
  expect(gone.headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
  for (const words of [
    'This letter is no longer on the web',
    'Low Water has taken it off',
    `href="${at()}"`,
    `href="/subscribe/${room.newsletterId}?lang=en"`,
    'content="noindex,nofollow"',
  ])
    expect(gone.body).toContain(words)
  expect(gone.body).not.toMatch(/neap tide|pilot|og:image|canonical/i)
  expect((await visit(`${page}?lang=fr`)).body).toContain('Cette lettre n’est plus sur le web')
  expect((await room.inject({ method: 'HEAD', url: page })).statusCode).toBe(410)
  await act(stays, 'take-off-web')
  const alone = await visit(page)
  expect(alone.body).toContain('Low Water has taken it off.')
  expect(alone.body).not.toMatch(/other letters|All letters/)
  await act(stays, 'put-back-on-web')
  await act(goes, 'put-back-on-web')
  const back = await visit(page, { 'if-none-match': String(before.headers.etag) })
  expect([back.statusCode, back.headers.etag]).toEqual([304, before.headers.etag])
  expect((await visit(at('/never-was'))).statusCode).toBe(404)
})

test('what its mail leads to is that page, and neither its deliveries nor its figures change', async () => {
  const address = new RegExp(`http://tirage\\.test(${at()}/neap-tide)`)
  const mail = relay.received.find(({ raw }) => raw.includes('Neap tide'))?.raw.replaceAll(/=\r?\n/g, '') ?? ''
  const [, path = ''] = address.exec(mail) ?? []
  const of = async (what: string) => {
    const { body } = await room.owner.call('GET', `${room.path}/publications/${goes}/${what}`)
    return body
  }
  const before = [await of('result'), await of('deliveries')]
  await act(goes, 'take-off-web')
  expect((await visit(path)).statusCode).toBe(410)
  expect([await of('result'), await of('deliveries')]).toEqual(before)
  expect(await room.counts(goes)).toEqual({ intended: 1, accepted: 1 })
})

test('members see that it is off the web, find it by that, and get no address that leads nowhere', async () => {
  const { url, offWebAt, ...rest } = await read(goes)
  expect([url, offWebAt]).toEqual([`http://tirage.test${at('/neap-tide')}`, null])
  await act(goes, 'take-off-web')
  expect(await read(goes)).toEqual({ ...rest, url: null, offWebAt: expect.stringMatching(/Z$/) })
  const list = async (query: string) => {
    const { rows, ...counts } = (await room.owner.call('GET', `${room.path}/publications?${query}`)).json()
    return { ids: rows.map(({ id }: { id: string }) => id), ...counts }
  }
  expect(await list('offWeb=true')).toMatchObject({ ids: [goes], offWeb: 1 })
  expect((await list('offWeb=false')).ids).toEqual([stays])
  expect((await list('status=sent')).ids).toEqual([goes, stays])
})

test('what is on the web only is not counted as that while it is off', async () => {
  const id = await publish('Slack water', { channel: 'web' })
  const counts = async () => {
    const { webOnly, offWeb, caught, mailed } = (await room.owner.call('GET', `${room.path}/publications`)).json()
    return { webOnly, offWeb, mailed: caught + mailed }
  }
  expect(await counts()).toEqual({ webOnly: 1, offWeb: 0, mailed: 2 })
  await act(id, 'take-off-web')
  // Nor is it one of those that were mailed.
  expect(await counts()).toEqual({ webOnly: 0, offWeb: 1, mailed: 2 })
})

test('what is corrected while it is off shows when it is back, and does not bring it back', async () => {
  await act(goes, 'take-off-web')
  const { revision } = await read(goes)
  const saved = await room.owner.call('PATCH', `${room.path}/publications/${goes}`, { revision, subtitle: 'Corrected' })
  expect(saved.json()).toMatchObject({ url: null, offWebAt: expect.any(String) })
  expect((await visit(at('/neap-tide'))).statusCode).toBe(410)
  await act(goes, 'put-back-on-web')
  expect((await visit(at('/neap-tide'))).body).toContain('Corrected')
})

test('each act leaves one line, and repeated, also by two at once, it answers the same and leaves no second', async () => {
  const before = (await lines()).length
  const [one, two] = await Promise.all([act(goes, 'take-off-web'), act(goes, 'take-off-web')])
  expect([one?.statusCode, two?.json()]).toEqual([200, one?.json()])
  expect((await act(goes, 'take-off-web')).json()).toEqual(one?.json())
  const back = await act(goes, 'put-back-on-web')
  expect((await act(goes, 'put-back-on-web')).json()).toEqual(back.json())
  const left = (await lines()).slice(0, (await lines()).length - before)
  expect(left).toMatchObject([
    { act: 'publication_put_back_on_web', outcome: 'done', actor: 'member', publication: { id: goes } },
    { act: 'publication_taken_off_web', outcome: 'done', who: { name: 'Inès' }, publication: { title: 'Neap tide' } },
  ])
})

test('what was never on the web has no page to take off or put back', async () => {
  const { id: draft } = await room.draft()
  const { id: scheduled } = await room.draft()
  await room.send(scheduled, { at: '2099-01-01T00:00:00Z' })
  const before = (await lines()).length
  for (const id of [draft, scheduled])
    for (const what of ['take-off-web', 'put-back-on-web'] as const)
      expect(codeOf(await act(id, what))).toEqual([409, 'not_on_web'])
  expect((await lines()).length).toBe(before)
})

test('who may send may do it, in their own newsletter; who only reads may not, and to others it does not exist', async () => {
  const before = (await lines()).length
  const analyst = await room.signUp({ name: 'Ana', email: 'ana@example.org' })
  const editor = await room.signUp({ name: 'Ed', email: 'ed@example.org' })
  for (const [{ userId: user_id }, role] of [
    [analyst, 'analyst'],
    [editor, 'editor'],
  ] as const)
    await room.context.db.insertInto('member').values({ newsletter_id: room.newsletterId, user_id, role }).execute()
  const neighbour = await room.signUp({ name: 'Sam', email: 'sam@example.org' })
  const own = `/api/newsletters/${await room.createNewsletter(neighbour)}`
  for (const what of ['take-off-web', 'put-back-on-web'] as const) {
    expect((await act(goes, what, { who: analyst })).statusCode).toBe(403)
    expect((await act(goes, what, { who: neighbour })).statusCode).toBe(404)
    expect(codeOf(await act(goes, what, { who: neighbour, path: own }))).toEqual([404, 'publication_not_found'])
    const headers = { origin: 'http://tirage.test', 'content-type': 'application/json' }
    const url = `${room.path}/publications/${goes}/${what}`
    expect((await room.inject({ method: 'POST', url, headers, payload: '{}' })).statusCode).toBe(401)
  }
  expect((await lines()).length).toBe(before)
  expect((await visit(at('/neap-tide'))).statusCode).toBe(200)
  expect((await act(goes, 'take-off-web', { who: editor })).statusCode).toBe(200)
})
