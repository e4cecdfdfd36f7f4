import { z } from 'zod'
import { Done, endpoint, Newsletter, Paging, pageOf, ShownId } from '../http/endpoint.ts'
import { languages } from '../languages.ts'
import { AudienceChoice, SentTo } from '../segments/contract.ts'
import { shownStates } from '../sponsorship/bookings/contract.ts'
import { Day, PlacementWords } from '../sponsorship/contract.ts'
import { digestPaces } from '../subscribers/contract.ts'

export const PublicationStatus = z.enum(['draft', 'scheduled', 'sending', 'paused', 'sent', 'cancelled'])
/** How many publications are in each state. */
const Totals = z.object({
  draft: z.int(),
  scheduled: z.int(),
  sending: z.int(),
  paused: z.int(),
  sent: z.int(),
  cancelled: z.int(),
})
const Channel = z.enum(['everywhere', 'web'])

/** As whom a member looks: somebody who has not paid, or who has every plan. */
/** As whom it is looked at: who does not pay, who has every plan that it names, or who has one plan, by its id. */
const Reader = z.union([z.enum(['free', 'paid']), z.int().min(1).max(2_147_483_647)]).default('paid')

/** TipTap JSON; the server checks it against the document schema and names the place of what does not fit. */
export const Document = z.object({ type: z.literal('doc') }).loose()

const text = (max: number) => z.string().max(max)

export const PublicationSummary = z.object({
  id: z.string(),
  number: z.int().nullable(),
  title: z.string(),
  subtitle: z.string(),
  language: z.enum(languages),
  channel: Channel,
  /** Made by the server of other publications, for those who chose one mail a week or month; null for what somebody wrote. */
  digest: z.enum(digestPaces).nullable(),
  status: PublicationStatus,
  /** Who it was or will be mailed to, or was to be before it was taken back; null for other drafts and for what is on the web only. */
  audience: SentTo.nullable(),
  /** Its sending is over, and no relay took any of it: it was caught on this server, and reached nobody. */
  caught: z.boolean(),
  /** Error code of what stopped sending by itself, such as relay_refused. While it is scheduled: of what makes it late, and it is tried again. */
  stoppedBy: z.string().nullable(),
  /** The relay's own words then. */
  stoppedAnswer: z.string().nullable(),
  editedAt: z.iso.datetime(),
  scheduledAt: z.iso.datetime().nullable(),
  /** It was sent now, and leaves in so many seconds unless it is taken back with `unschedule`. */
  takeBackSeconds: z.number().nullable(),
  startedAt: z.iso.datetime().nullable(),
  finishedAt: z.iso.datetime().nullable(),
  publishedAt: z.iso.datetime().nullable(),
  /** Since when its page is off the web; null while nobody took it off. */
  offWebAt: z.iso.datetime().nullable(),
  /** Of its page; null while there is none, or it is off the web. */
  url: z.string().nullable(),
})

export const Publication = PublicationSummary.extend({
  slug: z.string().nullable(),
  subject: z.string(),
  content: Document,
  coverMediaId: z.string().nullable(),
  coverUrl: z.string().nullable(),
  /** The cover that is drawn for it in the colours of the newsletter. */
  drawnCoverUrl: z.string(),
  /** Whether that one shows while it has none of its own. A shared address always has a picture. */
  drawsCover: z.boolean(),
  /** The day for which it is written. Once it is scheduled, that time counts. */
  plannedDay: z.string().nullable(),
  revision: z.int(),
  /**
   * Who saved this revision. Null: somebody whose account is gone, or the server itself when the publication went out or a
   * sponsor’s text was put into it.
   */
  savedBy: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('person'), userId: z.string(), name: z.string() }),
      /** The name of the API key; null once it is revoked. */
      z.object({ kind: z.literal('key'), name: z.string().nullable() }),
    ])
    .nullable(),
})

