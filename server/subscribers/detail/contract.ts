import { z } from 'zod'
import { Done, endpoint, Newsletter, Paging, pageOf, ShownId } from '../../http/endpoint.ts'
import { leaveReasons } from '../contract.ts'

/** What happened to a subscriber. `edited`: a member or an API key changed tags or custom fields. */
const timelineKinds = [
  'asked',
  'confirmed',
  'unsubscribed',
  'returned',
  'restored',
  'bounced',
  'complained',
  'accepted',
  'caught',
  'opened',
  'clicked',
  'edited',
  'chose_every',
  'chose_weekly',
  'chose_monthly',
  'paused',
  'resumed',
  'moved',
  'imported',
  'campaign_yes',
  'campaign_no',
] as const

const PublicationName = z.object({ id: z.string(), number: z.int().nullable(), title: z.string() })

const TimelineRow = z.object({
  at: z.iso.datetime(),
  kind: z.enum(timelineKinds),
  /** Of a consent: how it reached us. */
  means: z.string().nullable(),
  publication: PublicationName.nullable(),
  /** Of a click. */
  target: z.string().nullable(),
  /** Of an import: the name of its file. */
  file: z.string().nullable(),
  /** Of an edit and an import: the member’s name, or null for an API key and for who has left. */
  by: z.string().nullable(),
  /** Of an edit: the names of tags, and the keys of custom fields. */
  given: z.array(z.string()),
  taken: z.array(z.string()),
  fields: z.array(z.string()),
  /** Why somebody left, if they said it. */
  reason: z.enum(leaveReasons).nullable(),
})
export type TimelineRow = z.infer<typeof TimelineRow>

const one = Newsletter.extend({ subscriberId: ShownId })

export const listTimeline = endpoint('GET /api/newsletters/:newsletterId/subscribers/:subscriberId/timeline', {
  permission: 'subscribers.read',
  summary: 'What happened to a subscriber, newest first. Clicks are those of people (docs/human-clicks.md)',
  params: one,
  query: Paging.extend({ cursor: z.string().max(120).optional() }),
  reply: pageOf(TimelineRow),
  errors: ['subscriber_not_found'],
})

export const listClickedLinks = endpoint('GET /api/newsletters/:newsletterId/subscribers/:subscriberId/clicks', {
  permission: 'subscribers.read',
  summary: 'The links that a subscriber clicked, by publication, the 100 last clicked first',
  params: one,
  reply: z.object({
    links: z.array(
      z.object({
        target: z.string(),
        publication: PublicationName.nullable(),
        clicks: z.int(),
        lastAt: z.iso.datetime(),
      }),
    ),
    /** Clicks of a person, and requests that the rules leave out. */
    human: z.int(),
    excluded: z.int(),
  }),
  errors: ['subscriber_not_found'],
})

/** On one subscriber. */
export const MOST_NOTES = 100

const Note = z.object({
  id: z.uuid(),
  at: z.iso.datetime(),
  text: z.string(),
  /** The member’s name. Null: an API key, or somebody who has left. */
  by: z.string().nullable(),
})

export const listNotes = endpoint('GET /api/newsletters/:newsletterId/subscribers/:subscriberId/notes', {
  permission: 'subscribers.read',
  summary:
    'What members noted about a subscriber, newest first. The subscriber is given it when they ask for their data',
  params: one,
  reply: z.object({ notes: z.array(Note) }),
  errors: ['subscriber_not_found'],
})

export const addNote = endpoint('POST /api/newsletters/:newsletterId/subscribers/:subscriberId/notes', {
  permission: 'subscribers.write',
  summary: 'Note something about a subscriber',
  params: one,
  body: z.object({
    text: z
      .string()
      .trim()
      .min(1)
      .max(2_000)
      .regex(/^[^\0]*$/),
  }),
  reply: Note,
  errors: ['subscriber_not_found', 'too_many_notes'],
})

export const deleteNote = endpoint('DELETE /api/newsletters/:newsletterId/subscribers/:subscriberId/notes/:noteId', {
  permission: 'subscribers.write',
  summary: 'Delete a note',
  params: one.extend({ noteId: z.uuid() }),
  reply: Done,
  errors: ['note_not_found'],
  audit: { act: 'subscriber_note_deleted' },
})
