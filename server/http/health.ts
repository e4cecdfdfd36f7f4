import type { Readiness } from './readiness.ts'
import { page, type Route } from './routes.ts'

/** For the operator: `/healthz` says that the process runs, and `/readyz` that it can do its work, or everything that keeps it from it. */
export function healthRoutes(readiness: Readiness): Route[] {
  return [
    page('GET /healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ ok: true })),
    page('GET /readyz', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const reasons = await readiness.hindrances()
      const [reason] = reasons
      if (!reason) return reply.send({ ok: true })
      request.log.warn({ reasons }, 'not ready')
      return reply.code(503).send({ ok: false, reason, reasons })
    }),
  ]
}
