import type { Location } from 'react-router'
import { isScreen } from '../../server/http/studio-paths.ts'

/** The token of the invitation whose page it is. */
export const invitationIn = (path: string | undefined): string | undefined =>
  path && /^\/invitation\/([^/?]+)$/.exec(path)?.[1]

/** The path to return to after signing in: a guarded route kept it in the navigation state, a mailed link or a provider in the query. */
export function returnPath({ state, search }: Pick<Location<unknown>, 'state' | 'search'>): string | undefined {
  const kept = typeof state === 'object' && state !== null && 'from' in state ? state.from : null
  const from = kept ?? new URLSearchParams(search).get('from')
  return isScreen(from) ? from : undefined
}
