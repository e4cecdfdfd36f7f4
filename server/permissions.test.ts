import type { InjectOptions } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { covers, may, type Permission, permissions, type RoleTable, roleNames, roles } from './permissions.ts'
import { type Session, startTestApp, type TestApp } from './testing/app.ts'

/** The permissions of a member who may only change the branding. */
const branding: Permission[] = ['newsletter.read', 'media.read', 'branding.write']
const mayCall = [
  'GET /api/newsletters/:newsletterId',
  'PATCH /api/newsletters/:newsletterId',
  'GET /api/newsletters/:newsletterId/media',
  'GET /api/newsletters/:newsletterId/media-usage',
  'GET /api/newsletters/:newsletterId/senders',
  'GET /api/newsletters/:newsletterId/live',
  'GET /api/newsletters/:newsletterId/subscribers/form',
  // It finds only what the role may read.
  'GET /api/newsletters/:newsletterId/search',
  // Everybody may leave.
  'DELETE /api/newsletters/:newsletterId/members/:userId',
]

describe('a role that may only change the branding', () => {
  // The app gets another table of roles: what an analyst may do is replaced.
  const table: RoleTable = { ...roles, analyst: branding }
  let server: TestApp
  let owner: Session
  let designer: Session
  let path: string

  beforeAll(async () => {
    server = await startTestApp({ roles: table })
    owner = await server.signUp()
    const id = await server.createNewsletter(owner)
    designer = await server.asMember(id, 'analyst')
    path = `/api/newsletters/${id}`
  })
  afterAll(() => server?.stop())

  test('reads what it needs, changes the branding, and changes no other setting', async () => {
    expect((await designer.call('GET', path)).json()).toMatchObject({ name: 'Low Water' })
    expect((await designer.call('GET', `${path}/media`)).json()).toMatchObject({ rows: [] })
    const changed = await designer.call('PATCH', path, { accent: '#aa3311', pairing: 'revue', logoMediaId: null })
    expect(changed.json()).toMatchObject({ accent: '#aa3311', pairing: 'revue' })
    for (const body of [{ name: 'Mine' }, { accent: '#000000', senderAddress: 'me@example.org' }]) {
      const refused = await designer.call('PATCH', path, body)
      expect([refused.statusCode, refused.json().error.code]).toEqual([403, 'forbidden'])
    }
    expect((await owner.call('GET', path)).json()).toMatchObject({ name: 'Low Water', accent: '#aa3311' })
  })

  test('finds nothing that it may not read', async () => {
    await owner.call('POST', `${path}/publications`, { title: 'Secret tide' })
    await owner.call('POST', `${path}/subscribers`, { email: 'secret@example.org' })
    await owner.call('POST', `${path}/links`, { target: 'https://example.org/', name: 'Secret link' })
    const found = (await owner.call('GET', `${path}/search?search=secret`)).json()
    expect([found.publications.length, found.subscribers.length, found.links.length]).toEqual([1, 1, 1])
    const shown = await designer.call('GET', `${path}/search?search=secret`)
    expect(shown.statusCode).toBe(200)
    expect(Object.values(shown.json()).flat()).toEqual([])
    expect(Object.keys(shown.json())).toEqual(Object.keys(found))
  })

  test('is refused on every other route of the newsletter', async () => {
    const open: string[] = []
    for (const { method, path: route } of server.app.apiRoutes) {
      if (!route.startsWith('/api/newsletters/:newsletterId') || mayCall.includes(`${method} ${route}`)) continue
      const address = route.replace('/api/newsletters/:newsletterId', path).replace(/:\w+/g, () => 'none')
      const body = method === 'GET' || method === 'DELETE' ? undefined : {}
      const answer = await designer.call(method as InjectOptions['method'], address, body)
      if (answer.statusCode !== 403 || answer.json().error.code !== 'forbidden') open.push(`${method} ${route}`)
    }
    expect(open).toEqual([])
    const { members } = (await owner.call('GET', `${path}/members`)).json()
    const others = members.filter(({ userId }: { userId: string }) => userId !== designer.userId)
    const removed = await designer.call('DELETE', `${path}/members/${others[0].userId}`)
    expect([removed.statusCode, removed.json().error.code]).toEqual([403, 'forbidden'])
    expect((await designer.call('DELETE', `${path}/members/${designer.userId}`)).statusCode).toBe(200)
  })
})

