import type { FastifyInstance, HTTPMethods } from 'fastify'
import { AppError } from '../errors.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const satisfies HTTPMethods[]

/**
 * Answers 405 with `Allow` where a path exists and the method does not (RFC 9110 section 15.5.6).
 * @returns a function that is called when all routes are there
 */
export function refuseOtherMethods(app: FastifyInstance): () => void {
  const known = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    known.set(url, new Set([...(known.get(url) ?? []), ...[method].flat()]))
  })
  return () => {
    for (const [url, allowed] of [...known]) {
      // Any address leads there, also those that do not exist.
      if (url === '/*') continue
      app.route({
        url,
        method: methods.filter((method) => !allowed.has(method)),
        schema: { hide: true },
        handler: (_request, reply) => {
          reply.header('allow', [...allowed].join(', '))
          throw new AppError('method_not_allowed')
        },
      })
    }
  }
}
