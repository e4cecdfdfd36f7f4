import { afterAll, beforeAll, expect, test } from 'vitest'
import { currencies } from '../charge/money.ts'
import { enqueue } from '../jobs/queue.ts'
import { type Session, startTestApp, type TestApp } from '../testing/app.ts'
import { PublicNewsletters } from './public-newsletters.ts'

let server: TestApp
let owner: Session
let id: string
beforeAll(async () => {
  server = await startTestApp()
  owner = await server.signUp()
  id = await server.createNewsletter(owner)
})
afterAll(() => server?.stop())

const codeOf = (answer: { json(): { error: { code: string } } }) => answer.json().error.code
const sentTo = async (email: string) => (await server.queuedMail(email))[0]
const tokenIn = (text = '') => /invitation\/([\w-]+)/.exec(text)?.[1] ?? ''

test('a new newsletter has public addresses and an address that it sends from', async () => {
  const { newsletters } = (await owner.call('GET', '/api/newsletters')).json()
  expect(newsletters).toMatchObject([
    { id, name: 'Low Water', senderName: 'Low Water', role: 'owner', subscribers: 0, handle: null },
  ])
  expect(newsletters[0].urls.subscribe).toBe(`http://tirage.test/subscribe/${id}`)
  expect(newsletters[0].effectiveSender).toMatch(/@tirage\.test$/)
})

test('only given settings change; a handle works on public pages and belongs to one newsletter', async () => {
  const answer = await owner.call('PATCH', `/api/newsletters/${id}`, { handle: 'low-water', accent: '#123456' })
  expect(answer.json()).toMatchObject({ handle: 'low-water', accent: '#123456', name: 'Low Water' })
  expect((await new PublicNewsletters(server.context).find('low-water'))?.id).toBe(id)
  const other = await server.createNewsletter(owner)
  const taken = await owner.call('PATCH', `/api/newsletters/${other}`, { handle: 'low-water' })
  expect([taken.statusCode, codeOf(taken)]).toEqual([409, 'handle_taken'])
})

test('an earlier handle goes on leading to its newsletter, can be had back, and is nobody else’s; after ten others it is free', async () => {
  const one = await server.createNewsletter(owner)
  const other = await server.createNewsletter(owner)
  const take = async (newsletterId: string, handle: string | null) =>
    (await owner.call('PATCH', `/api/newsletters/${newsletterId}`, { handle })).statusCode
  const page = async (handle: string) => (await server.stranger('GET', `/subscribe/${handle}`)).statusCode
  expect([await take(one, 'the-quire'), await page('the-quire')]).toEqual([200, 200])
  expect([await take(one, 'quire'), await page('the-quire'), await page('quire')]).toEqual([200, 200, 200])
  expect([await take(one, null), await page('the-quire'), await page('quire')]).toEqual([200, 200, 200])
  expect([await take(other, 'quire'), await take(one, 'quire')]).toEqual([409, 200])
  const { suggestion } = (
    await owner.call('GET', `/api/newsletters/${await server.createNewsletter(owner, { name: 'The Quire' })}/handle`)
  ).json()
  expect(suggestion).toBe('the-quire-2')
  for (let n = 1; n <= 10; n += 1) expect(await take(one, `quire-no-${n}`)).toBe(200)
  expect([await take(other, 'the-quire'), await page('quire')]).toEqual([200, 200])
})

test('a handle made from the name is offered, which is free, can be taken and is none of our own words', async () => {
  const offered = async (name: string) => {
    const one = await server.createNewsletter(owner, { name })
    const { suggestion } = (await owner.call('GET', `/api/newsletters/${one}/handle`)).json()
    if (suggestion !== null) {
      const taken = await owner.call('PATCH', `/api/newsletters/${one}`, { handle: suggestion })
      expect(taken.statusCode).toBe(200)
    }
    return suggestion
  }
  expect(await offered('Le Fournil de Maëlle')).toBe('le-fournil-de-maelle')
  expect(await offered('Le Fournil de Maëlle !')).toBe('le-fournil-de-maelle-2')
  expect(await offered('What the tide tables of a small harbour leave out')).toBe('what-the-tide-tables-of-a-small')
  expect(await offered('Sign-up')).toBeNull()
  expect(await offered('潮汐')).toBeNull()
})

