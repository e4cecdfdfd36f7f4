import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listCampaigns, stateOf } from '../campaigns/opt-in/queries.ts'
import { listOf } from '../campaigns/recommendations/recommendations.ts'
import { renewRemoteNewslettersJob } from '../campaigns/recommendations/remote/renew.job.ts'
import type { Context } from '../context.ts'
import { excludedBy, factsOf } from '../links/human.ts'
import { dueSince } from '../sponsorship/report/report.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { wallClock } from '../wall-clock.ts'
import { demoOwner } from './owner.ts'
import { seed } from './seed.ts'

const SUBSCRIBERS = 600
let server: TestApp
let context: Context

beforeAll(async () => {
  server = await startTestApp()
  context = server.context
  await seed(context, { subscribers: SUBSCRIBERS })
  // Its pictures are drawn and read by processes of their own, one after the other.
}, 180_000)

afterAll(() => server.stop())

test('makes an owner, as many subscribers as asked for, and an eighth of that for the second newsletter', async () => {
  const { rows } = await sql<{ name: string; subscribers: number; role: string; email: string }>`
    select n.name, (select count(*)::int from subscriber s where s.newsletter_id = n.id) as subscribers, m.role, u.email
    from newsletter n join member m on m.newsletter_id = n.id join "user" u on u.id = m.user_id order by n.name desc`.execute(
    context.db,
  )
  expect(rows).toEqual([
    { name: 'Low Water', subscribers: SUBSCRIBERS, role: 'owner', email: demoOwner.email },
    { name: 'Le Quart d’heure', subscribers: SUBSCRIBERS / 8, role: 'owner', email: demoOwner.email },
  ])
})

test('the daily counts add up to the active subscribers, and the counts of every sending add up', async () => {
  const { rows } = await sql<{ active: number; counted: number }>`
    select (select count(*)::int from subscriber where newsletter_id = n.id and status = 'active') as active,
      (select sum(joined - departed)::int from daily_count where newsletter_id = n.id) as counted
    from newsletter n`.execute(context.db)
  for (const { active, counted } of rows) expect(counted).toBe(active)
  const sent = await sql<{ intended: number; accepted: number; deliveries: number; opened: number }>`
    select coalesce(c.intended, 0) as intended, coalesce(c.accepted, 0) as accepted, (select count(*)::int from delivery d where d.publication_id = p.id) as deliveries,
      (select count(*)::int from event e where e.publication_id = p.id and e.kind = 'opened') as opened
    from publication_status s join publication p on p.id = s.publication_id
      left join publication_count c on c.publication_id = p.id where s.status = 'sent'`.execute(context.db)
  expect(sent.rows).toHaveLength(18)
  for (const { intended, accepted, deliveries, opened } of sent.rows) {
    expect(deliveries).toBe(intended)
    expect(opened).toBeLessThanOrEqual(accepted)
  }
})

test('nobody received what was sent before they confirmed, or after they unsubscribed', async () => {
  const { rows } = await sql<{ wrong: number }>`
    select count(*)::int as wrong from delivery d join sending p on p.id = d.sending_id
      join subscriber s on s.newsletter_id = d.newsletter_id and s.id = d.subscriber_id
    where s.confirmed_at >= p.started_at or s.left_at <= p.started_at`.execute(context.db)
  expect(rows).toEqual([{ wrong: 0 }])
})

test('the copies of whoever was suppressed by hand were so from that day on', async () => {
  const { rows } = await sql<{ copies: number; wrong: number }>`
    select count(*)::int as copies,
      count(*) filter (where (d.state = 'suppressed') <> (u.at < p.started_at))::int as wrong
    from delivery d join sending p on p.id = d.sending_id
      join subscriber s on s.newsletter_id = d.newsletter_id and s.id = d.subscriber_id
      join suppression u on u.newsletter_id = s.newsletter_id and u.email_normalised = s.email_normalised
    where u.reason = 'by_hand' and d.state in ('suppressed', 'accepted')`.execute(context.db)
  expect(rows).toEqual([{ copies: expect.any(Number), wrong: 0 }])
  expect(rows[0]?.copies).toBeGreaterThan(10)
})