export const listPublications = endpoint('GET /api/newsletters/:newsletterId/publications', {
  permission: 'publications.read',
  cost: 'search',
  summary: 'Publications, newest first: what went out by when it did, everything else by its last edit',
  params: Newsletter,
  query: Paging.extend({
    status: PublicationStatus.optional(),
    channel: Channel.optional(),
    /** Whether only what was caught, or none of it. */
    caught: z.stringbool().optional(),
    /** Whether only drafts that were scheduled and could not go out when their time came, or none of them. */
    missed: z.stringbool().optional(),
    /** Whether only what was taken off the web, or none of it. */
    offWeb: z.stringbool().optional(),
    /** Counts as sent, here and in the totals, what is sending but for a few copies that are tried again: at most a quarter, once all were tried. */
    retrying: z.literal('sent').optional(),
    search: z.string().trim().max(200).optional(),
  }),
  reply: pageOf(PublicationSummary).extend({
    totals: Totals,
    /** How many of those sent are on the web only, and were not taken off it. */
    webOnly: z.int(),
    /** How many were taken off the web, whatever their status. */
    offWeb: z.int(),
    /** How many of those sent were caught, without those on the web only that were a welcome. */
    caught: z.int(),
    /** How many of those sent left by mail. */
    mailed: z.int(),
  }),
})

export const createPublication = endpoint('POST /api/newsletters/:newsletterId/publications', {
  permission: 'publications.write',
  cost: 'write',
  makes: 'publications',
  summary: 'Begin a draft',
  params: Newsletter,
  body: z.object({
    title: text(300).default(''),
    subtitle: text(500).default(''),
    content: Document.optional(),
    language: z.enum(languages).optional(),
    /** For which it is written: pre-flight begins with it, and sponsor slots show what is sold for it. */
    day: Day.optional(),
  }),
  reply: Publication,
  errors: ['document_invalid', 'too_many_publications'],
})

export const makeSample = endpoint('POST /api/newsletters/:newsletterId/publications/sample', {
  permission: 'publications.write',
  cost: 'write',
  makes: 'publications',
  summary:
    'The sample draft of the newsletter, to be sent to oneself as a test; it is made once, and again after it was deleted',
  params: Newsletter,
  reply: Publication,
  errors: ['too_many_publications'],
})

const onePublication = Newsletter.extend({ publicationId: z.string().max(20) })

export const getPublication = endpoint('GET /api/newsletters/:newsletterId/publications/:publicationId', {
  permission: 'publications.read',
  summary: 'One publication with its content',
  params: onePublication,
  reply: Publication,
  errors: ['publication_not_found'],
})

/** `revision` is the revision that was edited. When it is no longer the newest, the answer is edited_meanwhile with the newest in `detail`. */
export const savePublication = endpoint('PATCH /api/newsletters/:newsletterId/publications/:publicationId', {
  permission: 'publications.write',
  cost: 'write',
  summary: 'Save a draft, or correct a published publication',
  params: onePublication,
  body: z.object({
    revision: z.int(),
    title: text(300).optional(),
    subtitle: text(500).optional(),
    subject: text(300).optional(),
    slug: z
      .string()
      .regex(/^[a-z0-9](-?[a-z0-9])*$/)
      .max(80)
      .optional(),
    language: z.enum(languages).optional(),
    coverMediaId: text(20).nullable().optional(),
    drawsCover: z.boolean().optional(),
    content: Document.optional(),
    /** Whether an earlier version is brought back. What stood before it then stays in the history. */
    restored: z.boolean().default(false),
  }),
  reply: Publication,
  errors: ['edited_meanwhile', 'document_invalid', 'slug_taken', 'slug_reserved', 'wrong_status'],
})

export const deletePublication = endpoint('DELETE /api/newsletters/:newsletterId/publications/:publicationId', {
  permission: 'publications.write',
  summary: 'Delete a draft or a cancelled publication that nobody received. It can be restored for 30 days',
  params: onePublication,
  reply: Done,
  errors: ['wrong_status', 'is_welcome'],
  audit: { act: 'publication_deleted', keeps: ['publicationId'] },
})