test('a sender with the name of the newsletter follows it, and one with a name of its own stays', async () => {
  const owner = await server.signUp()
  const id = await server.createNewsletter(owner, { name: 'My newsletter' })
  const change = async (body: object) => (await owner.call('PATCH', `/api/newsletters/${id}`, body)).json().senderName
  expect(await change({ name: 'Low Water' })).toBe('Low Water')
  expect(await change({ senderName: 'Inès' })).toBe('Inès')
  expect(await change({ name: 'High Water' })).toBe('Inès')
  expect(await change({ senderName: 'High Water' })).toBe('High Water')
  expect(await change({ name: 'Slack Water', senderName: 'Ada' })).toBe('Ada')
})

test('an unknown timezone is refused with a sentence for its field', async () => {
  const answer = await owner.call('PATCH', `/api/newsletters/${id}`, { timezone: 'Mars/Olympus' })
  expect(answer.json().error).toMatchObject({ code: 'invalid', fields: { timezone: expect.stringContaining('Paris') } })
})

test('it counts in any currency in which plans are sold, and in no other', async () => {
  const change = async (currency: string) => (await owner.call('PATCH', `/api/newsletters/${id}`, { currency })).json()
  expect(await change('gbp')).toMatchObject({ currency: 'gbp' })
  expect(await change('xyz')).toMatchObject({ error: { code: 'invalid' } })
  for (const currency of currencies) expect(await change(currency)).toMatchObject({ currency })
})

test('a wrong form is refused with a sentence for each field, in the caller’s language', async () => {
  const body = { name: '', language: 'en', timezone: 'Europe/Paris', currency: 'eur', accent: 'red' }
  const answer = await owner.call('POST', '/api/newsletters', body)
  expect(answer.statusCode).toBe(422)
  expect(answer.json().error.fields).toEqual({
    name: 'This is needed.',
    accent: 'A colour is written like #0C5C5A.',
  })
})

test('an invitation makes one member, once, and guests must have an account first', async () => {
  const invited = await owner.call('POST', `/api/newsletters/${id}/invitations`, {
    email: 'eva@example.org',
    role: 'editor',
  })
  expect(invited.statusCode).toBe(200)
  const token = tokenIn((await sentTo('eva@example.org'))?.text)
  expect((await server.stranger('GET', `/api/invitations/${token}`)).json()).toMatchObject({
    newsletterName: 'Low Water',
  })
  const guest = await server.tryFirst()
  expect(codeOf(await guest.call('POST', `/api/invitations/${token}/accept`, {}))).toBe('anonymous_cannot')
  const eva = await server.signUp({ email: 'eva@example.org' })
  const stranger = await server.signUp()
  expect(codeOf(await stranger.call('POST', `/api/invitations/${token}/accept`, {}))).toBe('invitation_for_another')
  expect((await eva.call('POST', `/api/invitations/${token}/accept`, {})).json()).toEqual({ newsletterId: id })
  expect(codeOf(await eva.call('POST', `/api/invitations/${token}/accept`, {}))).toBe('invitation_not_found')
  expect((await eva.call('GET', `/api/newsletters/${id}`)).json().role).toBe('editor')
  const again = await owner.call('POST', `/api/newsletters/${id}/invitations`, {
    email: 'Eva@example.org',
    role: 'owner',
  })
  expect(codeOf(again)).toBe('already_member')
})

test('of two owners who leave at the same moment, one stays', async () => {
  const shared = await server.createNewsletter(owner)
  const second = await server.asMember(shared, 'owner')
  const leave = (who: Session) => who.call('DELETE', `/api/newsletters/${shared}/members/${who.userId}`)
  const answers = await Promise.all([leave(owner), leave(second)])
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
  const left = await server.context.db.selectFrom('member').selectAll().where('newsletter_id', '=', shared).execute()
  expect(left).toHaveLength(1)
})