test('clicks of people and machines have what the published rules judge them by, and these exclude the same ones again', async () => {
  const { rows } = await sql<{ excluded_by: string | null; agent: string | null; signs: number }>`
    select distinct c.excluded_by, u.agent, c.signs from click c left join user_agent u on u.id = c.agent_id`.execute(
    context.db,
  )
  for (const { excluded_by, agent, signs } of rows)
    if (excluded_by !== 'burst' && excluded_by !== 'canary')
      expect(excludedBy(factsOf(agent ?? '', signs))).toBe(excluded_by)
  const rules = new Set(rows.map(({ excluded_by }) => excluded_by))
  expect([...rules]).toEqual(
    expect.arrayContaining([
      ...[null, 'head', 'prefetch', 'no-agent', 'scanner', 'bot', 'data-centre', 'burst', 'canary'],
    ]),
  )
})

test('links of the owner’s own making are open, ended with a fallback, and disabled; their visits have devices, sites and countries', async () => {
  const { rows } = await sql<{ standing: string; fallbacks: number; tagged: number }>`
    select case when disabled_at is not null then 'disabled' when expires_at < now() then 'ended' else 'open' end as standing,
      count(fallback)::int as fallbacks, count(*) filter (where target like '%utm_source=%')::int as tagged
    from short_link where publication_id is null and target not like '%/optin/%' group by 1 order by 1`.execute(
    context.db,
  )
  expect(rows).toEqual([
    { standing: 'disabled', fallbacks: 0, tagged: 0 },
    { standing: 'ended', fallbacks: 1, tagged: 1 },
    { standing: 'open', fallbacks: 0, tagged: 3 },
  ])
  const seen = await sql<{ link: string; devices: number; sites: number; countries: number; late: number }>`
    select l.id as link, count(distinct c.device)::int as devices, count(distinct c.referrer)::int as sites,
      count(distinct c.country)::int as countries,
      count(*) filter (where c.at < l.created_at or c.at > least(l.expires_at, l.disabled_at, now()))::int as late
    from click c join short_link l on l.newsletter_id = c.newsletter_id and l.id = c.short_link_id
    where l.id in ('mastodon', 'press', 'foire-audierne') group by 1 order by 1`.execute(context.db)
  expect(seen.rows.map(({ late }) => late)).toEqual([0, 0, 0])
  expect(seen.rows[1]).toMatchObject({ link: 'mastodon', devices: 4, sites: 3 })
  expect(seen.rows[1]?.countries).toBeGreaterThan(5)
  const templates = await sql<{ name: string }>`select name from utm_template`.execute(context.db)
  expect(templates.rows).toHaveLength(3)
})

test('campaigns are in each of their states, and no yes is of another time', async () => {
  const now = new Date()
  const campaigns = await listCampaigns(context.db, 'LowWater7x')
  expect(campaigns.map((campaign) => `${campaign.beneficiary} ${stateOf(campaign, now)}`).toSorted()).toEqual([
    'newsletter draft',
    'newsletter ended',
    'newsletter full',
    'newsletter running',
    'other_newsletter running',
    'sponsor running',
    'sponsor withdrawn',
  ])
  for (const { words } of campaigns) expect(Object.keys(words).toSorted()).toEqual(['en', 'fr'])
  const { rows } = await sql<{ yeses: number; wrong: number; unseen: number; elsewhere: number }>`
    select count(*)::int as yeses, count(*) filter (where o.confirmed_at < c.starts_at
        or o.confirmed_at > least(c.ends_at, c.withdrawn_at, now()) or o.undone_at < o.confirmed_at)::int as wrong,
      count(*) filter (where l.publication_id is null and o.campaign_id <> 'QuartToo42' and not exists (select from click k
        where k.newsletter_id = o.newsletter_id and k.short_link_id = o.short_link_id and k.excluded_by is null
          and k.at between o.confirmed_at - interval '9 minutes' and o.confirmed_at))::int as unseen,
      count(*) filter (where o.subscribed and not exists (select from subscriber s join subscriber t on t.email_normalised = s.email_normalised
        where s.newsletter_id = o.newsletter_id and s.id = o.subscriber_id and t.newsletter_id = 'QuartHeure'))::int as elsewhere
    from opt_in o join campaign c on c.newsletter_id = o.newsletter_id and c.id = o.campaign_id
      join short_link l on l.newsletter_id = o.newsletter_id and l.id = o.short_link_id`.execute(context.db)
  expect(rows[0]).toMatchObject({ wrong: 0, unseen: 0, elsewhere: 0 })
  expect(rows[0]?.yeses).toBeGreaterThan(100)
})

