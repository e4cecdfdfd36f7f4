import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isDatabaseAway } from '../database/away.ts'
import { AppError, type ErrorCode, type Faults, type FieldFault, type LimitFault } from '../errors.ts'
import { acceptedLanguage, defaultLanguage, type Language, locales } from '../languages.ts'
import { shortageIn } from '../shortage.ts'
import { type Translate, translator } from '../translator.ts'
import { strictPolicy } from './security.ts'

type ErrorPage = (error: AppError, request: FastifyRequest, reply: FastifyReply) => FastifyReply

const RETRY_SECONDS = 30

/**
 * Turns every thrown error into an answer in the caller's language. Below /api it has the API's shape. Elsewhere browsers
 * get a page, and programs get a plain sentence. Unknown errors are logged and not shown.
 */
export function handleErrors(app: FastifyInstance, sendPage: ErrorPage): void {
  const send = (error: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (error.status === 429) reply.header('retry-after', error.params.seconds ?? 60)
    if (error.status === 503) reply.header('retry-after', RETRY_SECONDS)
    if (/^\/api(\/|$|\?)/.test(request.url)) return sendError(error, request, reply)
    if (request.headers.accept?.includes('text/html')) return sendPage(error, request, reply)
    return sendSentence(error, request, reply)
  }
  app.setErrorHandler((error: FastifyError | AppError, request, reply) => {
    const known = asAppError(error, request)
    if (known.code === 'internal') request.log.error(error)
    if (known.cause && forOperators.has(known.code))
      request.log.error({ code: known.code, reason: reasonOf(known) }, 'not served')
    return send(known, request, reply)
  })
  app.setNotFoundHandler((request, reply) => send(new AppError('not_found'), request, reply))
}

/** Answers requests that Fastify refuses before it has a route, such as a URL that cannot be decoded. No hook has run yet. */
export function refuseEarly(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  request.language = acceptedLanguage(request.headers['accept-language'], defaultLanguage)
  reply.header('content-security-policy', strictPolicy).header('x-content-type-options', 'nosniff')
  sendError(asAppError(error, request), request, reply)
}