test('members leave by themselves and are removed by owners only', async () => {
  const editor = await server.asMember(id, 'editor')
  const analyst = await server.asMember(id, 'analyst')
  const path = (who: Session) => `/api/newsletters/${id}/members/${who.userId}`
  expect((await editor.call('DELETE', path(analyst))).statusCode).toBe(403)
  expect((await analyst.call('DELETE', path(analyst))).statusCode).toBe(200)
  expect((await owner.call('PATCH', path(editor), { role: 'analyst' })).statusCode).toBe(200)
  expect((await owner.call('PATCH', path(owner), { role: 'analyst' })).statusCode).toBe(409)
})

test('who was removed is told of which newsletter, and nobody else is', async () => {
  const name = 'The Lighthouse'
  const shared = await server.createNewsletter(owner, { name })
  const editor = await server.asMember(shared, 'editor')
  const analyst = await server.asMember(shared, 'analyst')
  const removedFrom = async (who: Session) => (await who.call('GET', '/api/newsletters')).json().removedFrom
  const remove = (who: Session, about: Session) =>
    who.call('DELETE', `/api/newsletters/${shared}/members/${about.userId}`)
  expect((await remove(analyst, editor)).statusCode).toBe(403)
  expect(await removedFrom(editor)).toEqual([])
  expect((await remove(owner, editor)).statusCode).toBe(200)
  expect((await remove(analyst, analyst)).statusCode).toBe(200)
  expect(await removedFrom(editor)).toEqual([{ id: shared, name }])
  expect((await owner.call('PATCH', `/api/newsletters/${shared}`, { name: 'Sold to the gulls' })).statusCode).toBe(200)
  expect(await removedFrom(editor)).toEqual([{ id: shared, name }])
  for (const other of [owner, analyst]) expect(await removedFrom(other)).toEqual([])
  const membership = { newsletter_id: shared, user_id: editor.userId, role: 'editor' } as const
  await server.context.db.insertInto('member').values(membership).execute()
  expect(await removedFrom(editor)).toEqual([])
})

test('of two presses that delete a newsletter at once, one stands in its audit', async () => {
  const owner = await server.signUp()
  const twice = await server.createNewsletter(owner)
  const presses = [1, 2].map(() => owner.call('DELETE', `/api/newsletters/${twice}`))
  const { db } = server.context
  await Promise.all(presses)
  const lines = db.selectFrom('audit').select('outcome').where('newsletter_id', '=', twice)
  expect(await lines.where('act', '=', 'newsletter_closed').execute()).toEqual([{ outcome: 'done' }])
})

test('a deleted newsletter is hidden from everybody, and its owner can restore it', async () => {
  const short = await server.createNewsletter(owner)
  const editor = await server.asMember(short, 'editor')
  expect((await owner.call('DELETE', `/api/newsletters/${short}`)).statusCode).toBe(200)
  expect((await owner.call('GET', `/api/newsletters/${short}`)).statusCode).toBe(404)
  expect(await new PublicNewsletters(server.context).find(short)).toBeNull()
  const bring = { newsletterId: short }
  // It is listed to its members, so that nobody wonders where it is.
  const deletedOf = async (person: typeof owner) => (await person.call('GET', '/api/newsletters')).json().deleted
  const [listed] = await deletedOf(owner)
  expect(listed).toMatchObject({ id: short, role: 'owner' })
  const daysLeft = (Date.parse(listed.keptUntil) - Date.now()) / 86_400_000
  expect(Math.round(daysLeft)).toBe(30)
  expect(await deletedOf(editor)).toMatchObject([{ id: short, role: 'editor', owned: true }])
  expect(await deletedOf(await server.signUp())).toEqual([])
  expect((await editor.call('POST', '/api/me/newsletters/restore', bring)).statusCode).toBe(404)
  expect((await owner.call('POST', '/api/me/newsletters/restore', bring)).json().id).toBe(short)
  expect(await deletedOf(owner)).toEqual([])
})

