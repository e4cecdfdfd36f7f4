import { z } from 'zod'
import { Done, endpoint, line, Newsletter } from '../http/endpoint.ts'
import { languages } from '../languages.ts'
import { digestPaces, paces, SubscriberStatus } from '../subscribers/contract.ts'

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

const Id = z.coerce.number().int().min(1).max(2_147_483_647)
const Name = line(60)
const EvenIfUsed = z.object({ evenIfUsed: z.enum(['true', 'false']).default('false') })

/** The name of a field's values, in filters and in the API. */
const FieldKey = z.string().regex(/^[a-z][a-z0-9_]{0,39}$/)
const FieldKind = z.enum(['text', 'number', 'date', 'yes_no', 'choice'])

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

/** Days are those of the newsletter's timezone. Openings are estimates, and clicks are those of people (docs/human-clicks.md). */
export const Condition = z
  .union([
    z.strictObject({ on: z.enum(['email', 'name', 'source']), op: TextOp, value: Words }),
    z.strictObject({ on: z.literal('name'), op: Presence }),
    z.strictObject({ on: z.literal('language'), op: z.enum(['is', 'is_not']), value: z.enum(languages) }),
    z.strictObject({ on: z.literal('pace'), op: z.enum(['is', 'is_not']), value: z.enum(paces) }),
    z.strictObject({ on: z.literal('status'), op: z.enum(['is', 'is_not']), value: SubscriberStatus }),
    z.strictObject({ on: z.literal('tag'), op: z.enum(['has', 'has_not']), tag: z.int().min(1).max(2_147_483_647) }),
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
  ])
  .meta({ id: 'Condition' })
export type Condition = z.infer<typeof Condition>

/** `all`: every one of them holds. `any`: one or more. `not`: none. */
export type Filter = Condition | { all: Filter[] } | { any: Filter[] } | { not: Filter[] }

const Node: z.ZodType<Filter, Filter> = z
  .lazy(() => {
    const nodes = z.array(Node).min(1).max(segmentLimits.conditions)
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
}, Node)

const everyone = z.object({ kind: z.literal('everyone') })
const segment = z.object({ kind: z.literal('segment'), segmentId: z.int().min(1).max(2_147_483_647) })

/** Who shall receive a publication. */
export const AudienceChoice = z.discriminatedUnion('kind', [everyone, segment])
export type AudienceChoice = z.infer<typeof AudienceChoice>

/** Whom a publication is sent to; the name of a segment is the one that it had then. A digest goes to those who chose its pace. */
export const SentTo = z.discriminatedUnion('kind', [
  everyone,
  segment.extend({ name: z.string() }),
  z.object({ kind: z.literal('digest'), pace: z.enum(digestPaces) }),
])

export const Tag = z.object({ id: z.int(), name: z.string(), subscribers: z.int() })

/** What is built on something: it changes, or stops, when that is deleted. */
export const Use = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('segment'), segmentId: z.int(), name: z.string() }),
  /** A sending that is scheduled, or goes on. */
  z.object({ kind: z.literal('publication'), publicationId: z.string(), title: z.string() }),
  /** Whoever joins the segment gets the publication. */
  z.object({ kind: z.literal('welcome'), publicationId: z.string(), title: z.string() }),
])
export type Use = z.infer<typeof Use>

export const listTags = endpoint('GET /api/newsletters/:newsletterId/tags', {
  permission: 'subscribers.read',
  cost: 'search',
  summary: 'Tags by name, each with how many subscribers have it',
  params: Newsletter,
  reply: z.object({ tags: z.array(Tag) }),
})

export const createTag = endpoint('POST /api/newsletters/:newsletterId/tags', {
  permission: 'subscribers.write',
  summary: 'Make a tag',
  params: Newsletter,
  body: z.object({ name: Name }),
  audit: { act: 'tag_made', keeps: ['name'] },
  reply: Tag,
  errors: ['name_taken', 'too_many_tags'],
})

const OneTag = Newsletter.extend({ tagId: Id })

export const renameTag = endpoint('PATCH /api/newsletters/:newsletterId/tags/:tagId', {
  permission: 'subscribers.write',
  summary: 'Rename a tag. Who has it keeps it',
  params: OneTag,
  body: z.object({ name: Name }),
  audit: { act: 'tag_renamed', keeps: ['name'] },
  reply: Tag,
  errors: ['tag_not_found', 'name_taken'],
})

export const deleteTag = endpoint('DELETE /api/newsletters/:newsletterId/tags/:tagId', {
  permission: 'subscribers.write',
  summary:
    'Delete a tag, and take it off everybody. One that something is built on is only deleted with `evenIfUsed=true`',
  params: OneTag,
  query: EvenIfUsed,
  audit: { act: 'tag_deleted' },
  reply: Done,
  errors: ['tag_not_found', 'in_use'],
})

export const CustomField = z.object({
  id: z.int(),
  key: FieldKey,
  label: z.string(),
  kind: FieldKind,
  /** Of the kind `choice`, in the order in which they are shown. */
  choices: z.array(z.string()),
  /** Whether subscribers read their value on their own page. */
  shownToSubscriber: z.boolean(),
})

const Choices = z
  .array(line(100))
  .max(segmentLimits.choices)
  .refine((choices) => new Set(choices).size === choices.length, { message: 'twice' })