/** How long a deleted publication can be restored. */
export const KEPT_DELETED_DAYS = 30

export const listDeleted = endpoint('GET /api/newsletters/:newsletterId/deleted-publications', {
  permission: 'publications.write',
  cost: 'search',
  summary: 'Publications that were deleted and can be restored, last deleted first',
  params: Newsletter,
  query: Paging.extend({ search: z.string().trim().max(200).optional() }),
  reply: pageOf(
    z.object({
      id: z.string(),
      title: z.string(),
      subtitle: z.string(),
      language: z.enum(languages),
      deletedAt: z.iso.datetime(),
      /** It is removed for good within a day of then. */
      keptUntil: z.iso.datetime(),
    }),
  ).extend({
    /** How many there are, for the same search. */
    total: z.int(),
  }),
})

export const restorePublication = endpoint('POST /api/newsletters/:newsletterId/publications/:publicationId/restore', {
  permission: 'publications.write',
  cost: 'write',
  summary: 'Bring a deleted publication back as a draft, with its versions',
  params: onePublication,
  reply: Publication,
  errors: ['publication_not_found', 'slug_taken'],
  audit: { act: 'publication_restored', keeps: ['publicationId'] },
})

export const removeDeletedPublication = endpoint(
  'DELETE /api/newsletters/:newsletterId/deleted-publications/:publicationId',
  {
    permission: 'publications.write',
    summary: 'Remove a deleted publication for good',
    params: onePublication,
    reply: Done,
    errors: ['publication_not_found'],
    audit: { act: 'publication_removed', keeps: ['publicationId'] },
  },
)

export const duplicatePublication = endpoint(
  'POST /api/newsletters/:newsletterId/publications/:publicationId/duplicate',
  {
    permission: 'publications.write',
    cost: 'write',
    makes: 'publications',
    summary: 'Begin a draft from another publication',
    params: onePublication,
    reply: Publication,
    errors: ['publication_not_found', 'too_many_publications'],
  },
)

const Revision = z.object({
  revision: z.int(),
  title: z.string(),
  savedAt: z.iso.datetime(),
  savedBy: z.string().nullable(),
  words: z.int(),
})
export const listRevisions = endpoint('GET /api/newsletters/:newsletterId/publications/:publicationId/revisions', {
  permission: 'publications.read',
  cost: 'history',
  summary: 'The versions that were saved, newest first',
  params: onePublication,
  reply: z.object({ revisions: z.array(Revision) }),
})

export const getRevision = endpoint(
  'GET /api/newsletters/:newsletterId/publications/:publicationId/revisions/:revision',
  {
    permission: 'publications.read',
    cost: 'history',
    summary: 'One saved version; saving its content again brings it back',
    params: onePublication.extend({ revision: z.coerce.number().int() }),
    reply: z.object({ revision: z.int(), title: z.string(), subtitle: z.string(), content: Document }),
  },
)

const SlotSponsor = z.object({
  /** A booking, or the newsletter’s own words. */
  kind: z.enum(['booking', 'house']),
  id: z.string(),
  disclosure: z.string(),
  name: z.string(),
  text: z.string(),
  label: z.string(),
  target: z.string(),
  image: z.object({ url: z.string(), alt: z.string() }).nullable(),
})

export const planDay = endpoint('PUT /api/newsletters/:newsletterId/publications/:publicationId/day', {
  permission: 'publications.write',
  summary:
    'Say for which day of the newsletter’s calendar a draft is written, or that it is for none. Nothing is scheduled by that',
  params: onePublication,
  body: z.object({ day: Day.nullable() }),
  reply: Done,
  errors: ['publication_not_found', 'wrong_status'],
})

