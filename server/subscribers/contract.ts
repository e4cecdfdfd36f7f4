import { z } from 'zod'
import { Csv, Done, endpoint, JsonLines, line, Newsletter, Paging, pageOf, Sheet, ShownId } from '../http/endpoint.ts'
import { languages } from '../languages.ts'

/** `campaign_only`: they said yes to a campaign and never asked to subscribe. They are no subscriber: lists, counts and segments leave them out. */
export const SubscriberStatus = z.enum(['pending', 'active', 'unsubscribed', 'bounced', 'complained', 'campaign_only'])

/** How many addresses a newsletter may ask by its members and its API. Each is mailed: this is enough for a form on another site, and too few to annoy many people. */
export const ADDITIONS_AN_HOUR = 600

/** How often a subscriber gets mail: every publication, or a digest of those of a week or month. */
export const paces = ['every', 'weekly', 'monthly'] as const
export type Pace = (typeof paces)[number]
export type DigestPace = Exclude<Pace, 'every'>
export const digestPaces = ['weekly', 'monthly'] as const satisfies readonly DigestPace[]

/** What a reader who leaves can say of why. */
export const leaveReasons = ['tooMany', 'notForMe', 'neverAsked', 'other'] as const
export type LeaveReason = (typeof leaveReasons)[number]

export const Subscriber = z.object({
  id: ShownId,
  email: z.string(),
  name: z.string().nullable(),
  language: z.enum(languages),
  status: SubscriberStatus,
  source: z.string(),
  createdAt: z.iso.datetime(),
  confirmedAt: z.iso.datetime().nullable(),
  leftAt: z.iso.datetime().nullable(),
  /** What they said of why they left; null when nothing was said, or when it was no act of theirs. */
  leftReason: z.enum(leaveReasons).nullable(),
  /** Until then they get no publication, by their own choice. */
  pausedUntil: z.iso.datetime().nullable(),
  /** How often they get mail, by their own choice. */
  pace: z.enum(paces),
})

/** The id of a tag or a segment. */
const PartId = z.coerce.number().int().min(1).max(2_147_483_647)

/** What a list of subscribers is narrowed by: everything that is given must fit. */
export const subscriberFilters = {
  status: SubscriberStatus.optional(),
  /** A part of an address or name; with fewer than three letters or digits in a row, the beginning of a word of it. */
  search: z.string().trim().max(200).optional(),
  tagId: PartId.optional(),
  segmentId: PartId.optional(),
  language: z.enum(languages).optional(),
  pace: z.enum(paces).optional(),
  /** Where they came from, such as `page`. */
  source: z.string().trim().min(1).max(60).optional(),
}

/** What a list of subscribers is in the order of. `name`: the name, or the address of who has none, without accents and capitals. */
export const SubscriberOrder = z.enum(['newest', 'address', 'name', 'joined', 'changed'])
export type SubscriberOrder = z.infer<typeof SubscriberOrder>

const SubscriberTag = z.object({ id: z.int(), name: z.string() })

/** Of a custom field: a day is written YYYY-MM-DD. */
const FieldValue = z.union([z.string().max(500), z.number(), z.boolean()])
export const FieldValues = z.record(z.string(), FieldValue)

export const ListedSubscriber = Subscriber.extend({
  /** When they came into this list: who came with an import had joined before. `newest` is in this order. */
  addedAt: z.iso.datetime(),
  /** When something of them last changed: status, name, language, fields. Tags do not count. */
  changedAt: z.iso.datetime(),
  tags: z.array(SubscriberTag),
  /** By the key of the custom field. A field without a value is not there. */
  fields: FieldValues,
})

export const listSubscribers = endpoint('GET /api/newsletters/:newsletterId/subscribers', {
  permission: 'subscribers.read',
  cost: 'search',
  summary: 'Subscribers, newest first or in another order',
  params: Newsletter,
  query: Paging.extend({
    ...subscriberFilters,
    sort: SubscriberOrder.default('newest'),
    /** Without it: addresses and names from the first letter on, times from the last one back. */
    direction: z.enum(['asc', 'desc']).optional(),
    cursor: z.string().max(1_000).optional(),
  }),
  errors: ['segment_not_found', 'invalid'],
  /** `more`: there are more than `total`. Of many matches the first 10,000 are counted. */
  reply: pageOf(ListedSubscriber).extend({ total: z.int(), more: z.boolean() }),
})

export const listSources = endpoint('GET /api/newsletters/:newsletterId/subscribers/sources', {
  permission: 'subscribers.read',
  summary: 'Where subscribers came from',
  params: Newsletter,
  reply: z.object({ sources: z.array(z.string()) }),
})

