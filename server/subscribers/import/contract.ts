import { z } from 'zod'
import { Csv, endpoint, line, Newsletter, Sheet as SheetLanguage } from '../../http/endpoint.ts'
import { encodings } from './file/contract.ts'

/** docs/import.md has the same numbers; a test compares them. */
export const importLimits = {
  /** Of a file. */
  bytes: 500_000_000,
  /** Of a file, while no owner of the newsletter has proven an address. */
  unprovenBytes: 1_000_000,
  /** A file is uploaded in parts of this size, the last one smaller. */
  partBytes: 4_000_000,
  rows: 5_000_000,
  columns: 200,
  /** Characters of one row. */
  rowLength: 64_000,
  /** Of one newsletter, that are neither done nor cancelled. */
  open: 3,
  /** Rows of the report. What is counted is exact beyond it. */
  reported: 100_000,
  openHours: 24,
  takeBackDays: 7,
} as const

/** What a column can be, besides a tag or a custom field. */
export const simpleTargets = [
  'skip',
  'email',
  'name',
  'first_name',
  'last_name',
  'language',
  /** When they asked, when they confirmed, when they left. */
  'created',
  'joined',
  'left',
  'left_reason',
  'paused_until',
  'pace',
  'source',
  'status',
  'tags',
  /** A yes or no: whoever it says yes of has left. */
  'has_left',
  /** A yes or no: whoever it says no of has left. */
  'is_subscribed',
] as const

/** What a column of the file becomes. A tag is given to whoever has a cell that is neither empty nor a no. */
export const Target = z.discriminatedUnion('to', [
  z.object({ to: z.enum(simpleTargets) }),
  z.object({ to: z.literal('tag'), tag: line(60) }),
  z.object({ to: z.literal('field'), field: z.string().max(40) }),
  z.object({ to: z.literal('new_field'), label: line(60), kind: z.enum(['text', 'number', 'date', 'yes_no']) }),
])
export type Target = z.infer<typeof Target>

/** Those of them that are a time. A custom field can be one too. */
export const timeTargets = ['created', 'joined', 'left', 'paused_until'] as const

/** Which comes first in days such as 03/04/2025. */
export const dayOrders = ['day_first', 'month_first'] as const
export type DayOrder = (typeof dayOrders)[number]

/** The tools whose exports are known by their names of columns (docs/import.md). */
export const presets = ['tirage', 'substack', 'mailchimp', 'beehiiv', 'ghost', 'listmonk'] as const
export const delimiters = [',', ';', '\t', '|'] as const

/** What was found at the beginning of a file. */
export const Sheet = z.object({
  encoding: z.enum(encodings),
  delimiter: z.enum(delimiters),
  hasHeader: z.boolean(),
  preset: z.enum(presets).nullable(),
  /** Cells with letters that encodings write differently: by them a person sees whether it is the right one. */
  samples: z.array(z.string()).default([]),
  columns: z.array(
    z.object({
      name: z.string(),
      /** Where days are unproven one of them; else from the first row in which it has such letters, or is not empty. */
      example: z.string(),
      /** What its days prove about their order at the beginning of the file; null when that matters for none. */
      days: z
        .enum([...dayOrders, 'mixed', 'unproven'])
        .nullable()
        .default(null),
      /** How many of a hundred rows have something in it, of those at the beginning. */
      filled: z.int(),
      target: Target,
    }),
  ),
})
export type Sheet = z.infer<typeof Sheet>

export const Choices = z.object({
  /** What each column becomes, in the order of the file. One of them is the address. */
  targets: z.array(Target).min(1).max(importLimits.columns),
  hasHeader: z.boolean(),
  /** Everybody of the file gets it. */
  tag: line(60).nullable().default(null),
  /** What happens to subscribers who are here already: what they lack is filled in, or what the file says takes its place. */
  existing: z.enum(['fill', 'replace']).default('fill'),
  /** Which comes first in days with slashes, dots or hyphens, where nothing in the file proves it. What the file proves takes its place. */
  dayOrder: z.enum(dayOrders).nullable().default(null),
  /** Where these people said yes. */
  origin: z.enum(['own_newsletter', 'event', 'customers', 'paper', 'other']),
  /** How these people said yes, in the owner's words: they become the words of their consent receipts. */
  words: line(1_000).refine((words) => words.length >= 20, { message: 'too_short' }),
  /** The owner confirms that everybody in the file asked for these mails. */
  confirmed: z.literal(true),
})
export type Choices = z.output<typeof Choices>

