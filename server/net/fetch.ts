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
  const { method = 'GET', headers = {}, body, timeoutMs, maxBytes, mayBePrivate = false, mediaType } = options
  const send = { 'http:': requestPlain, 'https:': requestOverTls }[address.protocol]
  if (!send) throw new Error(`${address.protocol} is not HTTP`)
  const signal = AbortSignal.timeout(timeoutMs)
  const host = address.hostname.replace(/^\[|\]$/g, '')
  const checked = mayBePrivate ? null : await publicAddresses(host)
  return new Promise((resolve, reject) => {
    const given = { method, headers, signal, ...(checked && { lookup: lookupOf(checked) }) }
    const request = send(address, given, (response) => {
      const status = response.statusCode ?? 0
      const type = response.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
      const refusal =
        status < 200 || status >= 300
          ? new Error(`${host} answered ${status}`)
          : mediaType !== undefined && type !== mediaType
            ? new Error(`${host} answered with ${type ?? 'no media type'}`)
            : null
      if (refusal) request.destroy(refusal)
      else readBytes(response, maxBytes).then(resolve, reject)
    })
    request.on('error', reject).end(body)
  })
}

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
