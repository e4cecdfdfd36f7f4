import { matchPath } from 'react-router'
import { studioPaths } from '../../server/http/studio-paths.ts'

/** The state of a link from the steps of the dashboard, to be led back there. */
export const fromSteps = { fromSteps: true }

/** The state of a link from a pre-flight to what mends it, to be led back there. */
export const fromPreFlight = (path: string) => ({ fromPreFlight: path })

/** The state of a link to a page whose dialog opens at once. */
export const toBegin = { begins: true }

/** Whether somebody was led to a page to make something new. */
export const isToBegin = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'begins' in state && state.begins === true

interface WayBack {
  to: string
  label: 'dashboard.nextSteps' | 'publish.backToPreFlight'
}

/** Where somebody is led back to after what they came for; null when they came by themselves. */
export function wayBack(state: unknown): WayBack | null {
  if (typeof state !== 'object' || state === null) return null
  if ('fromSteps' in state && state.fromSteps === true) {
    return { to: studioPaths.dashboard, label: 'dashboard.nextSteps' }
  }
  const path = 'fromPreFlight' in state ? state.fromPreFlight : null
  return typeof path === 'string' && matchPath(studioPaths.send, path)
    ? { to: path, label: 'publish.backToPreFlight' }
    : null
}
