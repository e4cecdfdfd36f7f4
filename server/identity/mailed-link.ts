import type { Config } from '../config.ts'
import { studioPaths } from '../http/studio-paths.ts'

type Pressed = 'verify' | 'link'

/** The screen behind each link of a mail. Opening it changes nothing: mail scanners open every link. */
const screens: Record<Pressed, string> = { verify: studioPaths.verified, link: studioPaths.arrived }

/** The library's own addresses, which would use a link up when they are merely opened. */
const libraryPaths: Record<string, Pressed> = {
  '/api/auth/verify-email': 'verify',
  '/api/auth/magic-link/verify': 'link',
}

/** Where a mail leads: a screen with one button, which then says `token` to the API. */
export const addressToPress = (
  { publicUrl }: Pick<Config, 'publicUrl'>,
  kind: Pressed,
  query: { token: string; product?: string },
): string => `${publicUrl}${screens[kind]}?${new URLSearchParams(query)}`

/** The screen to show in place of an address of the library that changes something by a GET; null for all others. */
export function screenInstead(config: Pick<Config, 'publicUrl'>, url: string): string | null {
  const { pathname, searchParams } = new URL(url, config.publicUrl)
  const kind = libraryPaths[pathname.replace(/\/+$/, '')]
  return kind ? addressToPress(config, kind, { token: searchParams.get('token') ?? '' }) : null
}