export const readSlots = endpoint('GET /api/newsletters/:newsletterId/publications/:publicationId/slots', {
  permission: 'publications.read',
  summary: 'What each sponsor slot carries: what stood there when it went out, else what would at a time',
  params: onePublication,
  query: z.object({
    /** Absent: when it is scheduled, else on the day for which it is written, else now. */
    at: z.iso.datetime().optional(),
    channel: Channel.default('everywhere'),
  }),
  reply: z.object({
    /** Of the newsletter’s calendar. */
    day: z.string(),
    /** Whether that is today only because it has no day of its own. */
    isDayOpen: z.boolean(),
    /** Whether a slot that is put into it begins as hidden from who pays. */
    hideFromPaid: z.boolean(),
    slots: z.array(
      z.object({
        placementId: z.int(),
        words: PlacementWords,
        place: z.enum(['top', 'middle', 'end']),
        /** Whether the publication has a slot for it that somebody sees. */
        inPublication: z.boolean(),
        /** Empty: the slot is left out. */
        sponsors: z.array(SlotSponsor),
        /** What is booked for the day and does not stand there. */
        waiting: z.array(z.object({ bookingId: z.string(), sponsor: z.string(), state: z.enum(shownStates) })),
        /** The next days that are sold in this placement and have no publication with its slot yet, with who bought them. */
        coming: z.array(z.object({ day: z.string(), sponsors: z.array(z.string()) })),
      }),
    ),
  }),
  errors: ['publication_not_found'],
})

export const previewPublication = endpoint('POST /api/newsletters/:newsletterId/publications/:publicationId/preview', {
  permission: 'publications.read',
  cost: 'preview',
  summary: 'As it will look on the web, in a mail and as plain text; of the saved version, or of what is in the editor',
  params: onePublication,
  body: z.object({
    title: text(300).optional(),
    subtitle: text(500).optional(),
    content: Document.optional(),
    reader: Reader,
    /** When it would go out, which its date and its sponsor slots follow; else when it is planned, or now. */
    at: z.iso.datetime().optional(),
  }),
  reply: z.object({
    from: z.string(),
    /** Whether readers see different parts of it. */
    isGated: z.boolean(),
    subject: z.string(),
    preheader: z.string(),
    /** Whole documents, to be shown in a sandboxed frame. */
    web: z.string(),
    email: z.string(),
    text: z.string(),
    /** Bytes of the mail's HTML: Gmail clips above 102 kB. */
    emailBytes: z.int(),
  }),
  errors: ['document_invalid'],
})

export const sendTest = endpoint('POST /api/newsletters/:newsletterId/publications/:publicationId/test', {
  permission: 'publications.send',
  cost: 'mail',
  summary: 'Send the saved version to the signed-in member, or to up to five addresses of members',
  params: onePublication,
  body: z.object({ to: z.array(z.email().max(254)).min(1).max(5).optional(), reader: Reader }),
  reply: z.object({
    to: z.array(z.string()),
    /** The first of them in the outbox; null when a relay took it. */
    mailId: z.string().nullable(),
  }),
  errors: [
    'empty_publication',
    'plan_not_found',
    'relay_refused',
    'too_many_requests',
    'invalid',
    'owner_unconfirmed',
    'sender_unproven',
  ],
})

