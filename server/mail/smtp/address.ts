import { isIP, type LookupFunction } from 'node:net'

/** What a client proves itself with: a password, or a token of OAuth 2. */
export interface Credentials {
  user: string
  secret: string
  kind: 'password' | 'token'
}

/** Where a relay is, and how it is spoken to. */
export interface RelayAddress {
  host: string
  port: number
  /** TLS from the first byte. */
  secure: boolean
  /** Without TLS nothing is sent: a password never crosses a network in the clear. */
  requireTls: boolean
  credentials: Credentials | null
  /** No TLS even when it is offered. */
  plain?: boolean
  /** How its name is looked up; as Node does when it is not set. */
  lookup?: LookupFunction
}

const LOCAL = new Set(['localhost', '127.0.0.1', '::1'])

/**
 * `smtp://user:password@host:587`, or `smtps://` for TLS from the first byte. With `?auth=xoauth2` the password is an
 * OAuth 2 token. Certificates are always verified. Throws what URL throws.
 */
export function relayAddress(url: string): RelayAddress {
  const { protocol, hostname, port, username, password, searchParams } = new URL(url)
  const secure = protocol === 'smtps:'
  const host = hostname.replace(/^\[|\]$/g, '')
  const kind = searchParams.get('auth')?.toLowerCase() === 'xoauth2' ? 'token' : 'password'
  const credentials = username
    ? { user: decodeURIComponent(username), secret: decodeURIComponent(password), kind }
    : null
  return {
    host,
    port: port ? Number(port) : secure ? 465 : 587,
    secure,
    requireTls: !secure && credentials !== null && !LOCAL.has(host),
    credentials: credentials as Credentials | null,
  }
}

/** The name to greet a relay with (RFC 5321 section 4.1.4): the host we are known by, or an address in brackets. */
export function greetingName(publicUrl: string): string {
  const host = new URL(publicUrl).hostname.replace(/^\[|\]$/g, '')
  const family = isIP(host)
  if (family === 6) return `[IPv6:${host}]`
  if (family === 4) return `[${host}]`
  return host.includes('.') ? host : '[127.0.0.1]'
}
