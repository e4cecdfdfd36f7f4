import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { portOf } from '../port.ts'
import { ApiError } from './api-error.ts'
import { expand } from './expand.ts'
import { readForm } from './form.ts'
import { checkParameters } from './parameters.ts'
import type { Right, Route } from './route.ts'
import { routes } from './routes.ts'
import { copyOf, type World } from './world.ts'

export interface Key {
  world: World
  /** Every right when there is none. */
  rights: Partial<Record<Right, 'none' | 'read' | 'write'>> | null
}

/** Something that goes wrong with a request. */
export interface Fault {
  /**
   * `refuse` answers a status and does nothing; `lose` does what was asked and then breaks the connection; `break` does nothing and
   * breaks it; `delay` answers late.
   */
  kind: 'refuse' | 'lose' | 'break' | 'delay'
  status?: 409 | 429 | 500 | 503
  ms?: number
  /** Of which requests: `POST /v1/refunds`. All when it is left out. */
  of?: string
  /** How often; once when it is left out. */
  times?: number
}

interface Asked {
  method: string
  path: string
  form: string
  key: Key
}

/** What was answered to an idempotency key (docs.stripe.com/api/idempotent_requests). */
interface Kept {
  request: string
  answer: Answer | null
}

interface Answer {
  status: number
  body: object
}

/** The HTTP side of the stand-in. It knows no object: it finds the route, the account and what may be asked. */
export class ApiServer {
  readonly keys = new Map<string, Key>()
  readonly faults: Fault[] = []
  /** Every request that arrived: `POST /v1/customers`. */
  readonly log: string[] = []
  readonly #kept = new Map<string, Kept>()
  readonly #server = createServer((request, response) => void this.#serve(request, response))

  constructor(
    /** What is not of the API, such as the hosted pages. Answers whether it was its. */
    private readonly page: (request: IncomingMessage, response: ServerResponse) => boolean,
    private readonly now: () => Date,
  ) {}

  get origin(): string {
    return `http://127.0.0.1:${portOf(this.#server)}`
  }

  async listen(): Promise<void> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening')
  }

  stop(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const url = new URL(request.url ?? '/', 'http://stand-in')
    const body = Buffer.concat(chunks).toString()
    if (!url.pathname.startsWith('/v1/')) {
      if (!this.page(request, response)) response.writeHead(404).end()
      return
    }
    const line = `${request.method ?? ''} ${url.pathname}`
    this.log.push(line)
    const fault = this.#takeFault(line)
    if (fault?.kind === 'delay') await new Promise((resolve) => setTimeout(resolve, fault.ms ?? 0))
    if (fault?.kind === 'break') return void request.socket.destroy()
    const form = request.method === 'GET' || request.method === 'DELETE' ? url.search.slice(1) || body : body
    const answer = this.#answer(request, { path: url.pathname, form, fault })
    if (fault?.kind === 'lose') return void request.socket.destroy()
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      date: this.now().toUTCString(),
      'request-id': `req_${this.log.length}`,
      // What the SDK obeys (docs.stripe.com/error-low-level).
      ...(answer.status === 409 && { 'stripe-should-retry': 'true' }),
    })
    response.end(JSON.stringify(answer.body))
  }

  #takeFault(line: string): Fault | undefined {
    const index = this.faults.findIndex(({ of }) => !of || line.startsWith(of))
    const fault = this.faults[index]
    if (!fault) return undefined
    fault.times = (fault.times ?? 1) - 1
    if (fault.times === 0) this.faults.splice(index, 1)
    return fault
  }

  #answer(
    { method = '', headers }: IncomingMessage,
    { path, form, fault }: { path: string; form: string; fault: Fault | undefined },
  ): Answer {
    try {
      if (fault?.kind === 'refuse') throw refusals[fault.status ?? 500]
      const secret = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
      const key = this.keys.get(secret)
      if (!key)
        throw new ApiError(401, {
          type: 'authentication_error',
          message: `Invalid API Key provided: ${secret.slice(0, 8)}********`,
        })
      return this.#once({ method, path, form, key }, headers['idempotency-key'])
    } catch (error) {
      if (error instanceof ApiError) return { status: error.status, body: { error: error.error } }
      // A fault of the stand-in itself. The SDK shows this sentence in the test that fails.
      const message = `The stand-in: ${error instanceof Error ? error.message : String(error)}`
      return { status: 400, body: { error: { type: 'invalid_request_error', message } } }
    }
  }

  /** The same key brings the same answer. */
  #once(asked: Asked, idempotency: string | string[] | undefined): Answer {
    if (asked.method === 'GET' || typeof idempotency !== 'string') return act(asked)
    const place = `${asked.key.world.account.id} ${idempotency}`
    const request = `${asked.method} ${asked.path} ${asked.form}`
    const kept = this.#kept.get(place)
    if (kept && kept.request !== request)
      throw new ApiError(400, {
        type: 'idempotency_error',
        message: 'Keys for idempotent requests can only be used with the same parameters they were first used with.',
      })
    if (kept?.answer) return kept.answer
    const answer = act(asked)
    // Kept as it was answered, whatever becomes of the object. A request that was refused leaves nothing.
    if (answer.status === 200 || answer.status === 402) this.#kept.set(place, { request, answer: copyOf(answer) })
    return answer
  }
}

const refusals: Record<number, ApiError> = {
  409: new ApiError(409, { type: 'invalid_request_error', code: 'lock_timeout', message: 'This object is locked.' }),
  429: new ApiError(429, { type: 'rate_limit_error', code: 'rate_limit', message: 'Too many requests.' }),
  500: new ApiError(500, { type: 'api_error', message: 'An unknown error occurred.' }),
  503: new ApiError(503, { type: 'api_error', message: 'Stripe is temporarily unavailable.' }),
}

function act({ method, path, form, key }: Asked): Answer {
  const { route, id } = findRoute(method, path)
  permit(route, key)
  const params = checkParameters(...route.parameters, readForm(form))
  try {
    const object = route.act(key.world, params, id)
    return { status: 200, body: expand(key.world, object, params) }
  } catch (error) {
    // A card that is declined was tried, and the same key must not try it again.
    if (error instanceof ApiError && error.status === 402) return { status: 402, body: { error: error.error } }
    throw error
  }
}

function findRoute(method: string, path: string): { route: Route; id: string } {
  for (const route of routes) {
    const found = new RegExp(`^${route.path.replace(':id', '([^/]+)')}$`).exec(path)
    if (found && route.method === method) return { route, id: decodeURIComponent(found[1] ?? '') }
  }
  const message = `Unrecognized request URL (${method}: ${path}).`
  throw new ApiError(404, { type: 'invalid_request_error', message })
}

/** Rights are asked before anything else, also of an object that does not exist. */
function permit({ method, right }: Route, { rights, world }: Key): void {
  const needs = method === 'GET' ? 'read' : 'write'
  const has = rights === null ? 'write' : (rights[right] ?? 'none')
  if (has === 'write' || has === needs) return
  throw new ApiError(403, {
    type: 'invalid_request_error',
    message: `The provided key does not have the required permissions for this endpoint on account '${world.account.id}'. Having the 'rak_${right}_${needs}' permission would allow this request to continue.`,
  })
}