/** What stands in the way of sending, and what is worth a look. */
export const checkPublication = endpoint('GET /api/newsletters/:newsletterId/publications/:publicationId/check', {
  permission: 'publications.read',
  cost: 'check',
  summary: 'How many will receive it, everybody or those of a segment or plan, and what is missing',
  params: onePublication,
  query: z.object({
    segmentId: z.coerce.number().int().min(1).max(2_147_483_647).optional(),
    plan: z.union([z.enum(['paid', 'free']), z.coerce.number().int().min(1).max(2_147_483_647)]).optional(),
    /** What only mail needs is not missing on the web. */
    channel: Channel.default('everywhere'),
  }),
  errors: ['segment_not_found', 'plan_not_found'],
  reply: z.object({
    audience: z.object({
      receive: z.int(),
      suppressed: z.int(),
      /** Of those: a person stopped their mail, and it never bounced. */
      byHand: z.int(),
      /** They get it in their next digest. */
      onDigest: z.int(),
      paused: z.int(),
      pending: z.int(),
      /** They have a copy already, or one that waits, as a welcome, and get no second one. They are in none of the other counts. */
      already: z.int(),
    }),
    mailIsCaught: z.boolean(),
    /** When the newsletter's last other mail went out or is to; null before its first. */
    lastMailAt: z.iso.datetime().nullable(),
    problems: z.array(
      z.object({
        code: z.enum([
          'no_title',
          'empty_publication',
          'nothing_on_web',
          'bare_on_web',
          'no_subscribers',
          'no_sender',
          'no_postal_address',
          'empty_merge_fields',
          'owner_unconfirmed',
          'sender_unproven',
          'alt_missing',
          'button_without_address',
          'empty_note',
          'too_long_for_gmail',
          'copied_title',
          'long_subject',
          'heading_order',
          'low_contrast',
          'vague_links',
          'other_language',
          'little_above_paywall',
          'gate_not_for_sale',
          'gate_names_closed',
        ]),
        blocks: z.boolean(),
        count: z.int().nullable(),
      }),
    ),
    mail: z.object({
      /** Of its HTML, as somebody gets it: Gmail clips above 102 kB. */
      bytes: z.int(),
      /** What takes most of it, the largest first; empty when it is less than half of that. */
      parts: z.array(
        z.object({ part: z.enum(['text', 'tables', 'pictures', 'buttons', 'sponsors', 'frame']), bytes: z.int() }),
      ),
    }),
    /** Some of the colours that are hard to read, as #rrggbb, and the ratio of WCAG 2.2. */
    lowContrasts: z.array(
      z.object({
        words: z.string(),
        color: z.string(),
        ground: z.string(),
        ratio: z.number(),
        needed: z.number(),
      }),
    ),
    /** Some of the links whose words do not say where they lead, such as “here”; the words are empty where there are none. */
    vagueLinks: z.array(z.object({ words: z.string(), address: z.string() })),
    /** The language that its text is clearly in, when that is not the one it says; null otherwise. */
    writtenIn: z.enum(languages).nullable(),
    /** How long its mails take at what the relays may carry from now on; null when they have no limit, or mail is caught. */
    sendingSeconds: z.number().nullable(),
    /** The fields of merge tags without a fallback where somebody in the audience would read nothing. */
    emptyMergeFields: z.array(
      z.object({
        field: z.string(),
        count: z.int(),
        /** Some of them, for members who may see subscribers. */
        examples: z.array(z.object({ subscriberId: ShownId, email: z.string() })),
      }),
    ),
  }),
})

/** Why an address leads nowhere. */
export const NoWay = z.enum(['broken', 'timeout', 'no_host', 'unreachable', 'certificate', 'circle'])

const Trial = z.object({
  /** As it is written. */
  address: z.string(),
  /** What leads there. */
  words: z.string(),
  kind: z.enum(['link', 'image']),
  /**
   * `guarded`: a server answers, and lets no program in. `broken`: it says that there is nothing, or that it failed. `no_host`: no public
   * server has this name. `not_tried`: asking would have been too much. `own`: of this server, which is not asked.
   */
  answer: z.enum(['fine', 'guarded', ...NoWay.options, 'not_tried', 'own']),
  status: z.int().nullable(),
  /** Where redirects led to. */
  to: z.string().nullable(),
  /** It is read without HTTPS. */
  insecure: z.boolean(),
})

export const tryAddresses = endpoint('POST /api/newsletters/:newsletterId/publications/:publicationId/addresses/try', {
  permission: 'publications.send',
  cost: 'links',
  summary: 'Ask where each link of the saved version leads, and how heavy the images of its mail are',
  params: onePublication,
  reply: z.object({
    links: z.array(Trial),
    /** Links that are too many to be tried. */
    leftOut: z.int(),
    images: z.object({
      count: z.int(),
      /** Of all of which it is known. */
      bytes: z.int(),
      /** Images whose server does not say. */
      unknown: z.int(),
      /** Those of them that nobody put into the text. */
      besidesText: z.array(z.enum(['cover', 'logo'])),
      heaviest: z.array(z.object({ name: z.string(), bytes: z.int().nullable() })),
    }),
  }),
  errors: ['publication_not_found'],
})

