import { withoutGuard } from '../../database/csv.ts'
import { languages } from '../../languages.ts'
import type { CustomField } from '../../segments/fields.ts'
import { segmentLimits } from '../../segments/filter/contract.ts'
import { readAddress } from '../address.ts'
import { consentMeans, leaveReasons, type Pace, paces } from '../contract.ts'
import { probablyMeant } from '../domain-typos.ts'
import type { DayOrder, Target } from './contract.ts'
import type { CsvRow } from './csv-rows.ts'
import { hasTwoMeanings, isNoDay, isoOf } from './day-order.ts'
import type { RowReason } from './file/contract.ts'
import { ourTags, readTags } from './read-tags.ts'
import { anyTime, FIRST_DAY, pastOf, type Range, readTime } from './read-time.ts'

/** A row as it waits between the dry run and the import. */
export interface StagedRow {
  line: number
  /** Why it is refused, or null. */
  refusal: RowReason | null
  /** The cell that `refusal` is about, cut off. */
  cell: string | null
  /** What of it could not be kept: each reason once, with the cells that it is about, cut off. */
  notes: { reason: RowReason; cell: string }[]
  email: string | null
  normalised: string | null
  name: string | null
  language: string | null
  status: 'active' | 'pending' | 'unsubscribed' | 'bounced' | 'complained'
  /** The next four as PostgreSQL reads them, with microseconds. */
  createdAt: string | null
  joinedAt: string | null
  leftAt: string | null
  pausedUntil: string | null
  pace: Pace | null
  leftReason: string | null
  source: string | null
  fields: Record<string, string | number | boolean>
  tags: string[]
}

/** What a row is read with. */
export interface Reading {
  targets: Target[]
  /** The custom fields by their keys, those that the import makes too. */
  fields: ReadonlyMap<string, Pick<CustomField, 'kind' | 'choices'>>
  /** The key of the field that a column makes, by the column's place. */
  newKeys: ReadonlyMap<number, string>
  /** Whether it is an export of Tirage (docs/export.md). */
  isOurs: boolean
  /** Which comes first in days such as 03/04/2025; null when nobody can tell. */
  dayOrder: DayOrder | null
  /** A tag for everybody. */
  tag: string | null
  policyFor(normalised: string): { kind: 'role' | 'disposable' } | null
  now: Date
}

const CELL_LENGTH = 200
const NAME_LENGTH = 120
const TAG_LENGTH = 60
const TEXT_LENGTH = 500

const control = /[\p{Cc}\p{Bidi_Control}]/gu
const unreadable = '\uFFFD'

/** Reads one row: who it is and what is known of them, or why it is refused. Values that are wrong are left out and noted. */
export function readRow({ line, cells, fault, raw = '' }: CsvRow, reading: Reading): StagedRow {
  const row: StagedRow = {
    line,
    refusal: null,
    cell: null,
    notes: [],
    email: null,
    normalised: null,
    name: null,
    language: null,
    status: 'active',
    createdAt: null,
    joinedAt: null,
    leftAt: null,
    pausedUntil: null,
    pace: null,
    leftReason: null,
    source: null,
    fields: {},
    tags: reading.tag === null ? [] : [reading.tag],
  }
  if (fault) return refused(row, fault, raw.slice(0, CELL_LENGTH))
  if (hasTooMany(cells, reading.targets.length))
    return refused(row, 'too_many_cells', cells.join(' ').slice(0, CELL_LENGTH))
  const names = { first: '', last: '' }
  let says: StagedRow['status'] | null = null
  const { dayOrder } = reading
  const past = { dayOrder, range: pastOf(reading.now) }
  for (const [at, target] of reading.targets.entries()) {
    if (target.to === 'skip') continue
    const cell = unescaped(cells[at] ?? '')
    if (target.to === 'email') {
      const refusal = readEmail(row, cell, reading)
      if (refusal) return refused(row, refusal, cell)
      continue
    }
    if (cell === '') continue
    if (cell.includes(unreadable)) return refused(row, 'unreadable', cell)
    switch (target.to) {
      case 'name':
        row.name = cell
        break
      case 'first_name':
        names.first = cell
        break
      case 'last_name':
        names.last = cell
        break
      case 'language':
        row.language = languages.find((language) => language === cell.slice(0, 2).toLowerCase()) ?? null
        if (!row.language) note(row, 'other_language', cell)
        break
      case 'created':
        row.createdAt = timeOf(row, cell, past)
        break
      case 'joined':
        row.joinedAt = timeOf(row, cell, past)
        break
      case 'left':
        row.leftAt = timeOf(row, cell, past)
        says = sterner(says, 'unsubscribed')
        break
      case 'paused_until':
        row.pausedUntil = timeOf(row, cell, { dayOrder, range: anyTime })
        break
      case 'pace':
        row.pace = paceWords.get(cell.toLowerCase()) ?? null
        break
      case 'left_reason':
        row.leftReason = reasons.find((reason) => reason === cell) ?? null
        break
      case 'source':
        row.source = consentMeans.find((means) => means === cell) ?? null
        break
      case 'status': {
        const status = statuses.get(plain(cell))
        if (!status) return refused(row, 'unknown_status', cell)
        says = sterner(says, status)
        break
      }
      case 'has_left':
      case 'is_subscribed': {
        const answer = readYesNo(cell)
        if (answer === null) return refused(row, 'unknown_status', cell)
        if (answer === (target.to === 'has_left')) says = sterner(says, 'unsubscribed')
        break
      }
      case 'tags':
        for (const tag of reading.isOurs ? ourTags(cell) : readTags(cell)) addTag(row, tag)
        break
      case 'tag':
        if (readYesNo(cell) !== false) addTag(row, target.tag)
        break
      default:
        readField(row, target.to === 'field' ? target.field : (reading.newKeys.get(at) ?? ''), { cell, reading })
    }
  }
  const name = (row.name ?? `${names.first} ${names.last}`).replaceAll(control, ' ').trim()
  row.name = withinLength(row, 'long_name', { text: name, length: NAME_LENGTH }) || null
  row.status = says ?? 'active'
  return row
}