/** How many rows there are of each kind; in a dry run, how many there would be. */
export const Counts = z.object({
  rows: z.int(),
  /** New subscribers. */
  added: z.int(),
  /** Subscribers already; of them, those who had not confirmed yet and count now. */
  here: z.int(),
  confirmed: z.int(),
  /** The file says that they left, bounced, complained or never confirmed. They are kept as such and get no mail. */
  keptAway: z.int(),
  /** They left, bounced or complained here, or are suppressed: nothing brings them back. */
  leftOut: z.int(),
  /** Put into an earlier row with the same address. */
  twins: z.int(),
  refused: z.int(),
  /** The same two and the rows of which something could not be kept, by reason. */
  reasons: z.record(z.string(), z.int()),
})
export type Counts = z.infer<typeof Counts>

/** Why somebody whom an import has added stays when it is taken back. */
export const stayReasons = ['paid', 'booked', 'mailed', 'clicked', 'changed', 'caught', 'unreached', 'left'] as const
export type StayReason = (typeof stayReasons)[number]

/** How many of those whom an import had added went with it, and how many stayed. */
export const TakenBack = z.object({ removed: z.int(), stayed: z.partialRecord(z.enum(stayReasons), z.int()) })
export type TakenBack = z.infer<typeof TakenBack>

const ImportState = z.enum([
  'uploading',
  'uploaded',
  'refused',
  'checking',
  'checked',
  'importing',
  'finishing',
  'done',
  'cancelling',
  'cancelled',
  'taking_back',
  'taken_back',
])

/** Why no row of a file can be imported. */
export const FileRefusal = z.object({
  code: z.enum([
    'empty',
    'only_header',
    'spreadsheet',
    'archive',
    'binary',
    'too_many_columns',
    'line_too_long',
    'broken_quotes',
    'too_many_rows',
    'too_many_tags',
    'too_many_fields',
    'no_address',
    'day_order',
  ]),
  line: z.int().nullable(),
})
export type FileRefusal = z.infer<typeof FileRefusal>

export const Import = z.object({
  id: z.string(),
  state: ImportState,
  fileName: z.string(),
  bytes: z.int(),
  received: z.int(),
  /** How many parts have arrived: the number of the next one. */
  parts: z.int(),
  sheet: Sheet.nullable(),
  choices: Choices.omit({ confirmed: true }).nullable(),
  counts: Counts.nullable(),
  refusal: FileRefusal.nullable(),
  progress: z.object({ done: z.int(), total: z.int() }),
  createdAt: z.iso.datetime(),
  finishedAt: z.iso.datetime().nullable(),
  by: z.string().nullable(),
  /** Until then it can be taken back. */
  takeBackUntil: z.iso.datetime().nullable(),
  /** Null while it was not taken back. */
  takenBack: TakenBack.nullable(),
})

const Reported = z.object({ line: z.int(), reason: z.string(), cell: z.string() })

const OneImport = Newsletter.extend({ importId: z.string().max(20) })

export const listImports = endpoint('GET /api/newsletters/:newsletterId/imports', {
  permission: 'subscribers.import',
  summary: 'Imports of subscribers, the latest 50 first',
  params: Newsletter,
  reply: z.object({ imports: z.array(Import) }),
})

export const beginImport = endpoint('POST /api/newsletters/:newsletterId/imports', {
  permission: 'subscribers.import',
  cost: 'import',
  summary: 'Announce a CSV file of subscribers. It is uploaded in parts',
  params: Newsletter,
  body: z.object({ fileName: line(200), bytes: z.int().min(0).max(10_000_000_000_000) }),
  reply: Import,
  errors: ['file_too_large', 'too_many_imports', 'owner_unconfirmed'],
})