test('whoever is left in a deleted newsletter learns that no owner is left to restore it', async () => {
  const passing = await server.signUp()
  const short = await server.createNewsletter(passing)
  const editor = await server.asMember(short, 'editor')
  await passing.call('DELETE', `/api/newsletters/${short}`)
  expect((await passing.call('DELETE', '/api/me')).statusCode).toBe(200)
  expect((await editor.call('GET', '/api/newsletters')).json().deleted).toMatchObject([{ id: short, owned: false }])
})

test('an API key works for its newsletter with its role, is shown once, and ends when it is revoked or expires', async () => {
  const path = `/api/newsletters/${id}/api-keys`
  const made = (await owner.call('POST', path, { name: 'Form', role: 'analyst' })).json()
  expect(made.secret).toMatch(/^tir_[1-9A-HJ-NP-Za-km-z]{44}$/)
  expect((await owner.call('GET', path)).body).not.toContain(made.secret)
  const call = server.withKey(made.secret)
  expect((await call('GET', `/api/newsletters/${id}`)).statusCode).toBe(200)
  expect((await call('PATCH', `/api/newsletters/${id}`, { name: 'Mine' })).statusCode).toBe(403)
  expect((await call('GET', '/api/newsletters')).statusCode).toBe(403)
  expect((await owner.call('GET', path)).json().keys[0].lastUsedAt).not.toBeNull()
  const stale = await owner.call('POST', path, { name: 'Old', role: 'owner', expiresAt: '2020-01-01T00:00:00Z' })
  const isUnknown = async (secret: string) =>
    expect((await server.withKey(secret)('GET', `/api/newsletters/${id}`)).json().error).toMatchObject({
      code: 'key_unknown',
      message: 'This API key is not valid, or no longer. A newsletter’s keys are in its settings.',
    })
  await isUnknown(stale.json().secret)
  await isUnknown(`tir_${'x'.repeat(44)}`)
  const elsewhere = await server.createNewsletter(owner)
  expect((await owner.call('DELETE', `/api/newsletters/${elsewhere}/api-keys/${made.id}`)).statusCode).toBe(404)
  expect((await call('GET', `/api/newsletters/${id}`)).statusCode).toBe(200)
  expect((await owner.call('DELETE', `${path}/${made.id}`)).statusCode).toBe(200)
  expect((await call('GET', `/api/newsletters/${id}`)).statusCode).toBe(401)
  await isUnknown(made.secret)
})

test('an account cannot be deleted while it is the last owner of a newsletter', async () => {
  const alone = await server.signUp()
  const newsletter = await server.createNewsletter(alone)
  const owned = async () => (await alone.call('GET', '/api/me/deletion')).json().soleOwnerOf
  expect(await owned()).toEqual([{ id: newsletter, name: expect.any(String) }])
  expect(codeOf(await alone.call('DELETE', '/api/me'))).toBe('last_owner')
  await server.asMember(newsletter, 'owner')
  expect(await owned()).toEqual([])
  expect((await alone.call('DELETE', '/api/me')).statusCode).toBe(200)
  expect((await alone.call('GET', '/api/me')).json().user).toBeNull()
})

test('whoever deletes their account is told so by mail, if the address was theirs', async () => {
  const [proven, unproven] = [await server.signUp(), await server.signUp()]
  await server.confirm(proven)
  await server.work()
  // Also when they press more than once.
  const presses = [proven, unproven].flatMap(({ call }) => [1, 2, 3].map(() => call('DELETE', '/api/me')))
  for (const { statusCode } of await Promise.all(presses)) expect([200, 401]).toContain(statusCode)
  const told = await Promise.all([proven, unproven].map(({ email }) => server.queuedMail(email)))
  expect(told.map((mails) => mails.map(({ subject }) => subject))).toEqual([['Your account is deleted'], []])
})

test('nothing is mailed to what stands in place of the address of a guest', async () => {
  const guest = await server.tryFirst()
  const newsletterId = await server.createNewsletter(guest)
  const { email } = await server.context.db
    .selectFrom('user')
    .select('email')
    .where('id', '=', guest.userId)
    .executeTakeFirstOrThrow()
  for (const to of [email, 'ada@example.org'])
    await enqueue(server.context.db, 'send_mail', {
      to,
      newsletterId,
      subject: 'News',
      html: '<p>News</p>',
      text: 'News',
    })
  await server.work()
  const { rows } = (await guest.call('GET', `/api/newsletters/${newsletterId}/outbox`)).json()
  expect(rows.map(({ to }: { to: string }) => to)).toEqual(['ada@example.org'])
})

