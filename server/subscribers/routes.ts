import type { Context } from '../context.ts'
import type { Route } from '../http/routes.ts'

export function subscriberRoutes(_context: Context): Route[] {
  return []
}
