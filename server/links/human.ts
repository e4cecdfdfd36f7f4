import { isbot } from 'isbot'
import { LRUCache } from 'lru-cache'

/**
 * The version of the rules. It rises whenever a click could be judged otherwise than before; docs/human-clicks.md publishes each version, and
 * `replay.job.ts` judges older clicks anew.
 */
export const RULES_VERSION = 2

/** What is known about a request for a link, and is kept so that other rules can judge it. */
export interface ClickFacts {
  /** The User-Agent header; empty when there is none. */
  agent: string
  /** Whether the address is from a test mail. */
  test: boolean
  /** Any method but GET. */
  notGet: boolean
  /** Whether it announced itself as a prefetch. */
  prefetched: boolean
  /** Whether it came from a network on the list of data centres, where there is one. */
  dataCentre: boolean
}

export type Device = 'phone' | 'tablet' | 'desktop' | 'other'

/** Programs of mail providers and security firms that open links before a person sees them. */
const SCANNERS =
  /barracuda|proofpoint|mimecast|ironport|fireeye|trendmicro|sophos|symantec|forcepoint|safelinks|microsoft office existence|ms-office|msoffice|officebot|googleimageproxy|yahoomailproxy|google-safety|bitdefender|urldefense|virustotal|zscaler|paloalto|netcraft|checkmarknetwork|inspectbrowser/i

interface AgentKind {
  scanner: boolean
  bot: boolean
  device: Device
}

/** Long patterns are searched once in each text: most readers have one of some hundreds. */
const kinds = new LRUCache<string, AgentKind>({ max: 5_000 })

function kindOf(agent: string): AgentKind {
  // Without noting the order of use, which costs more than to search a text once more.
  const known = kinds.peek(agent)
  if (known) return known
  const kind = { scanner: SCANNERS.test(agent), bot: isbot(agent), device: deviceIn(agent) }
  kinds.set(agent, kind)
  return kind
}

const rules = [
  { name: 'test', matches: ({ test }) => test },
  { name: 'head', matches: ({ notGet }) => notGet },
  { name: 'prefetch', matches: ({ prefetched }) => prefetched },
  { name: 'no-agent', matches: ({ agent }) => agent.trim() === '' },
  { name: 'scanner', matches: ({ agent }) => kindOf(agent).scanner },
  { name: 'bot', matches: ({ agent }) => kindOf(agent).bot },
  { name: 'data-centre', matches: ({ dataCentre }) => dataCentre },
] as const satisfies { name: string; matches(click: ClickFacts): boolean }[]

/** Rules about several clicks of one recipient in one mail. They are applied a moment later (`patterns.ts`). */
const patternRules = ['canary', 'burst'] as const

export type RequestRule = (typeof rules)[number]['name']
export type ExclusionRule = RequestRule | (typeof patternRules)[number]
export const exclusionRules: readonly ExclusionRule[] = [...rules.map(({ name }) => name), ...patternRules]

/** The first rule that excludes a click from the human ones, or null. docs/human-clicks.md publishes the rules in this order. */
export const excludedBy = (click: ClickFacts): RequestRule | null =>
  rules.find((rule) => rule.matches(click))?.name ?? null

const signs = { test: 1, notGet: 2, prefetched: 4, dataCentre: 8 } as const

/** Everything of the facts but the agent, as one number: the sum of 1 test, 2 not GET, 4 fetched in advance, 8 data centre. */
export const signsOf = ({ test, notGet, prefetched, dataCentre }: ClickFacts): number =>
  (test ? signs.test : 0) +
  (notGet ? signs.notGet : 0) +
  (prefetched ? signs.prefetched : 0) +
  (dataCentre ? signs.dataCentre : 0)

/** The facts that `signsOf` and the agent keep. */
export const factsOf = (agent: string, kept: number): ClickFacts => ({
  agent,
  test: (kept & signs.test) > 0,
  notGet: (kept & signs.notGet) > 0,
  prefetched: (kept & signs.prefetched) > 0,
  dataCentre: (kept & signs.dataCentre) > 0,
})

/** Whether the value of a header Sec-Purpose, Purpose, X-Purpose or X-Moz announces a prefetch. */
export const isPrefetch = (purpose: string): boolean => /prefetch|prerender|preview/i.test(purpose)

/** The kind of device that the User-Agent header names, or `other`. */
export const deviceOf = (agent: string): Device => kindOf(agent).device

function deviceIn(agent: string): Device {
  if (/iPad|Tablet|PlayBook|Silk|Kindle/i.test(agent) || (/Android/i.test(agent) && !/Mobile/i.test(agent)))
    return 'tablet'
  if (/Mobi|iPhone|iPod|Android|Windows Phone/i.test(agent)) return 'phone'
  if (/Windows NT|Macintosh|X11|Linux|CrOS/i.test(agent)) return 'desktop'
  return 'other'
}
