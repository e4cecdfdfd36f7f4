import { subscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, FastifyRequest } from 'fastify'

const undeclared = new WeakMap<FastifyInstance, Set<string>>()
const answered = new WeakSet<FastifyRequest>()

// Fastify tells of each new instance before it has routes, which is the only time for a hook that all of them get.
subscribe('fastify.initialization', (message) => {
  const { fastify } = message as { fastify: FastifyInstance }
  const found = new Set<string>()
  undeclared.set(fastify, found)
  fastify.addHook('onSend', async (request, reply) => {
    const { endpoint } = request.routeOptions.config
    if (endpoint && answered.has(request)) found.add(`${endpoint.method} ${endpoint.path} was answered twice`)
    answered.add(request)
    if (!endpoint || Object.hasOwn(request.routeOptions.schema?.response ?? {}, reply.statusCode)) return
    found.add(`${endpoint.method} ${endpoint.path}: ${reply.statusCode}`)
  })
})

/** @throws Error when an endpoint answered with a status that the API's document does not declare, or answered a request twice */
export function expectDeclaredStatuses(app: FastifyInstance): void {
  const found = [...(undeclared.get(app) ?? [])]
  if (found.length > 0)
    throw new Error(`statuses that the API does not declare, and second answers:\n${found.join('\n')}`)
}
