import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Session, startTestApp, type TestApp } from '../testing/app.ts'
import { unlinkable } from './unlinkable.ts'

let server: TestApp
let owner: Session
let id: string
let path: string
beforeAll(async () => {
  // With a relay that nothing is sent to: mail is not caught.
  server = await startTestApp({ env: { SMTP_URL: 'smtp://127.0.0.1:1' } })
  owner = await provenPerson('ines@example.org')
  id = await server.createNewsletter(owner)
  path = `/api/newsletters/${id}`
})
afterAll(() => server?.stop())

async function provenPerson(email: string): Promise<Session> {
  const person = await server.signUp({ email })
  await prove(person)
  return person
}
const prove = ({ userId }: Session) =>
  server.context.db.updateTable('user').set({ email_verified: true }).where('id', '=', userId).execute()
const codeOf = (answer: { json(): { error?: { code: string } } }) => answer.json().error?.code
const invite = (email: string, { role = 'editor', by = owner, to = id } = {}) =>
  by.call('POST', `/api/newsletters/${to}/invitations`, { email, role })
const tokenFor = async (email: string) => {
  const mails = await server.queuedMail(email)
  return /invitation\/([\w-]+)/.exec(mails.map(({ text }) => text).join())?.[1] ?? ''
}
const accept = (person: Session, token: string) => person.call('POST', `/api/invitations/${token}/accept`, {})

test('an invitation is for the address that it was sent to, once it is proven', async () => {
  await invite('eva@example.org')
  const token = await tokenFor('eva@example.org')
  const other = await provenPerson('other@example.org')
  expect(codeOf(await accept(other, token))).toBe('invitation_for_another')
  const eva = await server.signUp({ email: 'Eva@example.org' })
  expect(codeOf(await accept(eva, token))).toBe('address_unproven')
  await prove(eva)
  const both = await Promise.all([accept(eva, token), accept(eva, token)])
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404])
  expect((await eva.call('GET', path)).json().role).toBe('editor')
})

test('two invitations of one person that are accepted at once make one member', async () => {
  const second = await server.createNewsletter(owner)
  await invite('two@example.org')
  await invite('two@example.org', { to: second })
  const two = await provenPerson('two@example.org')
  const tokens = (await server.queuedMail('two@example.org')).flatMap(
    ({ text }) => /invitation\/([\w-]+)/.exec(text)?.[1] ?? [],
  )
  const answers = await Promise.all(tokens.map((token) => accept(two, token)))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  expect((await two.call('GET', '/api/newsletters')).json().newsletters).toHaveLength(2)
})

