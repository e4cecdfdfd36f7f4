import { sql } from 'kysely'
import type { Db } from '../../database/client.ts'
import { AppError } from '../../errors.ts'
import { readAddress } from '../../subscribers/address.ts'
import type { DayOrder } from '../../subscribers/import/contract.ts'
import { DayEvidence, hasTwoMeanings, isoOf } from '../../subscribers/import/day-order.ts'
import { readFile } from '../../subscribers/import/read-file.ts'
import { anyTime, readTime } from '../../subscribers/import/read-time.ts'
import { RefusedFile, readSheet } from '../../subscribers/import/sheet.ts'
import { instantOf } from '../../wall-clock.ts'
import type { Plan } from '../plans/contract.ts'
import { type FileLine, outsideFileLimits } from './contract.ts'
import { sumOfLine } from './line-sum.ts'

/** The columns of the file, by the names that its first line may have for them. */
const columns = {
  email: ['email', 'e-mail', 'address', 'adresse', 'courriel'],
  plan: ['plan', 'formule'],
  until: ['until', 'end', 'fin', 'jusqu’au', "jusqu'au"],
  amount: ['amount', 'montant'],
  currency: ['currency', 'devise', 'monnaie'],
  name: ['name', 'nom'],
  note: ['note'],
} as const
type Column = keyof typeof columns
/** Of the columns that are in none of these, so many are named. */
const MOST_UNKNOWN = 20
type Cells = Record<Column, string>

/** A line as it was read, with what it says besides. */
export interface ReadLine extends FileLine {
  name: string
  note: string
}

interface Reading {
  db: Db
  newsletter: { id: string; currency: string; language: 'en' | 'fr'; timezone: string }
  plans: Plan[]
  now: Date
}

/**
 * Reads a file of subscriptions and says of each line what would become of it, and which columns it did not know, without changing anything.
 * @throws AppError file_refused
 */
export async function readOutsideFile(
  reading: Reading,
  csv: string,
): Promise<{ lines: ReadLine[]; unknownColumns: string[] }> {
  const { rows, unknownColumns } = await rowsOf(csv)
  const dayOrder = dayOrderOf(rows)
  const once: Once = { end: onceEach(), sum: onceEach() }
  const read = rows.map(({ line, cells, fault }) =>
    fault ? { ...nothing, line, result: fault } : readLine({ ...reading, dayOrder, once }, line, cells),
  )
  const known = await findHeld(
    reading,
    read.flatMap(({ normalised }) => normalised ?? []),
  )
  const seen = new Set<string>()
  const lines = read.map(({ normalised, ...line }): ReadLine => {
    if (normalised === null) return line
    const held = known.get(normalised)
    if (held?.some(({ planId, until }) => planId === line.planId && isUntil(until, line.until)))
      return { ...line, result: 'there' }
    const key = `${normalised} ${line.planId}`
    if (seen.has(key)) return { ...line, result: 'twice' }
    seen.add(key)
    return { ...line, result: held ? 'subscriber' : 'new_address' }
  })
  return { lines, unknownColumns }
}

/** Whether a line goes in. */
export const goesIn = ({ result }: ReadLine): boolean => result === 'subscriber' || result === 'new_address'

interface Held {
  planId: number
  until: Date | null
}

const isUntil = (held: Date | null, end: string | null): boolean =>
  held === null || (end !== null && held >= new Date(end))

/** The subscribers among addresses, with the plans that they have. Who only said yes to a campaign is asked whether they want the mail, as somebody new is. */
async function findHeld({ db, newsletter }: Reading, normalised: string[]): Promise<Map<string, Held[]>> {
  const { rows } = await sql<{ normalised: string; held: { planId: number; until: string | null }[] }>`
    select s.email_normalised as normalised, coalesce(jsonb_agg(jsonb_build_object('planId', b.plan_id, 'until', b.paid_until))
      filter (where b.id is not null), '[]') as held
    from subscriber s left join subscription b
      on b.newsletter_id = s.newsletter_id and b.subscriber_id = s.id and b.status <> 'ended'
    where s.newsletter_id = ${newsletter.id} and s.email_normalised = any(${normalised}::text[]) and s.status <> 'campaign_only'
    group by s.email_normalised`.execute(db)
  return new Map(
    rows.map(({ normalised, held }) => [
      normalised,
      held.map(({ planId, until }) => ({ planId, until: until === null ? null : new Date(until) })),
    ]),
  )
}

/** Computes once what many lines have alike: an end or a sum costs a millisecond, and long files have few different ones. */
function onceEach<Value>() {
  const known = new Map<string, { value: Value }>()
  return (cells: (string | number)[], compute: () => Value): Value => {
    const key = cells.join('\n')
    const found = known.get(key) ?? { value: compute() }
    known.set(key, found)
    return found.value
  }
}

