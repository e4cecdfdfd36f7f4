import { parseArgs } from 'node:util'
import { messageOf, StartError } from '../../start-error.ts'
import type { Translate } from '../../translator.ts'
import { Choices, type Sheet, simpleTargets, Target } from './contract.ts'
import { encodingNamed } from './encodings.ts'
import { type Encoding, encodings } from './file/contract.ts'

const options = {
  newsletter: { type: 'string' },
  origin: { type: 'string' },
  words: { type: 'string' },
  map: { type: 'string', multiple: true },
  tag: { type: 'string' },
  existing: { type: 'string', default: 'fill' },
  encoding: { type: 'string' },
  days: { type: 'string' },
  report: { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
} as const

/** What a person typed after `tirage import`. */
export interface ImportOrder {
  file: string
  newsletter: string
  /** What columns become, in place of what their names suggest. */
  map: { column: string; target: Target }[]
  /** In place of the one that is found, or null. */
  encoding: Encoding | null
  /** A path, `-` for standard output, or null. */
  report: string | null
  isDryRun: boolean
  choices: Pick<Choices, 'tag' | 'existing' | 'origin' | 'words' | 'dayOrder'>
}

/** @throws StartError that says what is missing or wrong */
export function readOrder(args: string[], t: Translate): ImportOrder {
  const { values, positionals } = parsed(args)
  const [file, ...more] = positionals
  const { newsletter, origin, words, map = [], tag, existing, report, encoding, days } = values
  if (!file || more.length > 0 || !newsletter || !origin || !words) throw new StartError(t('cli.import.missing'))
  const choices = Choices.pick({ tag: true, existing: true, origin: true, words: true, dayOrder: true }).safeParse({
    ...{ origin, words, existing, tag: tag ?? null, dayOrder: days?.replace('-', '_') ?? null },
  })
  if (!choices.success) throw new StartError(t(`cli.import.wrong.${wrongOne(choices.error.issues[0]?.path[0])}`))
  return {
    ...{ file, newsletter, report: report ?? null, isDryRun: values['dry-run'], choices: choices.data },
    encoding: encoding === undefined ? null : readEncoding(encoding, t),
    map: map.map((given) => readMap(given, t)),
  }
}

function parsed(args: string[]) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    throw new StartError(messageOf(error), { cause: error })
  }
}

const wrongOne = (name: unknown) =>
  name === 'origin' || name === 'words' || name === 'existing' || name === 'dayOrder' ? name : 'tag'

/** Any name that the Encoding Standard has for it. @throws StartError that lists those that there are */
function readEncoding(given: string, t: Translate): Encoding {
  const encoding = encodingNamed(given)
  if (encoding) return encoding
  throw new StartError(t('cli.import.badEncoding', { given, encodings: encodings.join(', ') }))
}

const fields = [...simpleTargets, 'tag:…', 'field:…', 'new:…'].join(', ')

/** `Courriel=email`, `VIP=tag:vip`, `Town=field:city` or `Boat=new:Boat`. A column's name may contain an equals sign. */
function readMap(given: string, t: Translate): ImportOrder['map'][number] {
  const at = given.lastIndexOf('=')
  const [kind = '', ...rest] = given.slice(at + 1).split(':')
  const name = rest.join(':')
  const named: Record<string, unknown> = {
    tag: { to: 'tag', tag: name },
    field: { to: 'field', field: name },
    new: { to: 'new_field', label: name, kind: 'text' },
  }
  const target = Target.safeParse(named[kind] ?? { to: given.slice(at + 1) })
  if (at < 1 || !target.success) throw new StartError(t('cli.import.badMap', { given, fields }))
  return { column: given.slice(0, at).trim().toLowerCase(), target: target.data }
}

/** As `--map` takes it. */
export function targetText(target: Target): string {
  if (target.to === 'tag') return `tag:${target.tag}`
  if (target.to === 'field') return `field:${target.field}`
  return target.to === 'new_field' ? `new:${target.label}` : target.to
}

type NamedColumn = Pick<Sheet['columns'][number], 'name' | 'target'>

/** What every column becomes: as asked, and otherwise as found. A column gives way to one that was asked to be the same. @throws StartError */
export function targetsOf(sheet: { columns: NamedColumn[] }, map: ImportOrder['map'], t: Translate): Target[] {
  const targets = sheet.columns.map(({ target }) => target)
  const names = sheet.columns.map(({ name }) => name.toLowerCase())
  for (const { column, target } of map) {
    const at = names.indexOf(column)
    const columns = sheet.columns.map(({ name }) => name).join(', ')
    if (at < 0) throw new StartError(t('cli.import.noColumn', { column, columns }))
    for (const [other, found] of targets.entries()) {
      if (targetText(found) === targetText(target) && target.to !== 'tag') targets[other] = { to: 'skip' }
    }
    targets[at] = target
  }
  if (!targets.some(({ to }) => to === 'email')) throw new StartError(t('cli.import.noAddress'))
  return targets
}
