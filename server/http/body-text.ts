import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyRequest {
    /** The JSON body as it arrived, for what checks it elsewhere. Empty without one. */
    bodyText: string
  }
}

/** Parses JSON bodies as Fastify does, and keeps their text as long as the request. */
export function keepBodyText(api: FastifyInstance): void {
  const parse = api.getDefaultJsonParser('error', 'error')
  api.decorateRequest('bodyText', '')
  api.removeContentTypeParser('application/json')
  api.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
    request.bodyText = text
    return parse(request, text, done)
  })
}
