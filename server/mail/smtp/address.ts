import { isIP, type LookupFunction } from 'node:net'

/** What a client signs in with: a password, or an OAuth 2 token. */
export interface Credentials {
  user: string
  secret: string
  kind: 'password' | 'token'
}

/** Where a relay is, and how to connect to it. */
export interface RelayAddress {
  host: string
  port: number
  /** TLS from the first byte. */
  secure: boolean
  /** Sends nothing without TLS, so that a password never crosses a network in clear text. */
  requireTls: boolean
  credentials: Credentials | null
  /** Uses no TLS even when the relay offers it. */
  plain?: boolean
  /** Resolves the host; by default the system does. */
  lookup?: LookupFunction
}

const LOCAL = new Set(['localhost', '127.0.0.1', '::1'])

/**
 * `smtp://user:password@host:587`, or `smtps://` for TLS from the first byte. With `?auth=xoauth2` the password is an
 * OAuth 2 token. Certificates are always verified.
 * @throws TypeError when it is not a URL
 */
export function relayAddress(url: string): RelayAddress {
  const { protocol, hostname, port, username, password, searchParams } = new URL(url)
  const secure = protocol === 'smtps:'
  const host = hostname.replace(/^\[|\]$/g, '')
  const kind: Credentials['kind'] = searchParams.get('auth')?.toLowerCase() === 'xoauth2' ? 'token' : 'password'
  const credentials = username
    ? { user: decodeURIComponent(username), secret: decodeURIComponent(password), kind }
    : null
  return {
    host,
    port: port ? Number(port) : secure ? 465 : 587,
    secure,
    requireTls: !secure && credentials !== null && !LOCAL.has(host),
    credentials,
  }
}

/** The limit of connections in `smtp://host?connections=40`; undefined without one, null when it is not 1 … 100. */
export function connectionsIn(url: string): number | undefined | null {
  const given = URL.canParse(url) ? new URL(url).searchParams.get('connections') : null
  if (given === null) return undefined
  const connections = Number(given)
  return /^\d+$/.test(given) && connections >= 1 && connections <= 100 ? connections : null
}

/** The name for EHLO (RFC 5321 section 4.1.4): the host of this server's address, or an IP address in brackets. */
export function greetingName(publicUrl: string): string {
  const host = new URL(publicUrl).hostname.replace(/^\[|\]$/g, '')
  const family = isIP(host)
  if (family === 6) return `[IPv6:${host}]`
  if (family === 4) return `[${host}]`
  return host.includes('.') ? host : '[127.0.0.1]'
}
