import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

/** The header for the address that Fastify trusts. A value that the client sent is replaced. */
export const IP_HEADER = 'x-tirage-ip'

/** Turns a request into one of the web API, with these headers and its parsed body as JSON. Only JSON is accepted before, so another site's form never is. */
export function webRequest(
  { publicUrl }: Pick<Config, 'publicUrl'>,
  request: FastifyRequest,
  headers: Headers,
): Request {
  const hasBody = request.method !== 'GET' && request.body !== undefined && request.body !== null
  return new Request(`${publicUrl}${request.url}`, {
    method: request.method,
    headers,
    ...(hasBody && { body: JSON.stringify(request.body) }),
  })
}

export function webHeaders(request: FastifyRequest): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined && !name.startsWith(':')) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  headers.delete('content-length')
  headers.set(IP_HEADER, request.ip)
  return headers
}
