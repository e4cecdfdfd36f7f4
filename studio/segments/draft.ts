import type { z } from 'zod'
import type { CustomField as CustomFieldShape } from '../../server/segments/contract.ts'
import { Filter } from '../../server/segments/filter/contract.ts'

export type CustomField = z.infer<typeof CustomFieldShape>
export type Operator = (typeof operators)[keyof typeof operators][number]
export const ways = ['all', 'any', 'not'] as const
type Way = (typeof ways)[number]

/** A condition while it is written: every value is a text, and may be missing. */
export interface ConditionDraft {
  id: number
  /** What is asked about, such as `email`, or `field:city`. */
  subject: string
  op: Operator
  value: string
  to: string
}

export interface GroupDraft {
  id: number
  way: Way
  parts: Draft[]
}

export type Draft = ConditionDraft | GroupDraft

export const isGroup = (draft: Draft): draft is GroupDraft => 'parts' in draft

/** What can be asked about each kind of subject. The part before `_days` is the operator of the filter. */
const operators = {
  text: ['is', 'is_not', 'contains', 'contains_not', 'begins'],
  textOrNone: ['is', 'is_not', 'contains', 'contains_not', 'begins', 'empty', 'filled'],
  choice: ['is', 'is_not'],
  choiceOrNone: ['is', 'is_not', 'empty', 'filled'],
  number: ['is', 'is_not', 'less', 'more', 'between', 'empty', 'filled'],
  date: ['is', 'before', 'after', 'between', 'empty', 'filled'],
  yes_no: ['yes', 'no', 'empty', 'filled'],
  joined: ['within', 'longer_ago', 'is', 'before', 'after', 'between'],
  tag: ['has', 'has_not'],
  plan: ['has', 'has_not'],
  behaviour: ['did', 'did_not', 'did_days', 'did_not_days'],
  link: ['did', 'did_not'],
  campaign: ['did', 'did_not'],
} as const

const subjectKinds = {
  email: 'text',
  name: 'textOrNone',
  tag: 'tag',
  plan: 'plan',
  language: 'choice',
  pace: 'choice',
  status: 'choice',
  source: 'text',
  joined: 'joined',
  received: 'behaviour',
  opened: 'behaviour',
  clicked: 'behaviour',
  link: 'link',
  campaign: 'campaign',
} as const
export type Subject = keyof typeof subjectKinds
export const subjects = Object.keys(subjectKinds).filter((name): name is Subject => name in subjectKinds)

const fieldKinds = {
  text: 'textOrNone',
  choice: 'choiceOrNone',
  number: 'number',
  date: 'date',
  yes_no: 'yes_no',
} as const

/** The id of no field. */
const GONE = 0

/** The custom field that a subject names, or null for the others. Of one that is gone only the key is known. */
export function fieldOf(subject: string, fields: CustomField[]): CustomField | null {
  if (!subject.startsWith('field:')) return null
  const key = subject.slice('field:'.length)
  const gone: CustomField = { id: GONE, key, label: key, kind: 'text', choices: [], shownToSubscriber: false }
  return fields.find((field) => field.key === key) ?? gone
}

/** Whether a subject names a custom field that was deleted. */
export const isGone = (subject: string, fields: CustomField[]): boolean => fieldOf(subject, fields)?.id === GONE

export function operatorsOf(subject: string, fields: CustomField[]): readonly Operator[] {
  const field = fieldOf(subject, fields)
  if (field) return operators[fieldKinds[field.kind]]
  const known = subjects.find((one) => one === subject)
  return known ? operators[subjectKinds[known]] : []
}

/** How the value of a condition is typed or chosen. */
export type Operand =
  | 'none'
  | 'text'
  | 'number'
  | 'day'
  | 'days'
  | 'language'
  | 'pace'
  | 'status'
  | 'tag'
  | 'plan'
  | 'publication'
  | 'link'
  | 'campaign'
  | 'choice'

