import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { Caller } from '../http/scope.ts'

export interface Auth {
  findCaller(request: FastifyRequest): Promise<Caller | null>
}

export function createAuth(_context: Context): Auth {
  return { findCaller: async () => null }
}