export const countSubscribers = endpoint('GET /api/newsletters/:newsletterId/subscribers/count', {
  permission: 'subscribers.read',
  cost: 'search',
  summary: 'How many subscribers fit, counted to the last one',
  params: Newsletter,
  query: z.object(subscriberFilters),
  errors: ['segment_not_found'],
  reply: z.object({ total: z.int() }),
})

/** What a person said, or what another page showed them: their receipt keeps it in place of our words. */
const OwnWords = line(1_000).optional()

export const addSubscriber = endpoint('POST /api/newsletters/:newsletterId/subscribers', {
  permission: 'subscribers.write',
  summary: 'Ask an address to subscribe: it becomes active once its owner confirms',
  params: Newsletter,
  body: z.object({
    // Read by `readAddress`, which also takes domains in other scripts.
    email: z.string().trim().min(3).max(254),
    name: z.string().trim().max(120).nullable().default(null),
    language: z.enum(languages).optional(),
    words: OwnWords,
  }),
  reply: Subscriber,
  errors: ['already_subscribed', 'subscriber_complained', 'too_many_requests', 'owner_unconfirmed'],
})

/** Why the server itself lets mail go out again to an address. */
export const ownLiftReasons = ['abnormal_sending'] as const
export type OwnLiftReason = (typeof ownLiftReasons)[number]

/**
 * How a yes or a no may have reached us. `import` is a file in which somebody says that these people agreed, `campaign` a
 * question in a publication, `recommendation` the page after a confirmation for another newsletter, `complaint` the spam button of a mail
 * program.
 */
export const consentMeans = [
  'page',
  'api',
  'confirmation',
  'one-click',
  'mail',
  'by-hand',
  'import',
  'campaign',
  'recommendation',
  'complaint',
] as const

/** By these somebody subscribes without a mail that they confirm, where the newsletter wants none. */
export const atOnceMeans = ['page', 'api', 'recommendation'] as const

const oneSubscriber = Newsletter.extend({ subscriberId: ShownId })

export const getSubscriber = endpoint('GET /api/newsletters/:newsletterId/subscribers/:subscriberId', {
  permission: 'subscribers.read',
  summary: 'One subscriber with consent receipts and timeline',
  params: oneSubscriber,
  reply: Subscriber.extend({
    tags: z.array(SubscriberTag),
    fields: FieldValues,
    receipts: z.array(
      z.object({
        act: z.enum(['asked', 'given', 'withdrawn']),
        /** What was said to a campaign; otherwise to the newsletter. */
        toCampaign: z.boolean(),
        wording: z.string(),
        wordingVersion: z.string(),
        language: z.enum(languages),
        means: z.string(),
        /** What proves it besides the means, such as a publication, an API key or the mail whose link was opened. */
        proof: z.string().nullable(),
        /** When it was, as an imported file says; `at` is then when the import noted it. */
        dated: z.iso.date().nullable(),
        /** For whom it is, by the name of the time. Null: it is older than this field, and for the newsletter. */
        beneficiary: z.string().nullable(),
        network: z.string().nullable(),
        /** The place in the newsletter’s chain (docs/receipts.md). Null: it waits for a few seconds. */
        position: z.int().nullable(),
        at: z.iso.datetime(),
      }),
    ),
    deliveries: z.array(
      z.object({
        publicationId: z.string(),
        title: z.string(),
        state: z.string(),
        /** The newest bounce or complaint about it. */
        returned: z.enum(['hard', 'soft', 'complaint']).nullable(),
        answer: z.string().nullable(),
        at: z.iso.datetime(),
        openedAt: z.iso.datetime().nullable(),
        clicks: z.int(),
      }),
    ),
    /** What kept mail away from the address, newest first. At most the first is not lifted. */
    suppressions: z.array(
      z.object({
        reason: z.enum(['bounced', 'complained', 'by_hand']),
        words: z.string(),
        /** Whether an imported file said so. There are no words then. */
        imported: z.boolean(),
        publicationTitle: z.string().nullable(),
        at: z.iso.datetime(),
        lifted: z
          .object({
            at: z.iso.datetime(),
            /** `operator`: by the command line. `subscriber`: by a new confirmation. */
            actor: z.enum(['member', 'api_key', 'operator', 'system', 'subscriber']),
            name: z.string().nullable(),
            reason: z.string(),
          })
          .nullable(),
      }),
    ),
  }),
  errors: ['subscriber_not_found'],
})

