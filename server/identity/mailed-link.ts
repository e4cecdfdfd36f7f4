import type { Config } from '../config.ts'
import { studioPaths } from '../http/studio-paths.ts'

type MailedLink = 'verify' | 'link' | 'reset'

/** The screen behind each link in a mail. Opening it changes nothing, because mail scanners open every link. */
const screens: Record<MailedLink, string> = {
  verify: studioPaths.verified,
  link: studioPaths.arrived,
  reset: studioPaths.reset,
}

/** The library's own addresses. Opening one of them would use up its link. */
const libraryPaths: Record<string, MailedLink> = {
  '/api/auth/verify-email': 'verify',
  '/api/auth/magic-link/verify': 'link',
}

/** The address in a mail. It opens a screen with one button, which sends `token` to the API. */
export const confirmationAddress = (
  { publicUrl }: Pick<Config, 'publicUrl'>,
  kind: MailedLink,
  query: { token: string; product?: string; from?: string },
): string => `${publicUrl}${screens[kind]}?${new URLSearchParams(query)}`

/**
 * The screen that replaces an address of the library whose GET changes something, or leads where its query says. Null for all
 * other addresses.
 */
export function screenFor(config: Pick<Config, 'publicUrl'>, url: string): string | null {
  const { pathname, searchParams } = new URL(url, config.publicUrl)
  const path = pathname.replace(/\/+$/, '')
  const reset = /^\/api\/auth\/reset-password\/([^/]+)$/.exec(path)
  if (reset) return confirmationAddress(config, 'reset', { token: reset[1] ?? '' })
  const kind = libraryPaths[path]
  return kind ? confirmationAddress(config, kind, { token: searchParams.get('token') ?? '' }) : null
}
