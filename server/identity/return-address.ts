import type { FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { isScreen } from '../http/studio-paths.ts'

/** The fields in which the library takes an address to go to afterwards. */
const fields = ['callbackURL', 'redirectTo', 'errorCallbackURL', 'newUserCallbackURL'] as const

/**
 * Refuses to sign somebody in and send them on to anything but a screen of the owner app. The library only compares origins, and a
 * short link of ours (`/r/…`) leads wherever its owner says.
 *
 * @throws AppError forbidden
 */
export function refuseForeignReturn({ body, query }: Pick<FastifyRequest, 'body' | 'query'>): void {
  for (const given of [body, query]) {
    if (typeof given !== 'object' || given === null) continue
    const values = new Map<string, unknown>(Object.entries(given))
    for (const field of fields) if (values.has(field) && !isScreen(values.get(field))) throw new AppError('forbidden')
  }
}
