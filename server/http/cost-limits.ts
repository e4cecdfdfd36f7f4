import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { type Cost, costs } from './costs.ts'
import { Gate, type Place } from './gate.ts'
import { Limit, networkOf } from './limits.ts'
import type { Caller } from './scope.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The JSON body as it arrived, for what checks it elsewhere. Empty without one. */
    bodyText: string
    /** Its place among the costly calls that run, from the moment its body has arrived. */
    place: Place | null
  }
}

const HOUR = 3600

interface Kept {
  limit: Limit
  ofNewsletters: Limit
  gate: Gate
}

/** Counts costly calls by person, in this process. */
export class CostLimits {
  readonly #kept = new Map<Cost, Kept>()

  /** @throws AppError too_many_requests */
  async charge(cost: Cost, caller: Caller | null, ip: string): Promise<void> {
    const { anHour, guestAnHour } = costs[cost]
    const { limit, ofNewsletters } = this.#of(cost)
    await limit.take(payer(caller, ip), caller?.user?.isAnonymous ? Math.ceil(anHour / guestAnHour) : 1)
    if (caller?.key) await ofNewsletters.take(caller.key.newsletterId)
  }

  /** Waits until the call may run. @throws AppError too_many_requests, busy */
  enter(cost: Cost, caller: Caller | null, ip: string): Promise<Place> {
    return this.#of(cost).gate.enter(payer(caller, ip), caller?.user?.isAnonymous ? 1 : costs[cost].atOnce)
  }

  #of(cost: Cost): Kept {
    const kept = this.#kept.get(cost)
    if (kept) return kept
    const { anHour, inProcess } = costs[cost]
    const made = {
      limit: new Limit(anHour, HOUR),
      ofNewsletters: new Limit(anHour * 2, HOUR),
      gate: new Gate(inProcess),
    }
    this.#kept.set(cost, made)
    return made
  }
}

const payer = (caller: Caller | null, ip: string): string =>
  caller?.user ? `user ${caller.user.id}` : caller ? `key ${caller.key.id}` : `network ${networkOf(ip)}`

/** A document of 32 levels has some 70 of JSON. */
const MAX_DEPTH = 200
const [QUOTE, BACKSLASH] = [34, 92]

/** Whether JSON has more levels than anything of ours: a million of them take seconds to parse. It takes some milliseconds for a megabyte. */
export function isTooDeep(json: string): boolean {
  let depth = 0
  let inText = false
  for (let at = 0; at < json.length; at++) {
    const sign = json.charCodeAt(at)
    if (sign === QUOTE) inText = !inText
    else if (inText) at += sign === BACKSLASH ? 1 : 0
    // `[` is 91 and `{` 123; their closing signs are two further.
    else if ((sign | 32) === 123 && ++depth > MAX_DEPTH) return true
    else if ((sign | 32) === 125) depth--
  }
  return false
}

/**
 * Bounds the costly calls of an API. The guard charges each call when it is admitted. A call takes its place when its body has arrived, so
 * that nobody keeps a place by sending slowly, and before the body is parsed. It gives it back when its answer is ready, or when an answer
 * that is streamed is over.
 */
export function limitCosts(api: FastifyInstance, limits: CostLimits): void {
  api.decorateRequest('place', null)
  const enter = async (request: FastifyRequest): Promise<void> => {
    const cost = request.routeOptions.config.endpoint?.cost
    if (cost && !request.place) request.place = await limits.enter(cost, request.caller, request.ip)
  }
  const parse = api.getDefaultJsonParser('error', 'error')
  api.decorateRequest('bodyText', '')
  api.removeContentTypeParser('application/json')
  api.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
    request.bodyText = text
    // Nothing is returned: Fastify would wait for it.
    void enter(request).then(() => {
      if (isTooDeep(text)) done(new AppError('bad_request'))
      else parse(request, text, done)
    }, done)
  })
  api.addHook('preValidation', enter)
  api.addHook('onSend', async ({ place }, { raw }, payload) => {
    if (!place) return
    if (isStream(payload) && !raw.closed && !raw.destroyed) raw.once('close', () => place.leave())
    else place.leave()
  })
}

const isStream = (payload: unknown): boolean => typeof payload === 'object' && payload !== null && 'pipe' in payload