export const sendPublication = endpoint('POST /api/newsletters/:newsletterId/publications/:publicationId/send', {
  permission: 'publications.send',
  summary:
    'Send now, at a time, or to the web only. Repeating it changes nothing. Now means after the newsletter’s takeBackSeconds, 10 unless it was changed: until then it is scheduled, and unschedule takes it back',
  params: onePublication,
  body: z.object({
    channel: Channel.default('everywhere'),
    /** Absent: whom it is scheduled to, and else everyone. */
    audience: AudienceChoice.optional(),
    /** Null or absent: now. A wall-clock time is turned into an instant by the caller in the newsletter's timezone. */
    at: z.iso.datetime().nullable().default(null),
  }),
  reply: PublicationSummary,
  errors: [
    'wrong_status',
    'no_title',
    'empty_publication',
    'no_subscribers',
    'no_postal_address',
    'empty_merge_fields',
    'segment_not_found',
    'plan_not_found',
    'scheduled_in_past',
    'owner_unconfirmed',
    'sender_unproven',
  ],
  audit: { act: 'publication_sent', keeps: ['publicationId', 'at'] },
})

/** What the calls have in common that change the course of a sending. */
const course = { permission: 'publications.send', params: onePublication, reply: PublicationSummary } as const

export const pausePublication = endpoint('POST /api/newsletters/:newsletterId/publications/:publicationId/pause', {
  ...course,
  summary: 'Pause: nothing more is sent until it is resumed',
  errors: ['wrong_status'],
  audit: { act: 'sending_paused', keeps: ['publicationId'] },
})

export const resumePublication = endpoint('POST /api/newsletters/:newsletterId/publications/:publicationId/resume', {
  ...course,
  summary: 'Resume: send to the subscribers who have not received it',
  errors: ['wrong_status'],
  audit: { act: 'sending_resumed', keeps: ['publicationId'] },
})

export const trustRefusals = endpoint('POST /api/newsletters/:newsletterId/publications/:publicationId/trust', {
  ...course,
  summary:
    'Resume after too_many_refusals: addresses that the relay says do not exist are believed, however many there are',
  errors: ['wrong_status'],
  audit: { act: 'sending_trusted', keeps: ['publicationId'] },
})

export const cancelPublication = endpoint('POST /api/newsletters/:newsletterId/publications/:publicationId/cancel', {
  ...course,
  summary: 'Cancel: subscribers who still wait will not receive it',
  errors: ['wrong_status'],
  audit: { act: 'sending_cancelled', keeps: ['publicationId'] },
})

export const unschedulePublication = endpoint(
  'POST /api/newsletters/:newsletterId/publications/:publicationId/unschedule',
  {
    ...course,
    summary: 'Take a publication that is scheduled, or was sent now and has not left yet, back to draft',
    errors: ['too_late_to_take_back'],
    audit: { act: 'publication_taken_back', keeps: ['publicationId'] },
  },
)

export const takeOffWeb = endpoint('POST /api/newsletters/:newsletterId/publications/:publicationId/take-off-web', {
  ...course,
  cost: 'write',
  summary:
    'Take a published publication off the web: its address answers 410, and it is in no archive, feed or site map. Mails stay as they are. Repeating it changes nothing',
  errors: ['publication_not_found', 'not_on_web'],
})

export const putBackOnWeb = endpoint(
  'POST /api/newsletters/:newsletterId/publications/:publicationId/put-back-on-web',
  {
    ...course,
    cost: 'write',
    summary:
      'Put a publication that was taken off the web back, at its address and its place. Repeating it changes nothing',
    errors: ['publication_not_found', 'not_on_web'],
  },
)