test('receipts say how each yes came: by the signed link of a mail, or by an address that was typed and confirmed', async () => {
  const { rows } = await sql<{ means: string; proof: string; n: number }>`
    select r.means, split_part(r.proof, ' link', 1) as proof, count(*)::int as n from consent r
    where r.purpose like 'campaign %' and r.act = 'given' group by 1, 2 order by 1`.execute(context.db)
  expect(rows).toMatchObject([
    { means: 'campaign', proof: 'signed' },
    { means: 'confirmation', proof: 'encrypted' },
  ])
  for (const { n } of rows) expect(n).toBeGreaterThan(30)
})

test('what came of recommendations is the sum of those who came by them, and one is of another server', async () => {
  const { rows } = await sql<{
    remote: boolean
    shown: number
    chosen: number
    confirmed: number
    of: number
    people: number
    waiting: number
  }>`
    select r.to_newsletter_id is null as remote, sum(c.shown)::int as shown, sum(c.chosen)::int as chosen, sum(c.confirmed)::int as confirmed,
      sum(c.due)::int as of, (select count(*)::int from subscriber s where s.newsletter_id = r.to_newsletter_id
        and s.source = 'recommendation' and s.confirmed_at is not null) as people,
      (select count(*)::int from recommendation_yes y where y.from_newsletter_id = r.newsletter_id and y.campaign_id = r.id) as waiting
    from recommendation r join recommendation_count c on c.newsletter_id = r.newsletter_id and c.campaign_id = r.id
    group by r.newsletter_id, r.id order by 1`.execute(context.db)
  expect(rows.map(({ remote }) => remote)).toEqual([false, false, true])
  for (const { remote, shown, chosen, confirmed, of, people, waiting } of rows) {
    expect(confirmed).toBe(people)
    expect(of + waiting).toBe(confirmed)
    expect(chosen).toBeGreaterThanOrEqual(confirmed)
    expect(shown).toBeGreaterThanOrEqual(chosen)
    if (!remote) expect(Math.min(of, waiting)).toBeGreaterThan(0)
  }
})

test('the newsletter of another server, which nobody can ask, says so and stays shown', async () => {
  const later = { ...context, now: () => new Date(Date.now() + 400 * 86_400_000) }
  await renewRemoteNewslettersJob(later)({}, {} as never)
  const first = await context.db
    .selectFrom('newsletter')
    .select('id')
    .where('name', '=', 'Low Water')
    .executeTakeFirstOrThrow()
  const rows = await listOf(later, first.id, {})
  expect(rows.filter(({ remote }) => remote)).toMatchObject([
    { name: 'Night Ferry', state: 'shown', remote: { isDemo: true } },
  ])
  const asked = await context.db.selectFrom('remote_newsletter').select('failures').execute()
  expect(asked).toEqual([{ failures: 0 }])
})

test('bookings went each way that they can go, and one invoice is owed', async () => {
  const { rows } = await sql<{ state: string; named: boolean }>`
    select state, bool_and(contact <> '') as named from booking group by 1 order by 1`.execute(context.db)
  // On the day of a letter, what ran in the one before has had its week, and is reported.
  const newest = await sql<{ isOfThisWeek: boolean }>`
    select max(b.ran_at) > ${dueSince(context.now())} as "isOfThisWeek" from booking b`.execute(context.db)
  expect(rows.map(({ state }) => state)).toEqual([
    ...['approved', 'cancelled', 'creative_in', 'declined', 'expired', 'invoiced', 'made_good', 'paid'],
    ...(newest.rows[0]?.isOfThisWeek ? ['ran'] : []),
    ...['refunded', 'reported', 'requested'],
  ])
  for (const { named } of rows) expect(named).toBe(true)
  const owed = await sql<{ n: number }>`
    select count(*)::int as n from booking where paid_at is null and invoiced_at < now() - interval '30 days' and state = 'reported'`.execute(
    context.db,
  )
  expect(owed.rows).toEqual([{ n: 1 }])
})

test('the first newsletter sells: each state is there, cards are in test mode, and figures count what is paid outside', async () => {
  const { rows } = await sql<{ way: string; test: boolean; status: string; n: number }>`
    select way, test, status, count(*)::int as n from subscription group by 1, 2, 3 order by 1, 2, 3`.execute(
    context.db,
  )
  const states = rows.map(({ way, status }) => `${way} ${status}`)
  expect(states).toEqual(
    expect.arrayContaining([
      ...['card active', 'card ended', 'card past_due', 'card trialing'],
      ...['complimentary active', 'gift active', 'outside active', 'outside ended'],
    ]),
  )
  for (const { way, test } of rows) expect(test).toBe(way === 'card')
  const counted = await sql<{ amount: number; outside: number; newsletters: number; kinds: string[] }>`
    select (select sum(amount) from payment_count where span = 'day') as amount,
      (select sum(amount) from payment where not test) as outside,
      (select count(distinct newsletter_id) from payment) as newsletters,
      (select array_agg(distinct kind order by kind) from revenue_change where not test) as kinds`.execute(context.db)
  const [figures] = counted.rows
  expect(figures?.amount).toBe(figures?.outside)
  expect(figures?.newsletters).toBe(1)
  expect(figures?.kinds).toEqual(expect.arrayContaining(['churn', 'new']))
})

