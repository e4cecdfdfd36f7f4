import type { z } from 'zod'
import type { Access, Endpoint } from '../server/http/endpoint.ts'
import { currentLanguage } from './language.ts'

/** What the API answered when it refused, or what became of a call that had no answer (`offline`). */
export class ApiError extends Error {
  override readonly name = 'ApiError'

  constructor(
    /** A code of the error catalogue, or `offline` when there was no answer at all. */
    readonly code: string,
    /** A sentence in the language of the caller. */
    message: string,
    /** The fields at fault, by path, each with its sentence. */
    readonly fields: Record<string, string> = {},
    readonly status = 0,
    readonly detail: unknown = undefined,
  ) {
    super(message)
  }
}

type Given<Part extends string, Shape extends z.ZodType> =
  unknown extends z.input<Shape>
    ? { [key in Part]?: undefined }
    : Record<never, never> extends z.input<Shape>
      ? { [key in Part]?: z.input<Shape> }
      : { [key in Part]: z.input<Shape> }

/** What a call needs: the parameters of its path, its query and its body, each only where the contract has one. */
export type CallOptions<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = Given<'params', P> &
  Given<'query', Q> &
  Given<'body', B> & {
    signal?: AbortSignal
    /** Lets the call go on when the page is closed meanwhile; browsers do so for up to 64 kB of body. */
    outlive?: boolean
  }

/**
 * Calls one endpoint of the API and answers its reply.
 *
 * @throws {ApiError} with the server's code, sentence and field errors; code `offline` when no answer came.
 */
export async function call<
  A extends Access,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
>(endpoint: Endpoint<A, P, Q, B, R>, options: CallOptions<P, Q, B>): Promise<z.output<R>> {
  const { params, query, body, signal, outlive } = options as LooseOptions
  const headers: Record<string, string> = { accept: 'application/json', 'accept-language': currentLanguage() }
  if (body !== undefined) headers['content-type'] = 'application/json'
  const text = body === undefined ? undefined : JSON.stringify(body)
  return request(addressOf(endpoint, params, query), {
    method: endpoint.method,
    headers,
    ...(text !== undefined && { body: text }),
    ...(outlive && bytesOf(text) < OUTLIVING_BYTES && { keepalive: true }),
    ...(signal && { signal }),
  }) as Promise<z.output<R>>
}

/** Under the 64 kB that all calls which outlive the page share. */
const OUTLIVING_BYTES = 60_000
const bytesOf = (text = ''): number => (text.length > OUTLIVING_BYTES ? text.length : new Blob([text]).size)

/** Sends files as a multipart form, for endpoints that take an upload. Throws as `call` does. */
export function upload(path: string, form: FormData, signal?: AbortSignal): Promise<unknown> {
  const headers = { accept: 'application/json', 'accept-language': currentLanguage() }
  return request(path, { method: 'POST', headers, body: form, ...(signal && { signal }) })
}

/** The address of an endpoint with its parameters filled in, such as `/api/newsletters/x7/subscribers?status=active`. */
export function addressOf(endpoint: Pick<Endpoint, 'path'>, params: Values = {}, query: Values = {}): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '')
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return search ? `${path}?${search}` : path
}

type Values = Record<string, unknown>

interface LooseOptions {
  params?: Values
  query?: Values
  body?: unknown
  signal?: AbortSignal
  outlive?: boolean
}

async function request(path: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(path, { credentials: 'same-origin', ...init }).catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
    throw new ApiError('offline', '')
  })
  const reply: unknown = await response.json().catch(() => null)
  if (response.ok) return reply
  throw refusal(response.status, reply)
}

function refusal(status: number, reply: unknown): ApiError {
  const { error } = (reply ?? {}) as {
    error?: { code?: string; message?: string; fields?: Record<string, string>; detail?: unknown }
  }
  return new ApiError(error?.code ?? 'unanswered', error?.message ?? '', error?.fields, status, error?.detail)
}
