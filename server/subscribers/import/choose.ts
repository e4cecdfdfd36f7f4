import { AppError } from '../../errors.ts'
import type { CustomField } from '../../segments/fields.ts'
import type { Choices, Sheet, Target } from './contract.ts'
import type { KeptChoices } from './work.ts'

/**
 * What an owner chose, made exact: a new field with the name of one that exists is that one, and the others get their keys.
 *
 * @throws AppError invalid, field_not_found
 */
export function settle(choices: Choices, sheet: Sheet, known: CustomField[]): KeptChoices {
  const { confirmed: _, ...kept } = choices
  if (choices.targets.length !== sheet.columns.length) throw new AppError('invalid', { fields: { targets: 'wrong' } })
  const targets = choices.targets.map((target) => existing(target, known))
  requireOneOfEach(targets)
  for (const target of targets) {
    if (target.to === 'field' && !known.some(({ key }) => key === target.field)) throw new AppError('field_not_found')
  }
  const keys = new Set(known.map(({ key }) => key))
  const newFields = targets.flatMap((target, column) => {
    if (target.to !== 'new_field') return []
    const key = freeKey(target.label, keys)
    keys.add(key)
    return [{ ...target, key, column }]
  })
  return { ...kept, targets, newFields }
}

const existing = (target: Target, known: CustomField[]): Target => {
  if (target.to !== 'new_field') return target
  const same = known.find(({ label }) => label.toLowerCase() === target.label.toLowerCase())
  return same ? { to: 'field', field: same.key } : target
}

/** One column is the address, and no two are the same thing. */
function requireOneOfEach(targets: Target[]): void {
  if (!targets.some(({ to }) => to === 'email')) throw new AppError('invalid', { fields: { targets: 'no_address' } })
  const names = targets.filter(({ to }) => to !== 'skip' && to !== 'tag').map((target) => nameOf(target).toLowerCase())
  if (new Set(names).size < names.length) throw new AppError('invalid', { fields: { targets: 'twice' } })
}

function nameOf(target: Target): string {
  if (target.to === 'field') return `field ${target.field}`
  return target.to === 'new_field' ? `new ${target.label}` : target.to
}

function freeKey(label: string, taken: ReadonlySet<string>): string {
  const letters = label
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  const base = (/^[a-z]/.test(letters) ? letters : `field_${letters}`).slice(0, 36)
  let key = base
  for (let n = 2; taken.has(key); n++) key = `${base}_${n}`
  return key
}