test('nobody buys before they subscribed, and who pays reads', async () => {
  const { rows } = await sql<{ early: number; late: number; locked: number }>`
    select count(*) filter (where s.started_at < p.confirmed_at)::int as early, count(*) filter (where s.started_at > now())::int as late,
      count(*) filter (where s.status in ('active', 'trialing', 'past_due') and not exists (select from entitlement e
        where e.newsletter_id = s.newsletter_id and e.subscriber_id = s.subscriber_id and e.plan_id = s.plan_id and e.until > now()))::int as locked
    from subscription s join subscriber p on p.newsletter_id = s.newsletter_id and p.id = s.subscriber_id`.execute(
    context.db,
  )
  expect(rows).toEqual([{ early: 0, late: 0, locked: 0 }])
})

test('what sponsors bought ran: final reports have their figures, and one that is not final is read live', async () => {
  const { rows } = await sql<{ state: string; reports: number; human: number; clicks: number }>`
    select b.state, count(r.booking_id)::int as reports, sum((r.figures -> 'clicks' ->> 'human')::int)::int as human,
      sum((select sum(l.human) from link_clicks_by_source l where l.newsletter_id = b.newsletter_id and l.short_link_id = b.short_link_id))::int as clicks
    from booking b left join booking_report r on r.newsletter_id = b.newsletter_id and r.booking_id = b.id
    where b.ran_at is not null group by 1 order by 1`.execute(context.db)
  const reported = rows.find(({ state }) => state === 'reported')
  expect(rows.map(({ state }) => state)).toEqual(expect.arrayContaining(['refunded', 'reported']))
  expect(reported?.reports).toBeGreaterThan(8)
  expect(reported?.human).toBeGreaterThan(20)
  expect(reported?.human).toBeLessThanOrEqual(reported?.clicks ?? 0)
  for (const { state, reports } of rows) expect(reports > 0).toBe(state !== 'ran')
  // On the day after which the newest has had its week, its sponsors get no mail of the demo's beginning.
  const ran = context.db.selectFrom('booking').select('id').where('state', '=', 'ran')
  expect(await ran.where('ran_at', '<=', dueSince(context.now())).execute()).toEqual([])
})

test('each yes to a campaign has its receipt, and so has each that was taken back', async () => {
  const { rows } = await sql<{ yeses: number; undone: number; given: number; withdrawn: number; without: number }>`
    select (select count(*)::int from opt_in) as yeses, (select count(undone_at)::int from opt_in) as undone,
      count(*) filter (where act = 'given')::int as given, count(*) filter (where act = 'withdrawn')::int as withdrawn,
      (select count(*)::int from opt_in o where not exists (select from consent r where r.newsletter_id = o.newsletter_id
        and r.subscriber_id = o.subscriber_id and r.purpose = 'campaign ' || o.campaign_id and r.at = date_trunc('milliseconds', o.confirmed_at)
        and r.language = o.language and r.wording_version = o.version::text)) as without
    from consent where purpose like 'campaign %'`.execute(context.db)
  const [figures] = rows
  expect(figures?.yeses).toBeGreaterThan(50)
  expect(figures).toMatchObject({ given: figures?.yeses, withdrawn: figures?.undone, without: 0 })
})

test('all addresses are of domains that cannot exist', async () => {
  const { rows } = await sql`select email from subscriber where email !~ '\.(example|invalid)$'`.execute(context.db)
  expect(rows).toEqual([])
})

test('seeding again changes nothing', async () => {
  const before = await context.db
    .selectFrom('subscriber')
    .select(({ fn }) => fn.countAll().as('n'))
    .executeTakeFirst()
  expect(await seed(context, { subscribers: 5 })).toMatchObject({ created: false })
  const after = await context.db
    .selectFrom('subscriber')
    .select(({ fn }) => fn.countAll().as('n'))
    .executeTakeFirst()
  expect(after).toEqual(before)
})

