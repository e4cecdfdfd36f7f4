import { z } from 'zod'
import { Done, endpoint, line, Newsletter } from '../http/endpoint.ts'
import { digestPaces } from '../subscribers/contract.ts'
import { FieldKey, FieldKind, Filter, FilterNode, segmentLimits } from './filter/contract.ts'

const Id = z.coerce.number().int().min(1).max(2_147_483_647)
const Name = line(60)
const EvenIfUsed = z.object({ evenIfUsed: z.enum(['true', 'false']).default('false') })

const everyone = z.object({ kind: z.literal('everyone') })
const segment = z.object({ kind: z.literal('segment'), segmentId: z.int().min(1).max(2_147_483_647) })

/** Everybody who has a plan, nobody who has one, or who has this plan. */
const PlanAudience = z.union([z.enum(['paid', 'free']), z.int().min(1).max(2_147_483_647)])
const plan = z.object({ kind: z.literal('plan'), plan: PlanAudience })

/** Who shall receive a publication. */
export const AudienceChoice = z.discriminatedUnion('kind', [everyone, segment, plan])
export type AudienceChoice = z.infer<typeof AudienceChoice>

/** Whom a publication is sent to; the name of a segment is the one that it had then. A digest goes to those who chose its pace. */
export const SentTo = z.discriminatedUnion('kind', [
  everyone,
  segment.extend({ name: z.string() }),
  /** `name` is that of the one plan, as it was then; null for all of them and for none. */
  plan.extend({ name: z.string().nullable() }),
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
  filter: FilterNode,
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
  'plan_not_found',
  'field_not_found',
  'publication_not_found',
  'link_not_found',
  'campaign_not_found',
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
    'Delete a segment, and nobody in it. One that a sending is scheduled to is only deleted with `evenIfUsed=true`: the publication becomes a draft again, and says why',
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
    /** Of those: a person stopped their mail, and it never bounced. */
    byHand: z.int(),
    /** Would get it in their next digest. */
    onDigest: z.int(),
    /** Have paused their mail. */
    paused: z.int(),
    pending: z.int(),
    /** Null: counted to the last one. Else all are estimates, and `subscribers` is off by no more than this in 19 of 20 cases. */
    margin: z.int().nullable(),
  }),
})
