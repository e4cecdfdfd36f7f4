import { z } from 'zod'
import { Done, endpoint, Newsletter } from '../http/endpoint.ts'

/** The longest time between joining and the welcome. */
export const MAX_DELAY_DAYS = 14

const SegmentId = z.int().min(1).max(2_147_483_647)

export const Welcome = z.object({
  id: z.int(),
  /** Null: everybody who confirms is welcomed. Else everybody who joins the segment. */
  segment: z.object({ id: z.int(), name: z.string() }).nullable(),
  publication: z.object({ id: z.string(), title: z.string() }),
  /** Days from joining to the mail; 0 sends it within a minute. */
  delayDays: z.int(),
  /** Those who are in the segment already are being noted, some thousands at a time. Whoever joins meanwhile is welcomed afterwards. */
  preparing: z.boolean(),
  /** Nothing leaves; who comes meanwhile gets it when it goes on. */
  paused: z.boolean(),
  /** Why the server paused it, and the relay's answer. */
  stoppedBy: z.string().nullable(),
  stoppedAnswer: z.string().nullable(),
  /** Of the publication that it has now, but for those who wait: they are all who do. */
  counts: z.object({
    waiting: z.int(),
    accepted: z.int(),
    caught: z.int(),
    failed: z.int(),
    suppressed: z.int(),
    uncertain: z.int(),
  }),
  /** Those among them who joined before another publication was chosen. They get the one that was chosen then. */
  earlier: z.object({
    waiting: z.int(),
    /** It is held, or the server stopped it, while the welcome goes on. */
    paused: z.boolean(),
    stoppedBy: z.string().nullable(),
  }),
})

export type Welcome = z.infer<typeof Welcome>

export const listWelcomes = endpoint('GET /api/newsletters/:newsletterId/welcomes', {
  permission: 'publications.read',
  summary: 'Welcomes: that of the newsletter first, then those of segments by name',
  params: Newsletter,
  reply: z.object({ welcomes: z.array(Welcome) }),
})

export const setWelcome = endpoint('PUT /api/newsletters/:newsletterId/welcomes', {
  permission: 'publications.send',
  cost: 'write',
  summary:
    'Choose the publication that everybody gets once who confirms from now on, or who joins a segment from now on. Setting it again changes it; who joined before gets what was chosen then',
  params: Newsletter,
  body: z.object({
    segmentId: SegmentId.nullable(),
    publicationId: z.string().min(1).max(20),
    delayDays: z.int().min(0).max(MAX_DELAY_DAYS).default(0),
    paused: z.boolean().default(false),
  }),
  reply: Welcome,
  errors: [
    'publication_not_found',
    'segment_not_found',
    'owner_unconfirmed',
    'sender_unproven',
    'empty_publication',
    'no_title',
    'no_postal_address',
    'empty_merge_fields',
  ],
  audit: { act: 'welcome_set', keeps: ['publicationId', 'delayDays', 'paused'] },
})

/** What became of a welcome that was set again with the same publication, as the audit has it. */
export const welcomeChanges = ['held', 'let_go_on', 'changed'] as const
export type WelcomeChange = (typeof welcomeChanges)[number]

export const removeWelcome = endpoint('DELETE /api/newsletters/:newsletterId/welcomes/:welcomeId', {
  permission: 'publications.send',
  summary: 'End a welcome. Who waits for it does not get it any more',
  params: Newsletter.extend({ welcomeId: z.coerce.number().int().min(1).max(2_147_483_647) }),
  reply: Done,
  errors: ['welcome_not_found'],
  audit: { act: 'welcome_removed' },
})
