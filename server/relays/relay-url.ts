import { RelayKind } from './contract.ts'
import type { RelayUrl } from './providers/provider.ts'
import { relayTypes } from './registry.ts'

/**
 * A relay as one address, such as `smtps://user:password@host` or `postmark://TOKEN@stream`. Each provider's file says
 * the form of its own.
 *
 * @returns null when it is the address of no kind of relay. The contract says whether the values are valid.
 */
export function relayOfUrl(text: string): { way: unknown; secret: string | null } | null {
  const url = partsOf(text)
  if (!url) return null
  const { data: kind } = RelayKind.safeParse(url.protocol === 'smtps' ? 'smtp' : url.protocol)
  if (!kind || (kind === 'smtp' && !URL.canParse(text))) return null
  return relayTypes[kind].fromUrl(url)
}

/** Not by `URL`, which puts a host into lower case in some schemes and wants one in all. */
function partsOf(text: string): RelayUrl | null {
  const found = /^([a-z]+):\/\/(?:([^:@/]*)(?::([^@]*))?@)?([^/?]*)\/?(\?.*)?$/.exec(text)
  if (!found) return null
  const [, protocol = '', user, password, host = '', query] = found
  const decoded = (part: string | undefined) => (part ? decodeURIComponent(part) : null)
  return { protocol, user: decoded(user), password: decoded(password), host, query: new URLSearchParams(query), text }
}
