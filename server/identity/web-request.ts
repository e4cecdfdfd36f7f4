import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

/** Set from what Fastify trusts; whatever a client sends under this name is replaced. */
export const IP_HEADER = 'x-tirage-ip'

/** A parsed body goes on as JSON; only JSON comes this far, so no form of another site is turned into it. */
export function webRequest({ publicUrl }: Pick<Config, 'publicUrl'>, request: FastifyRequest): Request {
  const hasBody = request.method !== 'GET' && request.body !== undefined && request.body !== null
  return new Request(`${publicUrl}${request.url}`, {
    method: request.method,
    headers: webHeaders(request),
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
