import type { Condition, Filter } from '../segments/filter/contract.ts'

/** A subscriber with everything that a filter can ask about. */
export interface KnownSubscriber {
  id: string
  email: string
  name: string | null
  language: 'en' | 'fr'
  pace: 'every' | 'weekly' | 'monthly'
  status: 'pending' | 'active' | 'unsubscribed' | 'bounced' | 'complained'
  source: string
  createdAt: Date
  confirmedAt: Date | null
  fields: Record<string, unknown>
  tags: number[]
  plans: { plan: number; until: Date }[]
  deliveries: { publication: string; sentAt: Date; accepted: boolean; openedAt: Date | null }[]
  /** Campaigns that they said yes to. */
  yeses: { campaign: string; stands: boolean }[]
  clicks: { publication: string | null; link: string; at: Date; human: boolean }[]
}

interface Setting {
  timezone: string
  now: Date
}

/** Whether a subscriber fits a filter, read as an owner would read it: the slow reference for `segments/condition.ts`. */
export function fits(filter: Filter, subscriber: KnownSubscriber, setting: Setting): boolean {
  if ('all' in filter) return filter.all.every((part) => fits(part, subscriber, setting))
  if ('any' in filter) return filter.any.some((part) => fits(part, subscriber, setting))
  if ('not' in filter) return !filter.not.some((part) => fits(part, subscriber, setting))
  return holds(filter, subscriber, setting)
}

function holds(condition: Condition, subscriber: KnownSubscriber, setting: Setting): boolean {
  switch (condition.on) {
    case 'email':
    case 'source':
      return textHolds(subscriber[condition.on], condition)
    case 'name':
      return 'value' in condition ? textHolds(subscriber.name, condition) : presenceHolds(subscriber.name, condition.op)
    case 'language':
    case 'pace':
    case 'status':
      return (subscriber[condition.on] === condition.value) === (condition.op === 'is')
    case 'tag':
      return subscriber.tags.includes(condition.tag) === (condition.op === 'has')
    case 'plan': {
      const open = subscriber.plans.filter(({ until }) => until.getTime() > setting.now.getTime())
      const has = open.some(({ plan }) => condition.plan === 'any' || plan === condition.plan)
      return has === (condition.op === 'has')
    }
    case 'field':
      return fieldHolds(condition, subscriber)
    case 'joined':
      return joinedHolds(condition, subscriber, setting)
    case 'link':
      return subscriber.clicks.some(({ link, human }) => human && link === condition.link) === (condition.op === 'did')
    case 'campaign':
      return (
        subscriber.yeses.some(({ campaign, stands }) => stands && campaign === condition.campaign) ===
        (condition.op === 'did')
      )
    default:
      return didIt(condition, subscriber, setting.now) === (condition.op === 'did')
  }
}

/** Simple case mapping (Unicode section 3.13, toLowercase of one character at a time), as PostgreSQL’s built-in C.UTF-8 has it. */
const lower = (text: string) => Array.from(text, (character) => [...character.toLowerCase()][0] ?? '').join('')

function textHolds(text: string | null, { op, value }: { op: string; value: string }): boolean {
  const [has, asked] = [text === null ? null : lower(text), lower(value)]
  switch (op) {
    case 'is':
      return has === asked
    case 'is_not':
      return has !== asked
    case 'contains':
      return has?.includes(asked) ?? false
    case 'contains_not':
      return !(has?.includes(asked) ?? false)
    default:
      return has?.startsWith(asked) ?? false
  }
}

const presenceHolds = (value: unknown, op: 'empty' | 'filled'): boolean =>
  (value === null || value === undefined || value === '') === (op === 'empty')

const types = { text: 'string', choice: 'string', date: 'string', number: 'number', yes_no: 'boolean' }

function fieldHolds(condition: Extract<Condition, { on: 'field' }>, { fields }: KnownSubscriber): boolean {
  const stored = fields[condition.field]
  const value = typeof stored === types[condition.kind] ? stored : undefined
  if ('from' in condition) {
    if (condition.kind === 'number')
      return typeof value === 'number' && value >= condition.from && value <= condition.to
    return typeof value === 'string' && value >= condition.from && value <= condition.to
  }
  if (!('value' in condition)) return presenceHolds(value, condition.op)
  switch (condition.kind) {
    case 'number':
      if (condition.op === 'is_not') return value !== condition.value
      if (typeof value !== 'number') return false
      if (condition.op === 'is') return value === condition.value
      return condition.op === 'less' ? value < condition.value : value > condition.value
    case 'yes_no':
      return value === condition.value
    case 'date':
      return dayHolds(typeof value === 'string' ? value : null, condition)
    default:
      return textHolds(typeof value === 'string' ? value : null, condition)
  }
}

function dayHolds(day: string | null, { op, value }: { op: string; value: string }): boolean {
  if (day === null) return false
  if (op === 'is') return day === value
  return op === 'before' ? day < value : day > value
}

function joinedHolds(
  condition: Extract<Condition, { on: 'joined' }>,
  { confirmedAt, createdAt }: KnownSubscriber,
  { now, timezone }: Setting,
): boolean {
  const at = confirmedAt ?? createdAt
  if ('days' in condition) return isWithin(at, condition.days, now) === (condition.op === 'within')
  const day = new Intl.DateTimeFormat('sv', { timeZone: timezone }).format(at)
  return condition.op === 'between' ? day >= condition.from && day <= condition.to : dayHolds(day, condition)
}

const isWithin = (at: Date, days: number, now: Date): boolean => at.getTime() > now.getTime() - days * 86_400_000

type Behaviour = Extract<Condition, { on: 'received' | 'opened' | 'clicked' }>

function didIt(condition: Behaviour, { deliveries, clicks }: KnownSubscriber, now: Date): boolean {
  const isMeant = ({ publication }: { publication: string | null }) =>
    !('publication' in condition) || publication === condition.publication
  const isRecent = (at: Date) => !('days' in condition) || isWithin(at, condition.days, now)
  switch (condition.on) {
    case 'received':
      return deliveries.some((each) => each.accepted && isMeant(each) && isRecent(each.sentAt))
    case 'opened':
      return deliveries.some((each) => each.openedAt !== null && isMeant(each) && isRecent(each.openedAt))
    case 'clicked':
      return clicks.some((each) => each.human && isMeant(each) && isRecent(each.at))
  }
}
