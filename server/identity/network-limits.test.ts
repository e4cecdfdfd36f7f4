import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Session, startTestApp, type TestApp } from '../testing/app.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { uploadImage } from '../testing/upload.ts'
import { limitsOfNetworks } from './network-limits.ts'

let database: TestDatabase
let server: TestApp
/** A second process on the same database. */
let second: TestApp
beforeAll(async () => {
  const env = { SECRET: 'a secret that both processes have, with forty characters' }
  database = await createTestDatabase()
  server = await startTestApp({ database, env })
  second = await startTestApp({ database: { ...database, drop: async () => undefined }, env })
})
afterAll(async () => {
  await second?.stop()
  await server?.stop()
})

const newsletter = { name: 'Low Water', language: 'en', timezone: 'Europe/Paris', currency: 'eur' }

interface Ask {
  path?: string
  body?: object
  at?: TestApp
  language?: string
}

const ask = (
  { cookie }: Session,
  remoteAddress: string,
  { path = '/api/newsletters', body = newsletter, at = server, language = 'en' }: Ask = {},
) =>
  at.inject({
    method: 'POST',
    url: path,
    remoteAddress,
    headers: { cookie, origin: 'http://tirage.test', 'accept-language': language },
    payload: body,
  })

const guests = (count: number) => Promise.all(Array.from({ length: count }, () => server.tryFirst()))

test('guests of one network begin so many newsletters an hour, in all processes and all at once; others begin theirs', async () => {
  const all = await guests(12)
  const asked = all.flatMap((guest, at) =>
    [1, 2, 3].map((turn) => ask(guest, `2001:db8:1:2::${at * 3 + turn}`, { at: turn % 2 ? server : second })),
  )
  const answers = await Promise.all(asked)
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(limitsOfNetworks.newsletters.guest)
  const refused = answers.filter(({ statusCode }) => statusCode !== 200)
  expect(new Set(refused.map((answer) => answer.json().error.code))).toEqual(new Set(['too_many_from_network']))
  expect(refused.every(({ statusCode, headers }) => statusCode === 429 && Number(headers['retry-after']) > 0)).toBe(
    true,
  )

  const [late = all[0] as Session] = await guests(1)
  expect((await ask(late, '2001:db8:1:2::ffff')).statusCode).toBe(429)
  expect((await ask(late, '2001:db8:1:3::1')).statusCode).toBe(200)
  const french = await ask(late, '2001:db8:1:2::ffff', { language: 'fr' })
  expect(french.json().error.message).toMatch(/^Depuis votre réseau.* Donnez une adresse email à ce compte/)

  const { rows } = await sql<{ key: string }>`select key from rate_limit where key like 'newsletters of %'`.execute(
    server.context.db,
  )
  expect(rows).not.toEqual([])
  expect(JSON.stringify(rows)).not.toContain('2001:db8')
})

test('everything that people make is counted for their network until they prove an address', async () => {
  const owner = await server.signUp()
  const path = `/api/newsletters/${await server.createNewsletter(owner)}`
  const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
  let turn = 0
  const post = (to: string, body: object) => (ip: string) => ask(owner, ip, { path: `${path}${to}`, body })
  const first = await post('/publications', { title: 'One' })('192.0.2.1')
  const acts = {
    newsletters: (ip: string) => ask(owner, ip),
    publications: post('/publications', { title: 'Two' }),
    links: post('/links', { target: 'https://example.org/' }),
    apiKeys: post('/api-keys', { name: 'form', role: 'editor' }),
    uploads: (ip: string) =>
      uploadImage(
        { inject: ((request: object) => server.inject({ ...request, remoteAddress: ip })) as TestApp['inject'] },
        { path, cookie: owner.cookie, data: picture, name: 'a.png', type: 'image/png' },
      ),
    invitations: (ip: string) => post('/invitations', { email: `n${++turn}@example.org`, role: 'editor' })(ip),
  } satisfies Record<keyof typeof limitsOfNetworks, unknown>
  const status = async (act: (ip: string) => ReturnType<typeof ask>, ip: string) => (await act(ip)).statusCode
  for (const [made, act] of Object.entries(acts)) {
    expect([made, await status(act, '192.0.2.9')]).toEqual([made, 200])
    const points = limitsOfNetworks[made as keyof typeof acts].unproven
    await sql`update rate_limit set points = ${points} where key like ${`${made} of unproven:%`}`.execute(
      server.context.db,
    )
    expect([made, await status(act, '192.0.2.9'), await status(act, '192.0.2.10')]).toEqual([made, 429, 200])
  }
  const copy = post(`/publications/${first.json().id}/duplicate`, {})
  expect(await status(copy, '192.0.2.9')).toBe(429)
  await server.confirm(owner)
  for (const [made, act] of Object.entries({ ...acts, copy }))
    expect([made, await status(act, '192.0.2.9')]).toEqual([made, 200])
})

test('an unproven owner has ten open invitations, and room again when one is withdrawn', async () => {
  const owner = await server.signUp()
  const path = `/api/newsletters/${await server.createNewsletter(owner)}/invitations`
  const invite = (n: number) => owner.call('POST', path, { email: `open${n}@example.org`, role: 'editor' })
  const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => invite(n)))
  const made = answers.filter(({ statusCode }) => statusCode === 200)
  expect(made).toHaveLength(10)
  const [refused] = answers.filter(({ statusCode }) => statusCode !== 200)
  expect(refused?.json().error).toMatchObject({
    code: 'too_many_invitations',
    message: expect.stringMatching(/10 open invitations.*Confirm your email address/),
  })
  await owner.call('DELETE', `${path}/${made[0]?.json().id}`)
  expect((await invite(20)).statusCode).toBe(200)
})

test('a second process counts invitations and mails with the first', async () => {
  const owner = await server.signUp()
  await server.confirm(owner)
  const path = `/api/newsletters/${await server.createNewsletter(owner)}/invitations`
  const codes: number[] = []
  for (let n = 0; n < 32; n += 1) {
    const body = { email: `both${n}@example.org`, role: 'editor' }
    codes.push((await ask(owner, '192.0.2.20', { path, body, at: n % 2 ? second : server })).statusCode)
  }
  expect(codes).toEqual([...Array(30).fill(200), 429, 429])
})
