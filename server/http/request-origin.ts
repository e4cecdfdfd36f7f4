import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance } from 'fastify'
import { networkOf } from './limits.ts'

/** Where a request came from. */
export interface RequestOrigin {
  /** As `networkOf` shortens it. */
  network: string
  /** The browser's own description of itself. */
  device: string | null
}

/** It belongs to the running request, so that what happens deep in the identity library can be noted without passing it everywhere. */
const origins = new AsyncLocalStorage<RequestOrigin>()

/** Keeps, for the time of each request, where it came from. */
export function keepOrigins(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    origins.run({ network: networkOf(request.ip), device: request.headers['user-agent'] ?? null }, done)
  })
}

/** Null outside of a request. */
export const requestOrigin = (): RequestOrigin | null => origins.getStore() ?? null