test('only the invited person can read an invitation in the outbox', async () => {
  const invited = await server.signUp({ email: 'fay@example.org' })
  const editor = await server.asMember(id, 'editor')
  await owner.call('POST', `/api/newsletters/${id}/invitations`, { email: 'fay@example.org', role: 'owner' })
  await server.work()
  const membership = { newsletter_id: id, user_id: invited.userId, role: 'editor' } as const
  await server.context.db.insertInto('member').values(membership).execute()
  const seenBy = async ({ call }: Session) => {
    const { rows } = (await call('GET', `/api/newsletters/${id}/outbox?search=fay`)).json()
    return rows as { id: string; subject: string }[]
  }
  const theirs = await seenBy(invited)
  const mail = theirs.find(({ subject }) => subject.includes('invitation'))
  expect(mail).toBeDefined()
  expect(await seenBy(editor)).toEqual([])
  expect(await seenBy(owner)).toEqual([])
  const read = (session: Session) => session.call('GET', `/api/newsletters/${id}/outbox/${mail?.id}`)
  expect([(await read(editor)).statusCode, (await read(owner)).statusCode]).toEqual([404, 404])
  expect((await read(invited)).json().source).toContain('From: "Tirage" <tirage@tirage.test>')
})

test('a logo replaces the name on public pages and in mails', async () => {
  const name = 'Marée basse'
  const newsletter = await server.createNewsletter(owner, { name })
  const values = { newsletter_id: newsletter, id: 'logo12345678', storage_key: 'x', file_name: 'logo.png', bytes: 1 }
  await server.context.db
    .insertInto('media')
    .values({ ...values, mime: 'image/png', width: 900, height: 200 })
    .execute()
  await owner.call('PATCH', `/api/newsletters/${newsletter}`, { logoMediaId: 'logo12345678' })
  const archive = await server.stranger('GET', `/n/${newsletter}`)
  expect(archive.body).toContain('<img src="/media/logo12345678?w=600" alt="Marée basse"/>')
  await owner.call('POST', `/api/newsletters/${newsletter}/subscribers`, { email: 'gus@example.org' })
  await server.work()
  const [mail] = await server.context.relays.outbox.list()
  const source = (await server.context.relays.outbox.read(mail?.id ?? ''))?.source.toString().replaceAll(/=\r\n/g, '')
  expect(source).toContain(
    'src=3D"http://tirage.test/media/logo12345678?w=3D600" height=3D"44" alt=3D"Mar=C3=A9e basse"',
  )
})

test.each(['Low \u202eretaW', 'Low \u200fretaW', 'Low \u2066retaW', 'Low \u0007retaW', '\u200b \u2060'])(
  'a name with a character that nobody can see (%#) is refused, with a sentence',
  async (name) => {
    for (const [method, path, body] of [
      ['PATCH', `/api/newsletters/${id}`, { name }],
      ['PATCH', `/api/newsletters/${id}`, { senderName: name }],
      ['POST', `/api/newsletters/${id}/api-keys`, { name, role: 'analyst' }],
    ] as const) {
      const answer = await owner.call(method, path, body)
      expect(answer.statusCode).toBe(422)
      expect(Object.values(answer.json().error.fields)).toEqual([expect.stringContaining('nobody can see')])
    }
  },
)

test('a name in Arabic or with a family of emoji is a name', async () => {
  for (const name of ['ماء منخفض', 'Les 👩‍👧‍👦 du port'])
    expect((await owner.call('PATCH', `/api/newsletters/${id}`, { name })).json()).toMatchObject({ name })
})

test('the name of a person loses what turns letters round', async () => {
  const person = await server.signUp({ name: 'Ann \u202eenitsirhC' })
  const { displayName } = (await person.call('GET', '/api/me')).json().user
  expect(displayName).toBe('Ann enitsirhC')
})
