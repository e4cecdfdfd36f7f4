import { isbot } from 'isbot'

/** What is known about the sender of a request. */
export interface ClickFacts {
  method: string
  /** The User-Agent header; empty when there is none. */
  agent: string
  /** The headers Sec-Purpose, Purpose, X-Purpose and X-Moz, joined. Browsers and mail programs announce a prefetch in them. */
  purpose: string
  /** Whether the address is from a test mail. */
  test: boolean
}

export type Device = 'phone' | 'tablet' | 'desktop' | 'other'

/** Programs of mail providers and security firms that open links before a person sees them. */
const SCANNERS =
  /barracuda|proofpoint|mimecast|ironport|fireeye|trendmicro|sophos|symantec|forcepoint|safelinks|microsoft office existence|ms-office|msoffice|officebot|googleimageproxy|yahoomailproxy|google-safety|bitdefender|urldefense|virustotal|zscaler|paloalto|netcraft|checkmarknetwork|inspectbrowser/i

const rules = [
  { name: 'test', matches: ({ test }) => test },
  { name: 'head', matches: ({ method }) => method !== 'GET' },
  { name: 'prefetch', matches: ({ purpose }) => /prefetch|prerender|preview/i.test(purpose) },
  { name: 'no-agent', matches: ({ agent }) => agent.trim() === '' },
  { name: 'scanner', matches: ({ agent }) => SCANNERS.test(agent) },
  { name: 'bot', matches: ({ agent }) => isbot(agent) },
] as const satisfies { name: string; matches(click: ClickFacts): boolean }[]

export type ExclusionRule = (typeof rules)[number]['name']
export const exclusionRules: readonly ExclusionRule[] = rules.map(({ name }) => name)

/** The first rule that excludes a click from the human ones, or null. docs/human-clicks.md publishes the rules in this order. */
export const excludedBy = (click: ClickFacts): ExclusionRule | null =>
  rules.find((rule) => rule.matches(click))?.name ?? null

/** The kind of device that the User-Agent header names, or `other`. */
export function deviceOf(agent: string): Device {
  if (/iPad|Tablet|PlayBook|Silk|Kindle/i.test(agent) || (/Android/i.test(agent) && !/Mobile/i.test(agent)))
    return 'tablet'
  if (/Mobi|iPhone|iPod|Android|Windows Phone/i.test(agent)) return 'phone'
  if (/Windows NT|Macintosh|X11|Linux|CrOS/i.test(agent)) return 'desktop'
  return 'other'
}
