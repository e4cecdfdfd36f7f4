import type { Context } from '../context.ts'
import type { Route } from '../http/routes.ts'
import type { Auth } from './auth.ts'

export function identityRoutes(_context: Context, _auth: Auth): Route[] {
  return []
}