export const updateSubscriber = endpoint('PATCH /api/newsletters/:newsletterId/subscribers/:subscriberId', {
  permission: 'subscribers.write',
  summary: 'Tag a subscriber, and fill in custom fields. Fields that are not named stay; null empties one',
  params: oneSubscriber,
  body: z.object({
    /** These tags and no others. */
    tagIds: z.array(z.int().min(1).max(2_147_483_647)).max(500).optional(),
    fields: z
      .record(z.string().max(40), FieldValue.nullable())
      .refine((fields) => Object.keys(fields).length <= 50, { message: 'too_long' })
      .optional(),
  }),
  reply: z.object({ tags: z.array(SubscriberTag), fields: FieldValues }),
  errors: ['subscriber_not_found', 'tag_not_found', 'too_many_tags'],
})

/** Why suppressions are lifted, in the words of whoever does it. */
const Why = z.string().trim().min(1).max(500)

const Lifted = z.object({
  restored: z.int(),
  kept: z.object({ unsubscribed: z.int(), complained: z.int(), erased: z.int() }),
})

export const restoreSubscriber = endpoint('POST /api/newsletters/:newsletterId/subscribers/:subscriberId/restore', {
  permission: 'subscribers.write',
  summary: 'Lift the suppression of a subscriber whose mail bounced, so that mail goes to them again',
  params: oneSubscriber,
  body: z.object({ reason: Why }),
  reply: Lifted,
  errors: ['subscriber_not_found', 'subscriber_complained', 'too_many_requests'],
})

/** Suppressed subscribers whose mail got the same answer. */
export const SuppressionGroup = z.object({
  /** The server’s words, with “…” for addresses, ids and numbers. */
  answer: z.string(),
  publication: z.object({ id: z.string(), title: z.string() }).nullable(),
  subscribers: z.int(),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  /** Whether the answer says that the addresses do not exist (docs/answers.md). Otherwise these subscribers may be lost by mistake. */
  gone: z.boolean(),
})

export const listSuppressionGroups = endpoint('GET /api/newsletters/:newsletterId/suppressions/groups', {
  permission: 'subscribers.read',
  cost: 'search',
  summary: 'Bounced subscribers by the answer that suppressed them, the largest 200 groups first',
  params: Newsletter,
  query: z.object({ atLeast: z.coerce.number().int().min(1).max(1_000_000).default(2) }),
  reply: z.object({ groups: z.array(SuppressionGroup) }),
  errors: ['too_many_requests'],
})

export const liftSuppressions = endpoint('POST /api/newsletters/:newsletterId/suppressions/lift', {
  permission: 'subscribers.write',
  cost: 'search',
  summary:
    'Lift the suppressions that one publication’s bounces caused, those with the same answer, or those with both. A `publicationId` of null means: of no known publication',
  params: Newsletter,
  body: z
    .object({
      reason: Why,
      answer: z
        .string()
        .max(300)
        .regex(/^\P{Cc}*$/u)
        .optional(),
      publicationId: z.string().max(100).nullable().optional(),
    })
    .refine(({ answer, publicationId }) => answer !== undefined || typeof publicationId === 'string', {
      path: ['answer'],
      message: 'required',
    }),
  reply: Lifted,
  errors: ['publication_not_found', 'too_many_requests'],
})

export const eraseSubscriber = endpoint('DELETE /api/newsletters/:newsletterId/subscribers/:subscriberId', {
  permission: 'subscribers.write',
  summary: 'Erase a subscriber and everything kept about them',
  params: oneSubscriber,
  reply: Done,
  errors: ['subscriber_not_found'],
  audit: { act: 'subscriber_erased' },
})

export const unsubscribeSubscriber = endpoint(
  'POST /api/newsletters/:newsletterId/subscribers/:subscriberId/unsubscribe',
  {
    permission: 'subscribers.write',
    summary: 'Unsubscribe somebody who asked for it by other means',
    params: oneSubscriber,
    body: z.object({ words: OwnWords }).nullish(),
    reply: Subscriber,
    errors: ['subscriber_not_found'],
    audit: { act: 'subscriber_unsubscribed' },
  },
)

const exported = {
  permission: 'subscribers.export',
  cost: 'export',
  params: Newsletter,
  query: z.object(subscriberFilters),
  errors: ['segment_not_found'],
  /** The words of a search are mostly somebody’s address, and the audit outlives an erasure. */
  audit: { act: 'subscribers_exported', keeps: ['status', 'tagId', 'segmentId', 'language', 'pace', 'source'] },
} as const

export const exportSubscribers = endpoint('GET /api/newsletters/:newsletterId/subscribers.csv', {
  ...exported,
  query: exported.query.extend(Sheet.shape),
  summary: 'Subscribers as CSV, streamed: all, or those who fit. docs/export.md describes the columns',
  reply: Csv,
})

export const exportSubscribersAsLines = endpoint('GET /api/newsletters/:newsletterId/subscribers.jsonl', {
  ...exported,
  summary: 'Subscribers as JSON lines, streamed: all, or those who fit',
  reply: JsonLines,
})
