import { z } from 'zod'
import { line } from '../../http/endpoint.ts'
import { languages } from '../../languages.ts'
import { paces, SubscriberStatus } from '../../subscribers/contract.ts'

/** What a newsletter can have, and how large it can be. docs/segments.md has the same numbers; a test compares them. */
export const segmentLimits = {
  tags: 500,
  /** On one subscriber. */
  tagsOfSubscriber: 100,
  fields: 50,
  choices: 100,
  segments: 200,
  /** Groups within groups, the outermost included. */
  depth: 5,
  conditions: 50,
} as const

/** The name of a field's values, in filters and in the API. */
export const FieldKey = z.string().regex(/^[a-z][a-z0-9_]{0,39}$/)
export const FieldKind = z.enum(['text', 'number', 'date', 'yes_no', 'choice'])

const Words = line(200)
const Day = z.iso.date()
const Days = z.int().min(1).max(3650)
const Amount = z.number().min(-1e15).max(1e15)
/** `is_not` and `contains_not` also hold for somebody without a value. Small and capital letters are the same. */
const TextOp = z.enum(['is', 'is_not', 'contains', 'contains_not', 'begins'])
const DayOp = z.enum(['is', 'before', 'after'])
const Presence = z.enum(['empty', 'filled'])
const Did = z.enum(['did', 'did_not'])
const Behaviour = z.enum(['received', 'opened', 'clicked'])

const field = { on: z.literal('field'), field: FieldKey }

/** Who only said yes to a campaign is in no segment. */
export const SegmentStatus = SubscriberStatus.exclude(['campaign_only'])

/** Days are those of the newsletter's timezone. Openings are estimates, and clicks are those of people (docs/human-clicks.md). */
export const Condition = z
  .union([
    z.strictObject({ on: z.enum(['email', 'name', 'source']), op: TextOp, value: Words }),
    z.strictObject({ on: z.literal('name'), op: Presence }),
    z.strictObject({ on: z.literal('language'), op: z.enum(['is', 'is_not']), value: z.enum(languages) }),
    z.strictObject({ on: z.literal('pace'), op: z.enum(['is', 'is_not']), value: z.enum(paces) }),
    z.strictObject({ on: z.literal('status'), op: z.enum(['is', 'is_not']), value: SegmentStatus }),
    z.strictObject({ on: z.literal('tag'), op: z.enum(['has', 'has_not']), tag: z.int().min(1).max(2_147_483_647) }),
    /** Who has it may read by it now: a trial, a gift and the days of grace count. */
    z.strictObject({
      on: z.literal('plan'),
      op: z.enum(['has', 'has_not']),
      plan: z.union([z.literal('any'), z.int().min(1).max(2_147_483_647)]),
    }),
    z.strictObject({ ...field, kind: z.enum(['text', 'choice']), op: TextOp, value: Words }),
    z.strictObject({
      ...field,
      kind: z.literal('number'),
      op: z.enum(['is', 'is_not', 'less', 'more']),
      value: Amount,
    }),
    z.strictObject({ ...field, kind: z.literal('number'), op: z.literal('between'), from: Amount, to: Amount }),
    z.strictObject({ ...field, kind: z.literal('date'), op: DayOp, value: Day }),
    z.strictObject({ ...field, kind: z.literal('date'), op: z.literal('between'), from: Day, to: Day }),
    z.strictObject({ ...field, kind: z.literal('yes_no'), op: z.literal('is'), value: z.boolean() }),
    z.strictObject({ ...field, kind: FieldKind, op: Presence }),
    z.strictObject({ on: z.literal('joined'), op: DayOp, value: Day }),
    z.strictObject({ on: z.literal('joined'), op: z.literal('between'), from: Day, to: Day }),
    /** `within`: less than so many times 24 hours ago. `longer_ago`: not so. */
    z.strictObject({ on: z.literal('joined'), op: z.enum(['within', 'longer_ago']), days: Days }),
    z.strictObject({ on: Behaviour, op: Did, publication: z.string().min(1).max(20) }),
    /** Any publication. What was received was sent within the time. What was opened or clicked was opened or clicked within it. */
    z.strictObject({ on: Behaviour, op: Did, days: Days }),
    z.strictObject({ on: z.literal('link'), op: Did, link: z.string().min(1).max(40) }),
    /** Said yes to an opt-in campaign, and did not take it back. */
    z.strictObject({ on: z.literal('campaign'), op: Did, campaign: z.string().min(1).max(20) }),
  ])
  .meta({ id: 'Condition' })
export type Condition = z.infer<typeof Condition>

/** `all`: every one of them holds. `any`: one or more. `not`: none. */
export type Filter = Condition | { all: Filter[] } | { any: Filter[] } | { not: Filter[] }

/** A filter that is known to be bounded. */
export const FilterNode: z.ZodType<Filter, Filter> = z
  .lazy(() => {
    const nodes = z.array(FilterNode).min(1).max(segmentLimits.conditions)
    return z.union([
      Condition,
      z.strictObject({ all: nodes }),
      z.strictObject({ any: nodes }),
      z.strictObject({ not: nodes }),
    ])
  })
  .meta({ id: 'Filter' })

/** The groups and conditions that a group holds; none of anything else. */
function partsOf(node: unknown): unknown[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.values(node).flatMap((value) => (Array.isArray(value) ? value : []))
}

/** Level by level, because what is nested too deeply would overflow the stack of whoever follows it down. */
function isBounded(filter: unknown): boolean {
  let level = [filter]
  let seen = 0
  for (let depth = 0; level.length > 0; depth++) {
    seen += level.length
    if (depth > segmentLimits.depth || seen > segmentLimits.conditions * 2) return false
    level = level.flatMap(partsOf)
  }
  return true
}

/** Who is in a segment: a tree of at most 50 conditions, in groups of groups up to five deep. */
export const Filter = z.preprocess((value, context) => {
  if (isBounded(value)) return value
  context.addIssue({ code: 'custom', message: 'too_nested' })
  return z.NEVER
}, FilterNode)
