import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { AppError, type ErrorCode } from '../errors.ts'
import { defaultLanguage } from '../languages.ts'
import { codeOf } from '../start-error.ts'
import { translator } from '../translator.ts'
import { strictPolicy } from './security.ts'

const codes: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

/**
 * Answers a request that Node's parser refuses, before Fastify has seen it: headers that are too large (RFC 6585 section 5), one that
 * does not arrive in time, or what is not HTTP at all. It has the shape of every other error; the language is not known.
 */
export function answerUnreadable(error: Error, socket: Socket): void {
  // A connection that is gone has nobody to answer.
  if (codeOf(error) === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { code, status } = new AppError(codes[String(codeOf(error))] ?? 'bad_request')
  const body = JSON.stringify({ error: { code, message: translator(defaultLanguage)(`errors.${code}`) } })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `content-security-policy: ${strictPolicy}`,
    'x-content-type-options: nosniff',
    'cache-control: no-store',
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
