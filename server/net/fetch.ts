import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestOverTls } from 'node:https'
import { lookupOf, publicAddresses } from './public-address.ts'

export interface LimitedRequest {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string
  /** For everything: DNS, connection, request and answer. */
  timeoutMs: number
  /** Of the answer's body. */
  maxBytes: number
  /** Only for an address that the operator chose: it may lead into the private network. */
  mayBePrivate?: boolean
  /** Any other media type of the answer is an error. */
  mediaType?: string
}

/**
 * Makes one HTTP request to an address that somebody else chose, within limits of time and size.
 *
 * Only public addresses are asked, and the connection goes to the very addresses that were checked: a name that resolves
 * differently a moment later gains nothing. Redirects are not followed, because they would lead around the check.
 *
 * @returns the body of a 2xx answer
 * @throws NotPublic for an address of a private network; TooLarge for an answer beyond the limit; Error for any other
 * answer, when the time is over, or without a connection
 */
export async function limitedFetchBytes(address: URL, options: LimitedRequest): Promise<Buffer> {
  const { timeoutMs, maxBytes, mediaType, ...how } = options
  const response = await answerOf(address, { ...how, signal: AbortSignal.timeout(timeoutMs) })
  const status = response.statusCode ?? 0
  const type = response.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  const refusal =
    status < 200 || status >= 300
      ? new Error(`${address.hostname} answered ${status}`)
      : mediaType !== undefined && type !== mediaType
        ? new Error(`${address.hostname} answered with ${type ?? 'no media type'}`)
        : null
  if (!refusal) return readBytes(response, maxBytes)
  response.destroy()
  throw refusal
}

interface OneRequest {
  method?: 'GET' | 'HEAD' | 'POST'
  headers?: Record<string, string>
  body?: string | undefined
  mayBePrivate?: boolean
  /** What finds the addresses of a host, and refuses those that must not be asked. */
  resolve?: typeof publicAddresses
  signal: AbortSignal
}

/**
 * The beginning of an answer. Whoever asks reads its body within their limits, or destroys it.
 *
 * @throws NotPublic for an address of a private network; Error when the time is over, or without a connection
 */
export async function answerOf(address: URL, options: OneRequest): Promise<IncomingMessage> {
  const { method = 'GET', headers = {}, body, signal, mayBePrivate = false, resolve = publicAddresses } = options
  const send = { 'http:': requestPlain, 'https:': requestOverTls }[address.protocol]
  if (!send) throw new Error(`${address.protocol} is not HTTP`)
  const checked = mayBePrivate ? null : await inTime(resolve(address.hostname.replace(/^\[|\]$/g, '')), signal)
  return new Promise((answered, reject) => {
    const given = { method, headers, signal, ...(checked && { lookup: lookupOf(checked) }) }
    const noAnswer = () => reject(new Error(`${address.hostname} gave no answer`))
    // Whoever changes to another protocol (101) answers nothing, and that is no error of the connection.
    send(address, given, answered).on('error', reject).on('close', noAnswer).end(body)
  })
}

/** What comes before the signal ends it. DNS itself cannot be ended. */
const inTime = <T>(coming: Promise<T>, signal: AbortSignal): Promise<T> =>
  Promise.race([
    coming,
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
  ])

/** The same, as text. */
export const limitedFetch = async (address: URL, options: LimitedRequest): Promise<string> =>
  (await limitedFetchBytes(address, options)).toString('utf8')

/** An answer was larger than the caller takes. */
export class TooLarge extends Error {
  constructor(maxBytes: number) {
    super(`The answer is larger than ${maxBytes} bytes`)
  }
}

async function readBytes(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response) {
    bytes += chunk.length
    if (bytes > maxBytes) throw new TooLarge(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
