import type { z } from 'zod'
import type { Access, Endpoint, ErrorReply } from '../server/http/endpoint.ts'
import { currentLanguage } from './language.ts'

interface Refusal {
  /** The invalid fields by path, each with its sentence. */
  fields?: Record<string, string> | undefined
  /** The HTTP status, or 0 without an answer. */
  status?: number
  detail?: unknown
}

/** An error that the API answered, or a call that got no answer (`offline`). */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly fields: Record<string, string>
  readonly status: number
  readonly detail: unknown

  /**
   * @param code a code of the error catalogue, or `offline` when there was no answer
   * @param message a sentence in the language of the caller
   */
  constructor(
    readonly code: string,
    message: string,
    { fields = {}, status = 0, detail }: Refusal = {},
  ) {
    super(message)
    this.fields = fields
    this.status = status
    this.detail = detail
  }
}

type Given<Part extends string, Shape extends z.ZodType> =
  unknown extends z.input<Shape>
    ? { [key in Part]?: undefined }
    : Record<never, never> extends z.input<Shape>
      ? { [key in Part]?: z.input<Shape> }
      : { [key in Part]: z.input<Shape> }

/** What a call needs: path parameters, query and body, each only where the contract has one. */
export type CallOptions<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = Given<'params', P> &
  Given<'query', Q> &
  Given<'body', B> & {
    signal?: AbortSignal
    /** Lets the call go on after the page is closed; browsers allow it for up to 64 kB of body. */
    outlive?: boolean
  }

/**
 * Calls one endpoint of the API and returns its reply, which the server has checked against the contract.
 *
 * @throws {ApiError} with the server's code, sentence and field errors; code `offline` without an answer
 */
export async function call<
  A extends Access,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
>(endpoint: Endpoint<A, P, Q, B, R>, options: CallOptions<P, Q, B>): Promise<z.output<R>> {
  // A conditional type of open parameters has no properties to read.
  const { params, query, body, signal, outlive } = options as AnyOptions
  const text = body === undefined ? undefined : JSON.stringify(body)
  return request(addressOf(endpoint, params, query), {
    method: endpoint.method,
    headers: headersFor(body),
    ...(text !== undefined && { body: text }),
    ...(outlive && bytesOf(text) < OUTLIVING_BYTES && { keepalive: true }),
    ...(signal && { signal }),
  }) as Promise<z.output<R>>
}

/** Below the 64 kB that all calls which outlive the page share. */
const OUTLIVING_BYTES = 60_000
const bytesOf = (text = ''): number => (text.length > OUTLIVING_BYTES ? text.length : new Blob([text]).size)

/** Calls an address that is in no contract. Throws as `call` does; an error in another form than the API's is its `detail`. */
export function send(method: 'GET' | 'POST', path: string, body?: unknown): Promise<unknown> {
  return request(path, { method, headers: headersFor(body), ...(body !== undefined && { body: JSON.stringify(body) }) })
}

const headersFor = (body: unknown): Record<string, string> => ({
  accept: 'application/json',
  'accept-language': currentLanguage(),
  ...(body !== undefined && { 'content-type': 'application/json' }),
})

/** Sends files as a multipart form, for endpoints that take an upload. Throws as `call` does. */
export function upload(path: string, form: FormData, signal?: AbortSignal): Promise<unknown> {
  return request(path, { method: 'POST', headers: headersFor(undefined), body: form, ...(signal && { signal }) })
}

/** Has the browser save what an endpoint answers to a form. Nothing of the file is held by this page. */
export function download(address: string, fields: Record<string, string>): void {
  const form = document.createElement('form')
  form.method = 'post'
  form.action = address
  for (const [name, value] of Object.entries(fields)) {
    const field = document.createElement('input')
    Object.assign(field, { type: 'hidden', name, value })
    form.append(field)
  }
  document.body.append(form)
  form.submit()
  form.remove()
}

/** The address of an endpoint with its parameters filled in, such as `/api/newsletters/x7/subscribers?status=active`. */
export function addressOf(endpoint: Pick<Endpoint, 'path'>, params: Values = {}, query: Values = {}): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '')
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return search ? `${path}?${search}` : path
}

type Values = Record<string, unknown>

interface AnyOptions {
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
  if (!isErrorReply(reply)) return new ApiError('unanswered', '', { status, detail: reply })
  const { code, message, fields, detail } = reply.error
  return new ApiError(code, message, { fields, status, detail })
}

/** Whether it is the API that refused, and not a proxy or better-auth, whose errors have another form. */
function isErrorReply(reply: unknown): reply is z.infer<typeof ErrorReply> {
  if (typeof reply !== 'object' || reply === null || !('error' in reply)) return false
  const { error } = reply
  if (typeof error !== 'object' || error === null || !('code' in error) || !('message' in error)) return false
  return typeof error.code === 'string' && typeof error.message === 'string'
}
