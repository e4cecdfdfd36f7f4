import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { page, type Route } from './routes.ts'

/** For the operator: `/healthz` says that the process runs, and `/readyz` that it can do its work. */
export function healthRoutes({ db }: Context): Route[] {
  return [
    page('GET /healthz', async (_request, reply) => reply.header('cache-control', 'no-store').send({ ok: true })),
    page('GET /readyz', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      try {
        await sql`select 1`.execute(db)
        return reply.send({ ok: true })
      } catch (error) {
        request.log.warn({ err: error }, 'not ready: the database does not answer')
        return reply.code(503).send({ ok: false, reason: 'database' })
      }
    }),
  ]
}