/** Why somebody left, as `subscriber.left_reason` has it. */
const reasons = [...leaveReasons, 'bounced', 'complained']

const refused = (row: StagedRow, reason: RowReason, cell: string): StagedRow => ({
  ...row,
  refusal: reason,
  cell: shown(cell),
  notes: [],
})

/** What could not be kept. */
function note(row: StagedRow, reason: RowReason, cell: string): void {
  const same = row.notes.find((each) => each.reason === reason)
  if (!same) row.notes.push({ reason, cell: shown(cell) })
  // One cell can name a million tags.
  else if (same.cell.length < CELL_LENGTH) same.cell = shown(`${same.cell} · ${cell}`)
}

/** The beginning of a text that is too long, which is noted. */
function withinLength(row: StagedRow, reason: RowReason, { text, length }: { text: string; length: number }): string {
  if (text.length > length) note(row, reason, text)
  return text.slice(0, length).toWellFormed()
}

/** PostgreSQL keeps no NUL, and half of a pair of surrogates is no text. */
const shown = (cell: string) => cell.replaceAll(control, ' ').trim().slice(0, CELL_LENGTH).toWellFormed()

/** Cells beyond the columns are only spaces at the ends of rows. */
const hasTooMany = (cells: string[], columns: number) =>
  cells.length > columns && cells.slice(columns).some((cell) => cell.trim() !== '')

/** Exports put an apostrophe before what a spreadsheet would run as a formula (docs/export.md). */
export const unescaped = (cell: string) => (cell.includes("'") ? withoutGuard(cell) : cell).trim()

/** Why an address is refused, or null. */
function readEmail(row: StagedRow, cell: string, { policyFor }: Reading): RowReason | null {
  if (cell === '') return 'no_address'
  if (cell.includes(unreadable)) return 'unreadable'
  const address = readAddress(bare(cell))
  if (!address) {
    // “@example.org” lacks its first part, and is no formula.
    if (/^[=+\-@]/.test(cell) && !readAddress(`a${cell}`)) return 'formula'
    if (/\s/.test(cell)) return 'space_in_address'
    return readAddress(withoutAccents(bare(cell))) ? 'accent_in_address' : 'not_an_address'
  }
  const policy = policyFor(address.normalised)
  if (policy) return `${policy.kind}_address`
  if (probablyMeant(address.normalised)) return 'mistyped_domain'
  row.email = address.typed
  row.normalised = address.normalised
  return null
}

/** As it would be without them, to say that they alone stand in the way: few mail servers take them before the @. */
const withoutAccents = (address: string) => address.normalize('NFD').replace(/\p{M}/gu, '')

/** `Ada <ada@example.org>` and `mailto:ada@example.org` are written too, and so are quotes with a space around them. */
const bare = (cell: string) => /<([^<>]+)>$/.exec(cell)?.[1] ?? cell.replace(/^"(.*)"$/, '$1').replace(/^mailto:/i, '')

/** Whoever is said to have left by one column has left. */
const order = ['active', 'pending', 'unsubscribed', 'bounced', 'complained'] as const
const sterner = (one: StagedRow['status'] | null, other: StagedRow['status']): StagedRow['status'] =>
  one && order.indexOf(one) > order.indexOf(other) ? one : other

const paceWords = new Map<string, Pace>([
  ...paces.map((pace) => [pace, pace] as const),
  ['chaque fois', 'every'],
  ['hebdomadaire', 'weekly'],
  ['mensuel', 'monthly'],
])

