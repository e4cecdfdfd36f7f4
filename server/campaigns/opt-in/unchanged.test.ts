import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestNewsletter, type TestNewsletter } from '../../testing/newsletter.ts'
import { addOptInCampaign, pressOnOptIn } from '../../testing/opt-in.ts'
import { OptInCodes } from './address.ts'
import { typedLinks } from './typed-links.ts'

let server: TestNewsletter
let campaignId: string
let undecided: string
let decided: string
let list: string
beforeAll(async () => {
  server = await startTestNewsletter()
  campaignId = await addOptInCampaign(server)
  ;[undecided = '', decided = ''] = await server.addSubscribers(['undecided@example.org', 'decided@example.org'])
  await pressOnOptIn(server, { campaignId, subscriberId: decided, act: 'yes' })
  const made = await server.owner.call('POST', `${server.path}/opt-in-campaigns/${campaignId}/list-links`, { days: 7 })
  list = new URL(made.json().listLinks[0].url).pathname
  await server.work()
})
afterAll(() => server?.stop())

const signed = (id: string) => `/optin/${campaignId}?k=${new OptInCodes(server.context).code(id)}`
function confirming(email: string): string {
  const link = { newsletterId: server.newsletterId, campaignId, email, language: 'en', shortLinkId: 'none' } as const
  return `/optin/${campaignId}/confirm/${typedLinks(server.context.sealer).make(link, new Date())}`
}

/** A hash of all rows of each table, jobs too. That a page was visited is written down, in the tables of clicks. */
async function everything(): Promise<Record<string, string | null>> {
  const { db } = server.context
  const { rows } = await sql<{ schema: string; name: string }>`
    select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and (n.nspname = 'public' and c.relname !~ '^(click|link_|user_agent)'
      or n.nspname = 'graphile_worker' and c.relname = '_private_jobs') order by 1, 2`.execute(db)
  const hashes: Record<string, string | null> = {}
  for (const { schema, name } of rows) {
    const table = sql.id(schema, name)
    const { rows: found } = await sql<{ hash: string | null }>`
      select md5(string_agg(t::text, ' ' order by t::text)) as hash from ${table} t`.execute(db)
    hashes[name] = found[0]?.hash ?? null
  }
  return hashes
}

test.each<[string, () => string]>([
  ['the page for a stranger', () => `/optin/${campaignId}`],
  ['the page by a link of a mail', () => signed(undecided)],
  ['the page by a link of a mail, after a yes', () => signed(decided)],
  ['the link of the button that says no', () => `${signed(undecided)}&said=no`],
  ['an address with the name of an act', () => `${signed(undecided)}&act=yes&version=1&words=en`],
  ['an address that takes back', () => `${signed(decided)}&act=undo&said=undone`],
  ['the page by a link that was mailed to a typed address', () => confirming('new@example.org')],
  ['the same for a subscriber', () => confirming('undecided@example.org')],
  ['the same after a yes', () => confirming('decided@example.org')],
  ['the list of a sponsor', () => list],
  ['its file', () => `${list}/confirmed.csv`],
  ['what was taken back', () => `${list}/withdrawn.csv`],
])('opening %s changes nothing', async (_page, url) => {
  const before = await everything()
  expect(Object.keys(before)).toEqual(expect.arrayContaining(['opt_in', 'consent', 'subscriber', '_private_jobs']))
  for (const method of ['GET', 'HEAD'] as const)
    expect((await server.app.inject({ method, url: url() })).statusCode).toBe(200)
  expect(await everything()).toEqual(before)
})