/** multipart/form-data with one field `file`. */
export const uploadImportPart = endpoint('POST /api/newsletters/:newsletterId/imports/:importId/parts/:part', {
  permission: 'subscribers.import',
  cost: 'import',
  summary:
    'Upload the next part of the file: 4,000,000 bytes, or what is left. The part that arrived last may be sent again',
  params: OneImport.extend({ part: z.coerce.number().int().min(0).max(10_000) }),
  reply: Import,
  errors: [
    'import_not_found',
    'import_moved_on',
    'file_too_large',
    'unsupported_media_type',
    'storage_full',
    'read_only',
    'storage_refuses',
    'storage_away',
  ],
})

export const getImport = endpoint('GET /api/newsletters/:newsletterId/imports/:importId', {
  permission: 'subscribers.import',
  summary: 'One import with the first rows of its report, up to five for each reason',
  params: OneImport,
  reply: Import.extend({ report: z.array(Reported) }),
  errors: ['import_not_found'],
})

export const readImportAs = endpoint('POST /api/newsletters/:newsletterId/imports/:importId/encoding', {
  permission: 'subscribers.import',
  cost: 'import',
  summary:
    'Read the file with another encoding than the one that was found. What was chosen for its columns is forgotten',
  params: OneImport,
  body: z.object({ encoding: z.enum(encodings) }),
  reply: Import,
  errors: ['import_not_found', 'import_moved_on', 'encoding_does_not_fit', 'storage_refuses', 'storage_away'],
})

export const checkImport = endpoint('POST /api/newsletters/:newsletterId/imports/:importId/check', {
  permission: 'subscribers.import',
  cost: 'import',
  summary: 'Say what the columns become and where the people said yes, and read every row. No subscriber is changed',
  params: OneImport,
  body: Choices,
  reply: Import,
  errors: ['import_not_found', 'import_moved_on', 'field_not_found'],
  audit: { act: 'import_checked', keeps: ['importId', 'origin'] },
})

export const startImport = endpoint('POST /api/newsletters/:newsletterId/imports/:importId/start', {
  permission: 'subscribers.import',
  cost: 'import',
  summary: 'Import what the dry run has read',
  params: OneImport,
  reply: Import,
  errors: ['import_not_found', 'import_moved_on', 'owner_unconfirmed'],
  audit: { act: 'import_started', keeps: ['importId'] },
})

export const cancelImport = endpoint('POST /api/newsletters/:newsletterId/imports/:importId/cancel', {
  permission: 'subscribers.import',
  summary: 'Stop an import. Whoever it has added already is removed again',
  params: OneImport,
  reply: Import,
  errors: ['import_not_found', 'import_moved_on'],
  audit: { act: 'import_cancelled', keeps: ['importId'] },
})

export const previewTakeBack = endpoint('GET /api/newsletters/:newsletterId/imports/:importId/take-back', {
  permission: 'subscribers.import',
  cost: 'import',
  summary: 'How many subscribers taking an import back would remove, and how many would stay, why',
  params: OneImport,
  /** Null for an import of more than 20,000 people: they would have to be looked at one by one. */
  reply: z.object({ takenBack: TakenBack.nullable() }),
  errors: ['import_not_found', 'import_moved_on'],
})

export const takeBackImport = endpoint('POST /api/newsletters/:newsletterId/imports/:importId/take-back', {
  permission: 'subscribers.import',
  cost: 'import',
  summary:
    'Within seven days: remove the subscribers that an import has added and to whom nothing has happened since. Whoever paid, was given a plan, was sent a letter, clicked, chose or was changed stays, and so does whoever the file says has left, as left. Nothing else is put back',
  params: OneImport,
  body: z.object({
    /** Whoever the file says has left, bounced or complained stays as such, so that no later file brings them back. False where the file was wrong about it. */
    keepLeft: z.boolean().default(true),
  }),
  reply: Import,
  errors: ['import_not_found', 'import_moved_on'],
  audit: { act: 'import_taken_back', keeps: ['importId'] },
})

export const downloadImportReport = endpoint('GET /api/newsletters/:newsletterId/imports/:importId/report.csv', {
  permission: 'subscribers.import',
  cost: 'export',
  summary: 'The rows that were refused or left out, each with its line, reason and cell, as CSV',
  params: OneImport,
  query: SheetLanguage,
  reply: Csv,
  errors: ['import_not_found'],
})
