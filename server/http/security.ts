import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'

/** Forbids scripts, loading and frames. A page that needs more sets its own policy. */
export const strictPolicy = [
  "default-src 'none'",
  "img-src 'self' data:",
  "style-src 'self'",
  "font-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

type Setting = Pick<Config, 'publicUrl' | 'hstsSubdomains'>

/** Headers of every answer (OWASP secure headers). */
export function headersOfAll({ publicUrl, hstsSubdomains }: Setting): Record<string, string> {
  // Other hosts of the domain are not ours, so only the operator can speak for them.
  const strictTransport = `max-age=31536000${hstsSubdomains ? '; includeSubDomains' : ''}`
  return {
    'content-security-policy': strictPolicy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    ...(publicUrl.startsWith('https:') && { 'strict-transport-security': strictTransport }),
  }
}

/** Gives every answer these headers, streams included. A route may replace one of them with its own. */
export function secureHeaders(app: FastifyInstance, config: Setting): void {
  const headers = headersOfAll(config)
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers)
  })
}