export function operandOf({ subject, op }: ConditionDraft, fields: CustomField[]): Operand {
  const field = fieldOf(subject, fields)
  if (op === 'empty' || op === 'filled' || op === 'yes' || op === 'no') return 'none'
  if (op === 'within' || op === 'longer_ago' || op === 'did_days' || op === 'did_not_days') return 'days'
  if (field)
    return ({ text: 'text', choice: 'choice', number: 'number', date: 'day', yes_no: 'none' } as const)[field.kind]
  if (
    subject === 'language' ||
    subject === 'pace' ||
    subject === 'status' ||
    subject === 'tag' ||
    subject === 'plan' ||
    subject === 'link' ||
    subject === 'campaign'
  )
    return subject
  if (subject === 'joined') return 'day'
  return subject === 'email' || subject === 'name' || subject === 'source' ? 'text' : 'publication'
}

let lastId = 0
export const nextId = (): number => ++lastId

export const newCondition = (subject: string, fields: CustomField[]): ConditionDraft => ({
  id: nextId(),
  subject,
  op: operatorsOf(subject, fields)[0] ?? 'is',
  value: '',
  to: '',
})

/** The filter that a draft says, or null while something is missing or out of bounds. */
export function filterOf(draft: Draft, fields: CustomField[]): Filter | null {
  const parsed = Filter.safeParse(written(draft, fields))
  return parsed.success ? parsed.data : null
}

function written(draft: Draft, fields: CustomField[]): unknown {
  if (isGroup(draft)) return { [draft.way]: draft.parts.map((part) => written(part, fields)) }
  const { subject, op, value, to } = draft
  const field = fieldOf(subject, fields)
  const operand = operandOf(draft, fields)
  const subjectPart = field ? { on: 'field', field: field.key, kind: field.kind } : { on: subject }
  const typed = (text: string) => (operand === 'number' ? (text.trim() === '' ? null : Number(text)) : text)
  if (op === 'yes' || op === 'no') return { ...subjectPart, op: 'is', value: op === 'yes' }
  if (operand === 'none') return { ...subjectPart, op }
  if (operand === 'days') return { ...subjectPart, op: op.replace('_days', ''), days: Number(value) }
  if (op === 'between') return { ...subjectPart, op, from: typed(value), to: typed(to) }
  if (operand === 'tag') return { ...subjectPart, op, tag: Number(value) }
  if (operand === 'plan') return { ...subjectPart, op, plan: value === 'any' ? value : Number(value) }
  if (operand === 'publication' || operand === 'link' || operand === 'campaign')
    return { ...subjectPart, op, [operand]: value }
  return { ...subjectPart, op, value: typed(value) }
}

/** A draft of a stored filter. The outermost part is always a group. */
export function draftOf(filter: Filter): GroupDraft {
  const draft = partOf(filter)
  return isGroup(draft) ? draft : { id: nextId(), way: 'all', parts: [draft] }
}

function partOf(filter: Filter): Draft {
  const id = nextId()
  if ('all' in filter) return { id, way: 'all', parts: filter.all.map(partOf) }
  if ('any' in filter) return { id, way: 'any', parts: filter.any.map(partOf) }
  if ('not' in filter) return { id, way: 'not', parts: filter.not.map(partOf) }
  const subject = filter.on === 'field' ? `field:${filter.field}` : filter.on
  const read = { id, subject, value: '', to: '' }
  if ('days' in filter) {
    const { op } = filter
    return { ...read, op: op === 'did' || op === 'did_not' ? `${op}_days` : op, value: String(filter.days) }
  }
  if ('from' in filter) return { ...read, op: filter.op, value: String(filter.from), to: String(filter.to) }
  if ('tag' in filter) return { ...read, op: filter.op, value: String(filter.tag) }
  if ('plan' in filter) return { ...read, op: filter.op, value: String(filter.plan) }
  if ('publication' in filter) return { ...read, op: filter.op, value: filter.publication }
  if ('link' in filter) return { ...read, op: filter.op, value: filter.link }
  if ('campaign' in filter) return { ...read, op: filter.op, value: filter.campaign }
  if (!('value' in filter)) return { ...read, op: filter.op }
  if (typeof filter.value === 'boolean') return { ...read, op: filter.value ? 'yes' : 'no' }
  return { ...read, op: filter.op, value: String(filter.value) }
}
