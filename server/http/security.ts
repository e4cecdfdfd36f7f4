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

/** Headers for every answer (OWASP secure headers). A route may replace the content security policy with its own. */
export function secureHeaders(app: FastifyInstance, { publicUrl }: Pick<Config, 'publicUrl'>): void {
  const secure = publicUrl.startsWith('https:')
  app.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('content-security-policy')) reply.header('content-security-policy', strictPolicy)
    reply.header('x-content-type-options', 'nosniff')
    if (!reply.hasHeader('referrer-policy')) reply.header('referrer-policy', 'strict-origin-when-cross-origin')
    reply.header('cross-origin-opener-policy', 'same-origin')
    // Without includeSubDomains: other hosts of the domain are not ours.
    if (secure) reply.header('strict-transport-security', 'max-age=31536000')
  })
}