test('whatever ran stands in the page and in the mail of the letter of its day, and nothing else does', async () => {
  const owner = await server.signIn(demoOwner.email, demoOwner.password)
  const { rows } = await sql<{ id: string; slug: string; sponsors: string[] }>`
    select p.id, p.slug, coalesce(array_agg(b.creative ->> 'name' order by b.creative ->> 'name') filter (where b.id is not null), '{}') as sponsors
    from publication p join newsletter n on n.id = p.newsletter_id
      left join booking b on b.newsletter_id = p.newsletter_id and b.ran_at is not null
        and b.day = (p.published_at at time zone n.timezone)::date and (b.publication_id is null or b.publication_id = p.id)
    where n.handle = 'low-water' and p.published_at is not null group by p.id, p.slug`.execute(context.db)
  const ran = await context.db.selectFrom('booking').select('creative').where('ran_at', 'is not', null).execute()
  expect(rows.flatMap(({ sponsors }) => sponsors)).toHaveLength(ran.length)
  const all = [...new Set(rows.flatMap(({ sponsors }) => sponsors))].toSorted()
  expect(all.length).toBeGreaterThan(5)
  const namedIn = (html: string) => all.filter((name) => html.replaceAll('&amp;', '&').includes(name))
  for (const { id, slug, sponsors } of rows) {
    const page = await server.stranger('GET', `/n/low-water/${slug}`)
    expect(namedIn(page.body), slug).toEqual(sponsors)
    const asked = { reader: 'free' }
    const preview = await owner.call('POST', `/api/newsletters/LowWater7x/publications/${id}/preview`, asked)
    const { email, text } = preview.json<{ email: string; text: string }>()
    expect([namedIn(email), namedIn(text)], slug).toEqual([sponsors, sponsors])
  }
})

test('what a sponsor says stands by itself, for their name is a line of its own', async () => {
  const { rows } = await sql<{ text: string }>`
    select creative ->> 'text' as text from booking where creative is not null
    union select w.value ->> 'text' from house_campaign, jsonb_each(words) w`.execute(context.db)
  expect(rows.length).toBeGreaterThan(5)
  for (const { text } of rows) expect(text).toMatch(/^\p{Lu}.*[.!?]$/u)
})

test('letters went out at the hour that the newsletter promises, and so ran what stands in them', async () => {
  const { rows } = await sql<{ handle: string; timezone: string; at: Date }>`
    select n.handle, n.timezone, p.published_at as at from publication p join newsletter n on n.id = p.newsletter_id
    where p.published_at is not null
    union all select n.handle, n.timezone, b.ran_at from booking b join newsletter n on n.id = b.newsletter_id
    where b.publication_id is not null`.execute(context.db)
  const hours = rows.map(({ handle, timezone, at }) => `${handle} ${new Date(wallClock(at, timezone)).getUTCHours()}`)
  expect([...new Set(hours)].toSorted()).toEqual(['low-water 7', 'quart-d-heure 12'])
})

test('the page of a campaign is listed by the name of the campaign', async () => {
  const { rows } = await sql<{ campaign: string; page: string }>`
    select c.name as campaign, l.name as page from opt_in_campaign o
      join campaign c on c.newsletter_id = o.newsletter_id and c.id = o.id
      join short_link l on l.newsletter_id = o.newsletter_id and l.id = o.short_link_id`.execute(context.db)
  expect(rows.length).toBeGreaterThan(5)
  for (const { campaign, page } of rows) expect(page).toBe(campaign)
})

test('the newest publication carries the sponsors that ran in it, and the next one those who are to', async () => {
  const { rows } = await sql<{ state: string; names: string[] | null; slots: number; scheduled: number }>`
    select p.state, jsonb_path_query_array(p.content, '$.content[*] ? (@.type == "sponsorSlot").attrs.filled[*].name') as names,
      jsonb_array_length(p.sponsor_slots) as slots, (select count(*)::int from booking b join newsletter n on n.id = b.newsletter_id
        where b.newsletter_id = p.newsletter_id and b.state = 'approved' and (p.scheduled_at at time zone n.timezone)::date = b.day) as scheduled
    from publication p where p.sponsor_slots <> '[]' order by p.state, p.published_at`.execute(context.db)
  expect([...new Set(rows.map(({ state }) => state))]).toEqual(['draft', 'published', 'scheduled'])
  expect(rows.at(-2)?.names).toEqual(['Sillon Charts', 'Atelier Morvan'])
  expect(rows.at(-1)).toMatchObject({ names: [], slots: 2, scheduled: 1 })
})