/** Words for a state, in the exports that docs/import.md names, in the studio and in lists that people keep: in plain letters. */
const statuses = new Map<string, StagedRow['status']>([
  ...words(
    'active',
    `active, subscribed, enabled, confirmed, regular, premium, gifted, trialed, yes, true, 1,
    actif, abonne, abonnee, inscrit, inscrite, confirme, confirmee, oui, vrai`,
  ),
  ...words(
    'pending',
    `pending, unconfirmed, unactivated, validating, needs attention, to confirm, not confirmed,
    a confirmer, en attente, non confirme, non confirmee`,
  ),
  ...words(
    'unsubscribed',
    `unsubscribed, inactive, cancelled, canceled, disabled, archived, removed, left, no, false, 0,
    desabonne, desabonnee, desinscrit, desinscrite, parti, partie, inactif, resilie, resiliee, non, faux`,
  ),
  ...words('bounced', 'bounced, bounce, cleaned, undeliverable, invalid, injoignable, rebond, en erreur, invalide'),
  ...words(
    'complained',
    `complained, complaint, blocklisted, blocked, spam, spammy, marked as spam,
    plainte, bloque, bloquee, signale comme indesirable, indesirable`,
  ),
])

function words(status: StagedRow['status'], list: string): [string, StagedRow['status']][] {
  return list.split(/,\s+/).map((word) => [word, status])
}

/** As it would be typed in a hurry: *Abonné·e* and *needs_attention* are `abonne` and `needs attention`. */
export const plain = (words: string): string =>
  words
    .trim()
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{M}|·e|\(e\)/gu, '')
    .replaceAll('’', "'")
    .replaceAll(/[_\s-]+/g, ' ')

/** What a cell answers; null when that is neither yes nor no. */
export function readYesNo(cell: string): boolean | null {
  const word = cell.toLowerCase()
  if (['true', 'yes', 'y', '1', 'oui', 'vrai', 'x'].includes(word)) return true
  return ['false', 'no', 'n', '0', 'non', 'faux'].includes(word) ? false : null
}

/** Capital letters make no other tag. */
function addTag(row: StagedRow, typed: string): void {
  const name = withinLength(row, 'long_tag', { text: typed, length: TAG_LENGTH })
  if (row.tags.some((tag) => tag.toLowerCase() === name.toLowerCase())) return
  if (row.tags.length >= segmentLimits.tagsOfSubscriber) note(row, 'too_many_tags', name)
  else row.tags.push(name)
}

function readField(row: StagedRow, key: string, { cell, reading }: { cell: string; reading: Reading }): void {
  const field = reading.fields.get(key)
  if (!field) return
  const value = fieldValue(field, cell, reading.dayOrder)
  if (value === null)
    note(row, (field.kind === 'date' && whyNoDay(cell, reading.dayOrder)) || `not_a_${field.kind}`, cell)
  else
    row.fields[key] =
      typeof value === 'string' ? withinLength(row, 'long_text', { text: value, length: TEXT_LENGTH }) : value
}

function fieldValue({ kind, choices }: Pick<CustomField, 'kind' | 'choices'>, cell: string, dayOrder: DayOrder | null) {
  switch (kind) {
    case 'text':
      return cell.replaceAll(control, ' ').trim() || null
    case 'choice':
      return choices.find((choice) => choice.toLowerCase() === cell.toLowerCase()) ?? null
    case 'yes_no':
      return readYesNo(cell)
    case 'date':
      return readTime(isoOf(cell, dayOrder) ?? cell, anyTime)?.slice(0, 10) ?? null
    case 'number': {
      const number = Number(/^-?\d+,\d+$/.test(cell) ? cell.replace(',', '.') : cell.replaceAll(/[\s_’']/g, ''))
      return Number.isFinite(number) && Math.abs(number) <= 1e15 ? number : null
    }
  }
}

function timeOf(row: StagedRow, cell: string, { dayOrder, range }: { dayOrder: DayOrder | null; range: Range }) {
  const written = isoOf(cell, dayOrder) ?? cell
  const time = readTime(written, range)
  if (time === null) note(row, whyNoDay(cell, dayOrder) ?? whyNoTime(written), cell)
  return time
}

/** Why a time that is outside of the range, or none at all, is not kept. */
function whyNoTime(written: string): RowReason {
  const time = readTime(written, anyTime)
  if (time === null) return 'not_a_time'
  return Date.parse(time) < FIRST_DAY ? 'time_too_early' : 'time_to_come'
}

/** What is wrong with the day of a date, where its form is right; else null. */
function whyNoDay(cell: string, dayOrder: DayOrder | null): RowReason | null {
  if (dayOrder === null && hasTwoMeanings(cell)) return 'mixed_days'
  return isNoDay(cell) ? 'no_such_day' : null
}