/** What lines have alike. */
type Once = {
  end: ReturnType<typeof onceEach<Date | null>>
  sum: ReturnType<typeof onceEach<ReturnType<typeof sumOfLine>>>
}

/** A line before its address was looked for; null: it does not go in, whoever it is. */
type Unlooked = ReadLine & { normalised: string | null }

const nothing = {
  normalised: null,
  ...{ email: '', name: '', note: '' },
  ...{ planId: null, until: null, amount: null, currency: null, priceId: null },
}

/** What all ends together prove. */
function dayOrderOf(rows: { line: number; cells: Cells }[]): DayOrder | null {
  const evidence = new DayEvidence()
  for (const { line, cells } of rows) evidence.add(cells.until, { line, column: 0 })
  return evidence.order === 'mixed' ? null : evidence.order
}

async function rowsOf(csv: string) {
  try {
    const bytes = Buffer.from(csv, 'utf8')
    const { delimiter } = readSheet(bytes, { isWhole: true, fields: [], encoding: 'utf-8' })
    const rows = []
    const parts = (async function* () {
      yield bytes
    })()
    for await (const group of readFile({ parts, encoding: 'utf-8', delimiter, hasHeader: false }))
      rows.push(...group.rows)
    const [header, ...lines] = rows
    const names = header?.cells.map((cell) => cell.replace(/^\uFEFF/, '').trim()) ?? []
    const places = new Map(names.map((name, at) => [columnNamed(name), at]))
    const unknownColumns = names
      .filter((name) => name !== '' && !columnNamed(name))
      .slice(0, MOST_UNKNOWN)
      .map((name) => name.slice(0, 60))
    for (const needed of ['email', 'plan', 'until'] as const)
      if (!places.has(needed))
        throw new AppError('file_refused', { params: { reason: needed }, detail: { column: needed } })
    const maximum = outsideFileLimits.rows
    if (lines.length > maximum) throw new AppError('file_refused', { detail: { code: 'too_many_rows', maximum } })
    const cellsOf = (cells: string[]) =>
      Object.fromEntries(
        (Object.keys(columns) as Column[]).map((name) => [name, cells[places.get(name) ?? -1]?.trim() ?? '']),
      ) as Cells
    return { rows: lines.map(({ line, cells, fault }) => ({ line, fault, cells: cellsOf(cells) })), unknownColumns }
  } catch (error) {
    if (error instanceof RefusedFile)
      throw new AppError('file_refused', { detail: { code: error.code, line: error.line } })
    throw error
  }
}

const columnNamed = (name: string): Column | undefined =>
  (Object.keys(columns) as Column[]).find((column) =>
    (columns[column] as readonly string[]).includes(name.toLowerCase()),
  )

function readLine(
  { newsletter, plans, now, dayOrder, once }: Reading & { dayOrder: DayOrder | null; once: Once },
  line: number,
  cells: Cells,
): Unlooked {
  const said = { ...nothing, line, email: cells.email.slice(0, 254), name: cells.name, note: cells.note.slice(0, 200) }
  const address = readAddress(cells.email)
  if (!address) return { ...said, result: 'no_address' }
  if (!cells.plan) return { ...said, result: 'no_plan' }
  const plan = planNamed(plans, cells.plan)
  if (!plan) return { ...said, result: 'unknown_plan' }
  if (!dayOrder && hasTwoMeanings(cells.until)) return { ...said, planId: plan.id, result: 'day_order' }
  const end = once.end([cells.until], () => endOf(cells.until, { dayOrder, timezone: newsletter.timezone }))
  if (!end) return { ...said, planId: plan.id, result: 'bad_end' }
  const until = end.toISOString()
  if (end <= now) return { ...said, planId: plan.id, until, result: 'past_end' }
  const paid = once.sum([plan.id, cells.amount, cells.currency, cells.until], () =>
    sumOfLine({ cells, prices: plan.prices, newsletter, span: { now, end } }),
  )
  if (typeof paid === 'string') return { ...said, planId: plan.id, until, result: paid }
  return { ...said, ...paid, planId: plan.id, until, normalised: address.normalised, result: 'new_address' }
}

/** By its name in any language, or its id. */
const planNamed = (plans: Plan[], cell: string): Plan | undefined => {
  const named = cell.toLowerCase()
  return plans.find(
    ({ id, kind, words }) =>
      kind === 'paid' && (String(id) === cell || Object.values(words).some(({ name }) => name.toLowerCase() === named)),
  )
}

/** A day is meant with all its hours in the timezone of the newsletter. */
function endOf(cell: string, { dayOrder, timezone }: { dayOrder: DayOrder | null; timezone: string }): Date | null {
  const time = readTime(isoOf(cell, dayOrder) ?? cell, anyTime)
  if (time === null) return null
  return cell.includes(':') ? new Date(time) : instantOf(Date.parse(`${time.slice(0, 10)}T23:59:59Z`), timezone)
}
