import { text as readAll } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import type { z } from 'zod'
import type { Context } from '../context.ts'
import { AppError } from '../errors.ts'
import { sentenceOfFault } from '../http/error-handler.ts'
import { asciiDomain } from '../mail/mime/address.ts'
import { StartError } from '../start-error.ts'
import type { Translate } from '../translator.ts'
import { changeRelay, createRelay, setDomainLimits } from './contract.ts'
import { domainLimitsOf, type RelayRow, relaysOf } from './queries.ts'
import { placeName, placeOf } from './registry.ts'
import { relayConfigOf } from './relay-set.ts'
import { relayOfUrl } from './relay-url.ts'
import { addRelay, alterRelay, putDomainLimits, removeRelay } from './settings.ts'

interface Terminal {
  t: Translate
  say(line: string): void
}

const options = {
  name: { type: 'string' },
  weight: { type: 'string' },
  connections: { type: 'string' },
  'per-second': { type: 'string' },
  'per-hour': { type: 'string' },
  'warm-up': { type: 'string' },
  enabled: { type: 'string' },
} as const

/**
 * `tirage relays`: the relays of the whole server, for newsletters without relays of their own.
 * @throws StartError for what cannot be done as asked
 */
export async function relaysCommand(context: Context, args: string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [act = 'list', ...rest] = positionals
  await run(context, { act, rest, settings: settingsOf(values) }, terminal).catch((error: unknown) => {
    throw error instanceof AppError ? new StartError(sentencesOf(error, terminal.t)) : error
  })
  await show(context, terminal)
}

interface Command {
  act: string
  rest: string[]
  settings: Settings
}

async function run(context: Context, { act, rest, settings }: Command, { t }: Terminal): Promise<void> {
  if (act === 'add') await add(context, rest, settings)
  else if (act === 'set')
    await alterRelay(context, { newsletterId: null, id: rest[0] ?? '' }, checked(changeRelay.body, settings))
  else if (act === 'remove') await removeRelay(context.db, null, rest[0] ?? '')
  else if (act === 'domain') await limitDomain(context, rest[0] ?? '', settings)
  else if (act !== 'list') throw new StartError(t('cli.unknownCommand', { command: `relays ${act}` }))
}

const sentencesOf = ({ code, params, fields = {} }: AppError, t: Translate): string =>
  [
    t(`errors.${code}`, params),
    ...Object.entries(fields).map(([path, fault]) => `${path}: ${sentenceOfFault(fault, t)}`),
  ].join('\n')

async function add(context: Context, [name = '', given = '']: string[], settings: Settings): Promise<void> {
  const url = given === '-' ? (await readAll(process.stdin)).trim() : given
  await addRelay(context, null, checked(createRelay.body, { ...settings, name, ...relayOfUrl(url) }))
}

type Settings = Partial<
  Record<'name' | 'weight' | 'connections' | 'perSecond' | 'perHour' | 'warmUp' | 'enabled', unknown>
>

/** `none` takes a limit away. */
function settingsOf(values: { [option in keyof typeof options]?: string | undefined }): Settings {
  const number = (text: string | undefined) => (text === undefined ? undefined : text === 'none' ? null : Number(text))
  const choice = (text: string | undefined) => (text === 'on' ? true : text === 'off' ? false : text)
  const all = {
    name: values.name,
    weight: number(values.weight),
    connections: number(values.connections),
    perSecond: number(values['per-second']),
    perHour: number(values['per-hour']),
    warmUp: choice(values['warm-up']),
    enabled: choice(values.enabled),
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

/** Without limits it has none any more. */
async function limitDomain({ db }: Context, domain: string, { perSecond = null, perHour = null }: Settings) {
  const others = (await domainLimitsOf(db, null)).filter((limit) => limit.domain !== asciiDomain(domain))
  const wanted = perSecond === null && perHour === null ? [] : [{ domain, perSecond, perHour }]
  const { limits } = checked(setDomainLimits.body, { limits: [...others, ...wanted] })
  await putDomainLimits(db, null, limits)
}

function checked<S extends z.ZodType>(shape: S, value: unknown): z.output<S> {
  const parsed = shape.safeParse(value)
  if (parsed.success) return parsed.data
  throw new StartError(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'))
}

async function show({ db }: Context, { t, say }: Terminal): Promise<void> {
  const relays = await relaysOf(db, null)
  if (relays.length === 0) say(t('cli.relays.none'))
  for (const relay of relays) say(`  ${line(relay, t)}`)
  for (const { readable, perSecond, perHour } of await domainLimitsOf(db, null)) {
    say(`  ${[readable, ...limits(perSecond, perHour, t)].join(', ')}`)
  }
}

function line(row: RelayRow, t: Translate): string {
  const { id, name, weight, per_second, per_hour, enabled, resting_until, last_answer } = row
  const rests = resting_until !== null && resting_until > new Date()
  return [
    `${id}  ${name} (${placeName(placeOf(relayConfigOf(row)))})`,
    t('cli.relays.weight', { weight }),
    ...limits(per_second, per_hour, t),
    ...(row.warm_up_started_at ? [t('cli.relays.warmUp')] : []),
    ...(enabled ? [] : [t('cli.relays.off')]),
    ...(rests ? [t('cli.relays.resting', { answer: last_answer ?? '' })] : []),
  ].join(', ')
}

const limits = (perSecond: number | null, perHour: number | null, t: Translate): string[] => [
  ...(perSecond === null ? [] : [t('cli.relays.perSecond', { number: perSecond })]),
  ...(perHour === null ? [] : [t('cli.relays.perHour', { number: perHour })]),
]
