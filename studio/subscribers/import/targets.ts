import { type Sheet, type Target, timeTargets } from '../../../server/subscribers/import/contract.ts'

type Simple = Exclude<Target['to'], 'tag' | 'field' | 'new_field'>

/** What a column can become, in the groups of the list to choose from. */
export const simpleTargets = {
  person: ['email', 'name', 'first_name', 'last_name', 'language', 'pace', 'source'],
  history: ['created', 'joined', 'status', 'left', 'left_reason', 'has_left', 'is_subscribed', 'paused_until'],
} as const satisfies Record<string, Simple[]>

/** The value of a target in the list to choose from. */
export const choiceOf = (target: Target): string => (target.to === 'field' ? `field:${target.field}` : target.to)

/** The target that was chosen from the list. A tag and a new field are called like the column at first. */
export function targetOf(choice: string, column: string): Target {
  const name = column.slice(0, 60)
  if (choice === 'tag') return { to: 'tag', tag: name }
  if (choice === 'new_field') return { to: 'new_field', label: name, kind: 'text' }
  if (choice.startsWith('field:')) return { to: 'field', field: choice.slice('field:'.length) }
  const simple = [...simpleTargets.person, ...simpleTargets.history, 'tags' as const].find((to) => to === choice)
  return { to: simple ?? 'skip' }
}

/** What is wrong with a choice of columns, if something is: the server refuses it for the same. */
export function problemOf(targets: Target[]): 'noEmail' | 'noName' | 'twice' | null {
  if (!targets.some(({ to }) => to === 'email')) return 'noEmail'
  if (targets.some((target) => nameIn(target)?.trim() === '')) return 'noName'
  const once = targets
    .filter(({ to }) => to !== 'skip' && to !== 'tag')
    .map((target) => (target.to === 'new_field' ? `new:${target.label.trim().toLowerCase()}` : choiceOf(target)))
  return new Set(once).size < once.length ? 'twice' : null
}

function nameIn(target: Target): string | undefined {
  if (target.to === 'tag') return target.tag
  return target.to === 'new_field' ? target.label : undefined
}

/** A day of the columns that become times, when nothing in them proves whether it begins with the day or the month. */
export function unprovenDay(sheet: Sheet, targets: Target[], fields: { key: string; kind: string }[]): string | null {
  const times = sheet.columns.filter((_, at) => isTime(targets[at], fields))
  const isProven = times.some(({ days }) => days !== null && days !== 'unproven')
  return isProven ? null : (times.find(({ days }) => days === 'unproven')?.example ?? null)
}

function isTime(target: Target | undefined, fields: { key: string; kind: string }[]): boolean {
  if (target?.to === 'new_field') return target.kind === 'date'
  if (target?.to === 'field') return fields.some(({ key, kind }) => key === target.field && kind === 'date')
  return timeTargets.some((to) => to === target?.to)
}
