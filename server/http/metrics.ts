import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import { page, type Route } from './routes.ts'
import { hashToken } from './signing.ts'

type Setting = Pick<Config, 'metricsToken'>

/** The registry for the figures of all slices. The process itself is measured only when somebody may read `/metrics`. */
export function createMetrics({ metricsToken }: Setting): Registry {
  const registry = new Registry()
  if (metricsToken) collectDefaultMetrics({ register: registry })
  return registry
}

/** A histogram of answers. Addresses are not used: there is no end of them, and some are secret. */
export const answerTimes = (registry: Registry) =>
  new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Answers of the web server, by route',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [registry],
  })

/** Counts and times every answer of the framework by its route. */
export function measureAnswers(app: FastifyInstance, seconds: ReturnType<typeof answerTimes>): void {
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    seconds.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    done()
  })
}

/** `/metrics` for Prometheus, with METRICS_TOKEN as bearer token. Without that setting the address does not exist. */
export function metricsRoutes({ metricsToken }: Setting, registry: Registry): Route[] {
  if (metricsToken === null) return []
  const expected = hashToken(`Bearer ${metricsToken}`)
  return [
    page('GET /metrics', async (request, reply) => {
      const given = hashToken(request.headers.authorization ?? '')
      if (!timingSafeEqual(given, expected)) throw new AppError('unauthenticated')
      const figures = await registry.metrics()
      return reply.header('cache-control', 'no-store').type(registry.contentType).send(figures)
    }),
  ]
}
