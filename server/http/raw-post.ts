import type { FastifyRequest } from 'fastify'
import type { Route } from './routes.ts'

/** A webhook at a public path. It takes a body of any type as its bytes, because the bytes are what is signed. */
export function rawPost<Params>(
  path: string,
  maxBytes: number,
  handler: (request: FastifyRequest<{ Params: Params }>) => Promise<unknown>,
): Route {
  return {
    method: 'POST',
    path,
    access: 'page',
    register: (app) => {
      void app.register(async (scope) => {
        scope.removeAllContentTypeParsers()
        scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytes }, (_request, body, done) =>
          done(null, body),
        )
        scope.post<{ Params: Params }>(path, { schema: { hide: true }, bodyLimit: maxBytes }, handler)
      })
    },
  }
}
