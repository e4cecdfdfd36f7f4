import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { Agents } from '../links/agents.ts'
import { type ClickFacts, deviceOf, type ExclusionRule, excludedBy, RULES_VERSION, signsOf } from '../links/human.ts'

/** Somebody, or a program, that follows links: what the published rules say of them, and what they keep to be judged again. */
interface Visitor {
  agent_id: number | null
  device: string
  signs: number
  excluded_by: ExclusionRule | null
}

/** Each is as frequent as it is often in its list. */
export interface Visitors {
  people: Visitor[]
  /** Whoever reads a code on paper. */
  phones: Visitor[]
  programs: Visitor[]
  /** Those that follow every link of a mail, within seconds of its delivery. */
  scanners: Visitor[]
}

interface Kind {
  agent: string
  facts?: Partial<ClickFacts>
  /** A rule about several clicks of one mail. No single request shows it. */
  pattern?: ExclusionRule
}

const apple = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const google = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const iPhone = `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${apple} Version/18.6 Mobile/15E148 Safari/604.1`
const android = `Mozilla/5.0 (Linux; Android 10; K) ${google} Chrome/141.0.0.0 Mobile Safari/537.36`
const samsung = `Mozilla/5.0 (Linux; Android 10; K) ${google} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`
const iPad = `Mozilla/5.0 (iPad; CPU OS 17_7 like Mac OS X) ${apple} Version/17.7 Mobile/15E148 Safari/604.1`
const mac = `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${apple} Version/18.6 Safari/605.1.15`
const windows = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${google} Chrome/141.0.0.0 Safari/537.36`
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:143.0) Gecko/20100101 Firefox/143.0'
const linux = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'

const of = (...agents: string[]): Kind[] => agents.map((agent) => ({ agent }))

const people = of(
  iPhone,
  iPhone,
  iPhone,
  iPhone,
  android,
  android,
  android,
  samsung,
  iPad,
  mac,
  mac,
  windows,
  windows,
  firefox,
  linux,
)
const phones = of(iPhone, iPhone, iPhone, android, android, samsung)
const programs: Kind[] = [
  ...of('Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)'),
  ...of('Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', 'facebookexternalhit/1.1', 'curl/8.9.1'),
  ...of(
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Mozilla/5.0 (compatible; Barracuda Sentinel (EE))',
  ),
  { agent: windows, facts: { notGet: true } },
  { agent: android, facts: { prefetched: true } },
  { agent: '' },
  { agent: windows, facts: { dataCentre: true } },
]
const scanners: Kind[] = [
  ...of('Mozilla/5.0 (compatible; Barracuda Sentinel (EE))', 'Mozilla/5.0 (compatible; Barracuda Sentinel (EE))'),
  ...of('Mimecast URL Protect/1.0', 'python-requests/2.32.3', ''),
  { agent: windows, facts: { notGet: true } },
  { agent: windows, facts: { dataCentre: true } },
  { agent: mac, facts: { prefetched: true } },
  { agent: windows, pattern: 'burst' },
  { agent: windows, pattern: 'canary' },
]

/** Stores what they say they are. Whom the rules exclude, and by which, the rules themselves say. */
export async function keepVisitors(db: Db): Promise<Visitors> {
  const agents = new Agents(db)
  const kept = async (kinds: Kind[]): Promise<Visitor[]> => {
    const ids = await agents.idsOf(kinds.map(({ agent }) => agent))
    return kinds.map(({ agent, facts, pattern }) => {
      const known = { agent, test: false, notGet: false, prefetched: false, dataCentre: false, ...facts }
      const excluded_by = excludedBy(known) ?? pattern ?? null
      return { agent_id: ids.get(agent) ?? null, device: deviceOf(agent), signs: signsOf(known), excluded_by }
    })
  }
  return {
    ...{ people: await kept(people), phones: await kept(phones) },
    ...{ programs: await kept(programs), scanners: await kept(scanners) },
  }
}

/** A uniform number from 0 to 1 that is always the same for a text. */
export const drawOf = (text: RawBuilder<unknown>) => sql<number>`((hashtextextended(${text}, 7) & 1048575) / 1048576.0)`

/** Joins one of the visitors, as `v`. */
export const oneOf = (visitors: Visitor[], draw: RawBuilder<number>) => sql`
  join jsonb_to_recordset(${JSON.stringify(visitors.map((visitor, place) => ({ place, ...visitor })))}::jsonb)
    as v (place integer, agent_id integer, device text, signs smallint, excluded_by text)
    on v.place = floor(${draw} * ${visitors.length}::integer)::integer`

/** One of the values, each as frequent as it is often in the list. Null is one that is not known. */
export const pick = (values: readonly (string | null)[], draw: RawBuilder<number>) =>
  sql`(${values}::text[])[1 + floor(${draw} * ${values.length}::integer)::integer]`

/** Where readers of a language are, and the computers of programs. ISO 3166-1. */
export const countries = {
  fr: ['FR', 'FR', 'FR', 'FR', 'FR', 'FR', 'FR', 'FR', 'BE', 'BE', 'CH', 'CA', null],
  en: ['GB', 'GB', 'GB', 'GB', 'GB', 'IE', 'IE', 'US', 'US', 'FR', 'FR', 'NL', 'CA', null],
  all: ['FR', 'FR', 'FR', 'FR', 'FR', 'GB', 'GB', 'GB', 'IE', 'IE', 'BE', 'CH', 'US', 'NL', null],
  programs: ['US', 'US', 'US', 'US', 'IE', 'DE', 'NL', 'FR', null],
} as const

const none = [null] as const

/** The pages from which people come. Programs that read mail name none. */
export const referrers = {
  mail: [null, null, null, null, null, null, null, 'mail.google.com', 'outlook.live.com', 'mail.yahoo.com'],
  web: [null, null, 'google.com', 'google.com', 'mastodon.social', 'bsky.app', 'duckduckgo.com', 'lowwater.example'],
  social: ['mastodon.social', 'mastodon.social', 'mastodon.social', 'bsky.app', 'facebook.com', null],
  paper: none,
} as const

export interface Visited {
  newsletterId: string
  link: string
  /** The first visit and the last one, in milliseconds since 1970. */
  from: number
  until: number
  by: keyof typeof referrers
  people: number
  programs: number
}

/** When somebody comes, by their number: more of them in the first days than later, and few at night. */
export function momentOf({ link, from, until }: Pick<Visited, 'link' | 'from' | 'until'>, n: RawBuilder<unknown>) {
  const [first, last] = [sql`${new Date(from)}::timestamptz`, sql`${new Date(until)}::timestamptz`]
  const at = sql`(${first} + (${last} - ${first}) * power(${drawOf(sql`${link}::text || ${n} || 'when'`)}, 2)::float8)`
  return sql`least(${last}, ${at} + case when extract(hour from ${at} at time zone 'utc') < 5 then interval '7 hours' else interval '0' end)`
}

/** The visits of a link that stands in no mail of ours. */
export async function insertVisits(db: Db, visitors: Visitors, visited: Visited): Promise<void> {
  const { newsletterId, link, by } = visited
  const draw = (question: string) => drawOf(sql`${link}::text || n || ${question}::text`)
  const insert = (who: Visitor[], count: number, { kind, from, at }: Coming) =>
    sql`
    insert into click (newsletter_id, short_link_id, at, excluded_by, device, agent_id, signs, referrer, country, rules)
    select ${newsletterId}, ${link}, ${at}, v.excluded_by, v.device, v.agent_id, v.signs,
      ${pick(from, draw('from'))}, ${pick(countries[kind], draw('country'))}, ${RULES_VERSION}::smallint
    from generate_series(1, ${count}::integer) n ${oneOf(who, draw(kind))}`.execute(db)
  const people = by === 'paper' ? visitors.phones : visitors.people
  await insert(people, visited.people, { kind: 'all', from: referrers[by], at: momentOf(visited, sql`n`) })
  const at = momentOf({ ...visited, link: `${link} programs` }, sql`n`)
  await insert(visitors.programs, visited.programs, { kind: 'programs', from: none, at })
}

interface Coming {
  kind: 'all' | 'programs'
  from: readonly (string | null)[]
  at: RawBuilder<unknown>
}
