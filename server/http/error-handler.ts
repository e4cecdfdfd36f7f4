import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isDatabaseAway } from '../database/away.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import { type SentenceKey, translator } from '../language.ts'

/** Turns whatever was thrown into the one error shape, in the caller's language. Unknown errors are logged, not shown. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError | AppError, request, reply) => {
    const known = asAppError(error)
    if (known.code === 'internal') request.log.error(error)
    return sendError(known, request, reply)
  })
  app.setNotFoundHandler((request, reply) => sendError(new AppError('not_found'), request, reply))
}

/** Answers with an error in the API's shape. */
export function sendError(error: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const t = translator(request.language ?? 'en')
  const fields =
    error.fields &&
    Object.fromEntries(
      Object.entries(error.fields).map(([path, key]) => [
        path,
        t(`errors.fields.${key}` as SentenceKey, { defaultValue: key }),
      ]),
    )
  if (error.code === 'too_many_requests') reply.header('retry-after', error.params.seconds ?? 60)
  return reply
    .code(error.status)
    .type('application/json')
    .serializer(JSON.stringify)
    .send({
      error: {
        code: error.code,
        message: t(`errors.${error.code}`, error.params),
        ...(fields && { fields }),
        ...(error.detail !== undefined && { detail: error.detail }),
      },
    })
}

function asAppError(error: FastifyError | AppError): AppError {
  if (error instanceof AppError) return error
  if (error.validation) {
    const fields = Object.fromEntries(
      error.validation.map((issue) => [issue.instancePath.replace(/^\//, '').replaceAll('/', '.'), sentenceFor(issue)]),
    )
    return new AppError('invalid', { fields })
  }
  return new AppError(codeOf(error), { cause: error })
}

function codeOf(error: FastifyError): ErrorCode {
  if (error.statusCode === 413) return 'too_large'
  if (error.statusCode === 415) return 'unsupported_media_type'
  if (error.statusCode === 429) return 'too_many_requests'
  if (error.statusCode && error.statusCode < 500) return 'bad_request'
  if (isDatabaseAway(error)) return 'database_away'
  return 'internal'
}

type Issue = NonNullable<FastifyError['validation']>[number]

/** What is wrong with a field, as a key below `errors.fields`. */
function sentenceFor({ keyword, message, params }: Issue): string {
  if (keyword === 'too_small') return params.minimum === 1 ? 'required' : 'too_short'
  if (keyword === 'too_big') return 'too_long'
  if (keyword === 'invalid_type' && /received (undefined|null)$/.test(message ?? '')) return 'required'
  if (keyword !== 'invalid_format') return 'wrong'
  if (params.format === 'email') return 'not_an_email'
  if (params.format === 'url') return 'not_a_url'
  return formats.get(String(params.pattern)) ?? 'wrong'
}

/** The forms that have a sentence of their own, by the pattern of the contract. */
const formats = new Map([
  ['/^#[0-9A-Fa-f]{6}$/', 'not_a_colour'],
  ['/^[a-z0-9](-?[a-z0-9])+$/', 'not_a_handle'],
])