describe('a role that may manage members and keys but not everything', () => {
  const table: RoleTable = { ...roles, editor: [...roles.editor, 'members.manage', 'keys.manage'] }
  let server: TestApp
  let manager: Session
  let path: string

  beforeAll(async () => {
    server = await startTestApp({ roles: table })
    const owner = await server.signUp()
    const id = await server.createNewsletter(owner)
    manager = await server.asMember(id, 'editor')
    path = `/api/newsletters/${id}`
  })
  afterAll(() => server?.stop())

  test('gives no member and no key more than it has', async () => {
    const colleague = await server.asMember(path.split('/').at(-1) ?? '', 'analyst')
    const give = async (role: string) => [
      (await manager.call('POST', `${path}/api-keys`, { name: 'k', role })).statusCode,
      (await manager.call('PATCH', `${path}/members/${colleague.userId}`, { role })).statusCode,
      (await manager.call('POST', `${path}/invitations`, { email: `${role}@example.org`, role })).statusCode,
    ]
    expect(await give('owner')).toEqual([403, 403, 403])
    expect(await give('editor')).toEqual([200, 200, 200])
  })

  test('takes nothing from a member who has more', async () => {
    const newsletterId = path.split('/').at(-1) ?? ''
    const second = await server.asMember(newsletterId, 'owner')
    const member = `${path}/members/${second.userId}`
    expect((await manager.call('PATCH', member, { role: 'analyst' })).statusCode).toBe(403)
    expect((await manager.call('DELETE', member)).statusCode).toBe(403)
    const analyst = await server.asMember(newsletterId, 'analyst')
    expect((await manager.call('DELETE', `${path}/members/${analyst.userId}`)).statusCode).toBe(200)
  })
})

describe('the table of roles', () => {
  let server: TestApp
  beforeAll(async () => {
    server = await startTestApp()
  })
  afterAll(() => server?.stop())

  test('has the roles that the database has, in the same order', async () => {
    const { rows } = await sql<{
      role: string
    }>`select unnest(enum_range(null::newsletter_role))::text as role`.execute(server.context.db)
    expect(rows.map(({ role }) => role)).toEqual(roleNames)
  })

  test('has an owner, who may do everything', () => {
    expect(permissions.filter((permission) => !may('owner', permission))).toEqual([])
    expect(roleNames.filter((role) => !covers('owner', role))).toEqual([])
  })

  test('gives an unknown role no permission, and lets nobody give that role', () => {
    expect(permissions.filter((permission) => may('invented', permission))).toEqual([])
    expect(covers('editor', 'invented')).toBe(false)
  })

  test('one statement adds a role for members, invitations and keys', async () => {
    const { db } = server.context
    const owner = await server.signUp()
    const id = await server.createNewsletter(owner)
    const invented = await server.signUp()
    const refused = sql`insert into member (newsletter_id, user_id, role) values (${id}, ${invented.userId}, 'invented')`
    await expect(refused.execute(db)).rejects.toThrow('newsletter_role')
    await sql`alter type newsletter_role add value 'invented' after 'editor'`.execute(db)
    await refused.execute(db)
    await sql`insert into invitation (newsletter_id, id, email, role, token_hash, expires_at)
      values (${id}, 'i', 'a@example.org', 'invented', 'x', now())`.execute(db)
    await sql`insert into api_key (newsletter_id, id, name, role, prefix, hash, created_by)
      values (${id}, 'k', 'k', 'invented', 'p', 'x', ${invented.userId})`.execute(db)
  })
})