export const listFields = endpoint('GET /api/newsletters/:newsletterId/fields', {
  permission: 'subscribers.read',
  summary: 'Custom fields, in the order in which they were made',
  params: Newsletter,
  reply: z.object({ fields: z.array(CustomField) }),
})

export const createField = endpoint('POST /api/newsletters/:newsletterId/fields', {
  permission: 'subscribers.write',
  summary: 'Make a custom field. Its key and its kind stay as they are',
  params: Newsletter,
  body: z
    .object({ key: FieldKey, label: Name, kind: FieldKind, choices: Choices.default([]) })
    .refine(({ kind, choices }) => (kind === 'choice') === choices.length > 0, {
      path: ['choices'],
      message: 'required',
    }),
  audit: { act: 'field_made', keeps: ['key', 'kind'] },
  reply: CustomField,
  errors: ['name_taken', 'too_many_fields'],
})

const OneField = Newsletter.extend({ fieldId: Id })

export const updateField = endpoint('PATCH /api/newsletters/:newsletterId/fields/:fieldId', {
  permission: 'subscribers.write',
  summary:
    'Change the label of a custom field, its choices, or whether subscribers see their value. Who has a choice that is gone keeps it',
  params: OneField,
  body: z.object({ label: Name.optional(), choices: Choices.optional(), shownToSubscriber: z.boolean().optional() }),
  audit: { act: 'field_changed', keeps: ['choices'] },
  reply: CustomField,
  errors: ['field_not_found', 'name_taken'],
})

export const deleteField = endpoint('DELETE /api/newsletters/:newsletterId/fields/:fieldId', {
  permission: 'subscribers.write',
  cost: 'write',
  summary:
    'Delete a custom field with all its values. One that something is built on is only deleted with `evenIfUsed=true`',
  params: OneField,
  query: EvenIfUsed,
  audit: { act: 'field_deleted' },
  reply: Done,
  errors: ['field_not_found', 'in_use'],
})

export const Segment = z.object({
  id: z.int(),
  name: z.string(),
  filter: Node,
  createdAt: z.iso.datetime(),
  changedAt: z.iso.datetime(),
})

export const listSegments = endpoint('GET /api/newsletters/:newsletterId/segments', {
  permission: 'subscribers.read',
  summary: 'Segments by name',
  params: Newsletter,
  reply: z.object({ segments: z.array(Segment) }),
})

const unknownParts = [
  'behaviour_not_kept',
  'tag_not_found',
  'field_not_found',
  'publication_not_found',
  'link_not_found',
] as const

export const createSegment = endpoint('POST /api/newsletters/:newsletterId/segments', {
  permission: 'subscribers.write',
  cost: 'write',
  summary: 'Make a segment: everybody who fits a filter, at each moment anew',
  params: Newsletter,
  body: z.object({ name: Name, filter: Filter }),
  audit: { act: 'segment_made', keeps: ['name'] },
  reply: Segment,
  errors: ['behaviour_not_kept', 'name_taken', 'too_many_segments', ...unknownParts],
})

const OneSegment = Newsletter.extend({ segmentId: Id })

export const getSegment = endpoint('GET /api/newsletters/:newsletterId/segments/:segmentId', {
  permission: 'subscribers.read',
  summary: 'One segment',
  params: OneSegment,
  reply: Segment,
  errors: ['segment_not_found'],
})

export const updateSegment = endpoint('PATCH /api/newsletters/:newsletterId/segments/:segmentId', {
  permission: 'subscribers.write',
  cost: 'write',
  summary: 'Rename a segment or change its filter. A sending that has begun keeps the filter that it began with',
  params: OneSegment,
  body: z.object({ name: Name.optional(), filter: Filter.optional() }),
  audit: { act: 'segment_changed', keeps: ['filter'] },
  reply: Segment,
  errors: ['behaviour_not_kept', 'segment_not_found', 'name_taken', ...unknownParts],
})

export const deleteSegment = endpoint('DELETE /api/newsletters/:newsletterId/segments/:segmentId', {
  permission: 'subscribers.write',
  summary:
    'Delete a segment, and nobody in it. One that a sending is scheduled to is only deleted with `evenIfUsed=true`: the publication becomes a draft again when its time comes',
  params: OneSegment,
  query: EvenIfUsed,
  audit: { act: 'segment_deleted' },
  reply: Done,
  errors: ['segment_not_found', 'in_use'],
})

export const countSegment = endpoint('POST /api/newsletters/:newsletterId/segments/count', {
  permission: 'subscribers.read',
  cost: 'search',
  summary: 'How many fit a filter now. It may name tags, fields and publications that are gone: nobody has them',
  params: Newsletter,
  body: z.object({
    filter: Filter,
    /** Count every one, however many there are. Else more than 64,000 subscribers are estimated from 2,500 of them. */
    exactly: z.boolean().default(false),
  }),
  reply: z.object({
    /** In any status. */
    subscribers: z.int(),
    /** Would get a publication that is sent now. */
    receive: z.int(),
    suppressed: z.int(),
    /** Would get it in their next digest. */
    onDigest: z.int(),
    /** Have paused their mail. */
    paused: z.int(),
    pending: z.int(),
    /** Null: counted to the last one. Else all are estimates, and `subscribers` is off by no more than this in 19 of 20 cases. */
    margin: z.int().nullable(),
  }),
})