test('its subject has nothing that anybody chose, and its names cannot be clicked', async () => {
  const name = 'Your account is locked https://bank.example/login'
  const stranger = await server.signUp({ email: 'sender@example.org', name: 'support@bank.example' })
  await prove(stranger)
  const newsletter = await server.createNewsletter(stranger, { name })
  const postalAddress = 'Call 0800 BANK, www.bank.example'
  await stranger.call('PATCH', `/api/newsletters/${newsletter}`, { postalAddress })
  await invite('victim@example.org', { by: stranger, to: newsletter })
  const [mail] = await server.queuedMail('victim@example.org')
  expect(mail?.subject).toBe('An invitation to work on a newsletter')
  for (const part of [mail?.html ?? '', mail?.text ?? '']) {
    expect(part).not.toMatch(/bank\.example|https:\/\/bank|0800/)
    expect(part.match(/https?:\/\/[^\s"<]+/g)?.every((link) => link.startsWith('http://tirage.test/'))).toBe(true)
  }
})

test('its mail names the role, is in the language of the account that it goes to, and does not take it for a request of theirs', async () => {
  await invite('new@example.org', { role: 'analyst' })
  const theo = await provenPerson('theo@example.org')
  await theo.call('PATCH', '/api/me/profile', { language: 'fr' })
  await invite('Theo@example.org')
  const [[unknown], [french]] = [
    await server.queuedMail('new@example.org'),
    await server.queuedMail('Theo@example.org'),
  ]
  for (const part of [unknown?.text ?? '', unknown?.html ?? '']) {
    expect(part).toMatch(/You would come\s+in as:\s+Read\s+only\./)
    expect(part).not.toContain('If this was not you')
  }
  expect(french?.subject).toBe('Une invitation à travailler sur une newsletter')
  expect(french?.text).toMatch(/Votre\s+rôle\s+y\s+serait\s:\s+Rédaction\./)
})

test.each([
  ['Dr. Who', 'Dr. Who'],
  ['J.R.R. Tolkien', 'J. R. R. Tolkien'],
  ['https://bank.example', 'https: / / bank. example'],
  ['bank．example', 'bank. example'],
  ['bank。example', 'bank。 example'],
  ['a@bank.example', 'a@ bank. example'],
  ['  two\u2003spaces ', 'two spaces'],
  ['x'.repeat(200), `${'x'.repeat(59)}…`],
])('the name %s becomes %s', (name, shown) => expect(unlinkable(name)).toBe(shown))

test('an address gets five a day from all newsletters together, and nobody who invites learns it', async () => {
  const answers = []
  for (let n = 0; n < 7; n += 1) {
    const newsletter = await server.createNewsletter(owner)
    answers.push(await invite('Often@example.org', { to: newsletter }))
  }
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(7).fill(200))
  const shapes = answers.map((answer) => Object.keys(answer.json()).join())
  expect(new Set(shapes).size).toBe(1)
  const mails = [...(await server.queuedMail('often@example.org')), ...(await server.queuedMail('Often@example.org'))]
  expect(mails).toHaveLength(5)
})

test('a newsletter invites thirty an hour', async () => {
  const inviter = await provenPerson('busy@example.org')
  const newsletter = await server.createNewsletter(inviter)
  const codes = []
  for (let n = 0; n < 32; n += 1)
    codes.push((await invite(`n${n}@example.org`, { by: inviter, to: newsletter })).statusCode)
  expect(codes).toEqual([...Array(30).fill(200), 429, 429])
})

test('what a removed or demoted owner had invited is over', async () => {
  for (const end of [
    (who: Session) => owner.call('DELETE', `${path}/members/${who.userId}`),
    (who: Session) => owner.call('PATCH', `${path}/members/${who.userId}`, { role: 'editor' }),
    (who: Session) => who.call('DELETE', '/api/me'),
  ]) {
    const leaving = await server.asMember(id, 'owner')
    await prove(leaving)
    const email = `friend-of-${leaving.userId.toLowerCase()}@example.org`
    await invite(email, { role: 'owner', by: leaving })
    const token = await tokenFor(email)
    expect((await server.stranger('GET', `/api/invitations/${token}`)).statusCode).toBe(200)
    expect((await end(leaving)).statusCode).toBe(200)
    expect(codeOf(await accept(await provenPerson(email), token))).toBe('invitation_not_found')
  }
})

describe('a newsletter that nobody owns any more', () => {
  const closedAt = async (newsletter: string) => {
    const row = await server.context.db
      .selectFrom('newsletter')
      .select('deleted_at')
      .where('id', '=', newsletter)
      .executeTakeFirst()
    return row?.deleted_at ?? null
  }

  test('is closed, however its last owner went', async () => {
    const { db } = server.context
    for (const end of [
      (userId: string) => sql`delete from "user" where id = ${userId}`.execute(db),
      (userId: string) => sql`delete from member where user_id = ${userId}`.execute(db),
      (userId: string) => sql`update member set role = 'editor' where user_id = ${userId}`.execute(db),
    ]) {
      const last = await server.signUp()
      const newsletter = await server.createNewsletter(last)
      const editor = await server.asMember(newsletter, 'editor')
      await end(last.userId)
      expect(await closedAt(newsletter)).not.toBeNull()
      expect((await editor.call('GET', `/api/newsletters/${newsletter}`)).statusCode).toBe(404)
      expect(codeOf(await editor.call('POST', '/api/me/newsletters/restore', { newsletterId: newsletter }))).toBe(
        'newsletter_not_found',
      )
      const form = await server.inject({
        method: 'POST',
        url: `/subscribe/${newsletter}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
        payload: 'email=late%40example.org&consent=yes',
      })
      expect([form.statusCode, form.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
      expect((await server.stranger('GET', `/n/${newsletter}`)).statusCode).toBe(404)
    }
  })

  test('is that of a guest whose account the identity library deletes', async () => {
    const guest = await server.tryFirst()
    const newsletter = await server.createNewsletter(guest)
    await guest.call('POST', '/api/auth/delete-anonymous-user', {})
    const left = await server.context.db.selectFrom('user').select('id').where('id', '=', guest.userId).execute()
    expect((await closedAt(newsletter)) !== null).toBe(left.length === 0)
  })

  test('does not come about: the last owner hands over or closes, also at the moment in which another leaves', async () => {
    for (let n = 0; n < 5; n += 1) {
      const [one, two] = [await server.signUp(), await server.signUp()]
      const newsletter = await server.createNewsletter(one)
      const values = { newsletter_id: newsletter, user_id: two.userId, role: 'owner' } as const
      await server.context.db.insertInto('member').values(values).execute()
      const left = await Promise.all([
        one.call('DELETE', `/api/newsletters/${newsletter}/members/${one.userId}`),
        two.call('DELETE', '/api/me'),
      ])
      expect(left.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409])
      expect(await closedAt(newsletter)).toBeNull()
    }
  })
})
