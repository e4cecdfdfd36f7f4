import { z } from 'zod'
import { Csv, endpoint, JsonLines, Newsletter, Sheet, ShownId } from '../../http/endpoint.ts'
import { subscriberFilters } from '../contract.ts'

/** So many subscribers can be named one by one. Filters choose any number. */
export const MOST_NAMED = 1_000
/** For so many days after its end a change can be taken back. */
export const UNDO_BULK_DAYS = 7

export const BulkAct = z.enum(['tag', 'untag', 'unsubscribe', 'erase'])
export type BulkAct = z.infer<typeof BulkAct>

/** One act on many subscribers. */
export const BulkChange = z.object({
  id: z.uuid(),
  act: BulkAct,
  /** Of `tag` and `untag`. Null when it was deleted. */
  tag: z.object({ id: z.int(), name: z.string() }).nullable(),
  state: z.enum(['running', 'done', 'stopped', 'undoing', 'undone']),
  /** It stopped because whoever began it may no longer change subscribers. */
  askerLostRight: z.boolean(),
  /** Who were chosen, how many of them were looked at, and how many are changed: the others were so already, or are gone. */
  total: z.int(),
  done: z.int(),
  changed: z.int(),
  /** How many of the changed were looked at to take it back, and how many are as they were. */
  undone: z.int(),
  restored: z.int(),
  /** The member’s name. Null: an API key, or somebody who has left. */
  by: z.string().nullable(),
  createdAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  /** Until then it can be taken back. Null: it cannot. */
  undoUntil: z.iso.datetime().nullable(),
})
export type BulkChange = z.infer<typeof BulkChange>

const TagId = z.int().min(1).max(2_147_483_647)

/** Those with these ids, or all who match the filters at the moment of the call. */
const Chosen = z.union([
  z.strictObject({ ids: z.array(ShownId).min(1).max(MOST_NAMED) }),
  z.strictObject({ matching: z.strictObject(subscriberFilters) }),
])
export type Chosen = z.output<typeof Chosen>

/** How many the caller means. When others are chosen, nothing happens. */
const Expected = z.int().min(1).max(1_000_000_000)

export const startBulkChange = endpoint('POST /api/newsletters/:newsletterId/bulk-changes', {
  permission: 'subscribers.write',
  cost: 'bulk',
  summary:
    'Tag, untag, unsubscribe or erase many subscribers. It goes on by itself after the answer. Nothing happens when not exactly `expected` subscribers are chosen',
  params: Newsletter,
  body: z.discriminatedUnion('act', [
    z.object({ act: z.enum(['tag', 'untag']), tagId: TagId, chosen: Chosen, expected: Expected.optional() }),
    z.object({ act: z.literal('unsubscribe'), chosen: Chosen, expected: Expected.optional() }),
    z.object({ act: z.literal('erase'), chosen: Chosen, expected: Expected }),
  ]),
  reply: BulkChange,
  errors: ['tag_not_found', 'segment_not_found', 'bulk_change_under_way', 'choice_changed', 'nobody_chosen'],
  audit: { act: 'subscribers_changed', keeps: ['act'] },
})

export const listBulkChanges = endpoint('GET /api/newsletters/:newsletterId/bulk-changes', {
  permission: 'subscribers.read',
  summary: 'Changes of many subscribers in the last seven days, newest first, at most 20',
  params: Newsletter,
  reply: z.object({ changes: z.array(BulkChange) }),
})

const OneChange = Newsletter.extend({ bulkChangeId: z.uuid() })

export const stopBulkChange = endpoint('POST /api/newsletters/:newsletterId/bulk-changes/:bulkChangeId/stop', {
  permission: 'subscribers.write',
  summary: 'Stop a change of many subscribers. Who is changed stays so',
  params: OneChange,
  reply: BulkChange,
  errors: ['bulk_change_not_found', 'bulk_change_over'],
  audit: { act: 'subscribers_change_stopped' },
})

export const undoBulkChange = endpoint('POST /api/newsletters/:newsletterId/bulk-changes/:bulkChangeId/undo', {
  permission: 'subscribers.write',
  cost: 'bulk',
  summary:
    'Take a change of many subscribers back: of those whom it changed, who have not left by themselves since. Erasing cannot be taken back',
  params: OneChange,
  reply: BulkChange,
  errors: ['bulk_change_not_found', 'bulk_change_under_way', 'bulk_change_over'],
  audit: { act: 'subscribers_change_undone' },
})

/** The same as JSON in a field of a form: a browser saves what a form downloads, however large, and not what a script reads. */
const ChosenInForm = z
  .string()
  .max(60_000)
  .transform((text, context) => {
    try {
      const value: unknown = JSON.parse(text)
      return value
    } catch {
      context.addIssue('not JSON')
      return z.NEVER
    }
  })
  .pipe(Chosen)

const exported = {
  permission: 'subscribers.export',
  cost: 'export',
  params: Newsletter,
  body: z.object({ chosen: z.union([Chosen, ChosenInForm]) }),
  errors: ['segment_not_found'],
  audit: { act: 'subscribers_exported' },
} as const

export const exportChosen = endpoint('POST /api/newsletters/:newsletterId/subscribers.csv', {
  ...exported,
  query: Sheet,
  summary:
    'Those who are chosen as CSV, streamed, as a GET of this address does. Also takes a form whose field `chosen` is JSON',
  reply: Csv,
})

export const exportChosenAsLines = endpoint('POST /api/newsletters/:newsletterId/subscribers.jsonl', {
  ...exported,
  query: z.object({}),
  summary:
    'Those who are chosen as JSON lines, streamed, as a GET of this address does. Also takes a form whose field `chosen` is JSON',
  reply: JsonLines,
})