/** Answers mail providers and other programs, which act on the status. */
const sendSentence = (error: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  reply
    .code(error.status)
    .header('cache-control', 'no-store')
    .type('text/plain; charset=utf-8')
    .serializer(String)
    .send(`${sentenceOf(error, request.language ?? defaultLanguage)}\n`)

/** What people read about an error: whose limit it was, how to have a greater one, and how long to wait. */
export function sentenceOf({ code, params, limitOf }: AppError, language: Language): string {
  const t = translator(language)
  const sentence = t(`errors.${code}`, { ...params, wait: waitIn(language, Number(params.seconds ?? 60)) })
  return limitOf && limitOf !== 'proven' ? `${sentence} ${t(`errors.raise.${limitOf}`)}` : sentence
}

/** What people read about a field. */
export const sentenceOfFault = (fault: Faults[string], t: Translate): string =>
  typeof fault === 'string'
    ? t(`errors.fields.${fault}`)
    : 'said' in fault
      ? fault.said
      : t(`errors.fields.${fault.limit}`, { count: fault.count })

/** A time to wait in whole seconds, minutes or hours, rounded up. */
function waitIn(language: Language, seconds: number): string {
  const [value, unit] =
    seconds < 90 ? [seconds, 'second'] : seconds < 5400 ? [seconds / 60, 'minute'] : [seconds / 3600, 'hour']
  const format = new Intl.NumberFormat(locales[language], { style: 'unit', unit: String(unit), unitDisplay: 'long' })
  return format.format(Math.ceil(Number(value)))
}

/** Answers with an error in the API's shape. */
function sendError(error: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const language = request.language ?? defaultLanguage
  const t = translator(language)
  const message = sentenceOf(error, language)
  const fields = Object.entries(error.fields ?? {}).map(([path, fault]) => [path, sentenceOfFault(fault, t)])
  if (error.field) fields.push([error.field, message])
  return reply
    .code(error.status)
    .type('application/json')
    .serializer(JSON.stringify)
    .send({
      error: {
        code: error.code,
        message,
        ...(fields.length > 0 && { fields: Object.fromEntries(fields) }),
        ...(error.detail !== undefined && { detail: error.detail }),
      },
    })
}

function asAppError(error: FastifyError | AppError, { params }: FastifyRequest): AppError {
  if (error instanceof AppError) return error
  if (isOfNoId(error, params)) return new AppError('not_found')
  if (error.validation) {
    const fields = Object.fromEntries(
      error.validation.map((issue) => [issue.instancePath.replace(/^\//, '').replaceAll('/', '.'), faultOf(issue)]),
    )
    return new AppError('invalid', { fields })
  }
  return new AppError(codeOf(error), { cause: error })
}

/** What only whoever runs the server can change. The sentence for everybody else has no reason in it. */
const forOperators: ReadonlySet<ErrorCode> = new Set([
  'storage_full',
  'read_only',
  'storage_refuses',
  'storage_away',
  'busy',
])

const reasonOf = ({ cause }: AppError): string => (cause instanceof Error ? cause.message : '')

function codeOf(error: FastifyError): ErrorCode {
  const shortage = shortageIn(error)
  if (shortage) return shortage
  if (isDatabaseAway(error)) return 'database_away'
  if (error.statusCode === 413) return 'too_large'
  if (error.statusCode === 415) return 'unsupported_media_type'
  if (error.statusCode === 429) return 'too_many_requests'
  if (error.statusCode && error.statusCode < 500) return 'bad_request'
  return isUnstorable(error) ? 'bad_request' : 'internal'
}

/** SQLSTATE class 22: a value that PostgreSQL holds in no column, such as a NUL, the year 0 or a number beyond 2^31. */
const isUnstorable = ({ code }: FastifyError): boolean => /^22[0-9A-Z]{3}$/.test(code ?? '')

/** Whether the address of the call holds an id that nothing can have: one that its contract refuses, or a number beyond 2^31. */
const isOfNoId = (error: FastifyError, params: unknown): boolean =>
  error.validation
    ? error.validationContext === 'params'
    : isUnstorable(error) && Object.values(params ?? {}).some((id) => typeof id === 'number' && id > 2_147_483_647)

type Issue = NonNullable<FastifyError['validation']>[number]

/** What is wrong with a field, with the limit that it passed where there is one that a person can keep. */
function faultOf({ keyword, message, params }: Issue): FieldFault | LimitFault {
  // The contract names the sentence.
  if (keyword === 'custom') return (message ?? 'wrong') as FieldFault
  if (keyword === 'too_small' && params.minimum === 1 && !isNumber(params)) return 'required'
  if (keyword === 'too_small')
    return limitOf('at_least', params.minimum, params) ?? (isNumber(params) ? 'too_small' : 'too_short')
  if (keyword === 'too_big')
    return limitOf('at_most', params.maximum, params) ?? (isNumber(params) ? 'too_large' : 'too_long')
  if (keyword === 'invalid_type' && /received (undefined|null)$/.test(message ?? '')) return 'required'
  if (keyword !== 'invalid_format') return 'wrong'
  if (params.format === 'email') return 'not_an_email'
  if (params.format === 'url') return 'not_a_url'
  return formats.get(String(params.pattern)) ?? 'wrong'
}

const isNumber = ({ origin }: Issue['params']): boolean => origin === 'number' || origin === 'int'

const units = { string: '_characters', array: '_items', number: '', int: '' } as const

/** Null for a limit that excludes itself, or that only a program can pass. */
function limitOf(
  way: 'at_most' | 'at_least',
  limit: unknown,
  { origin, inclusive }: Issue['params'],
): LimitFault | null {
  const unit = units[String(origin) as keyof typeof units]
  if (unit === undefined || inclusive === false || !Number.isSafeInteger(limit) || Math.abs(Number(limit)) > 1e9)
    return null
  return { limit: `${way}${unit}`, count: Number(limit) }
}

/** The patterns of contracts that have a sentence of their own. */
const formats = new Map<string, FieldFault>([
  ['/^#[0-9A-Fa-f]{6}$/', 'not_a_colour'],
  ['/^[a-z0-9](-?[a-z0-9])+$/', 'not_a_handle'],
  ['/^[a-z0-9_.:-]+$/', 'host_alone'],
  ['/^[^\\p{Cc}\\p{Cs}\\p{Bidi_Control}]*$/u', 'unseen_characters'],
  ['/^$|[^\\s\\p{Default_Ignorable_Code_Point}]/u', 'unseen_characters'],
  ['/^(?:\\n|[^\\p{Cc}\\p{Cs}\\p{Bidi_Control}])*$/u', 'unseen_characters'],
])
