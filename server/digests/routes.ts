import type { Context } from '../context.ts'
import { on, type Route } from '../http/routes.ts'
import { listDigests } from './contract.ts'
import { findNextDigests } from './schedule.ts'

export const digestRoutes = ({ db, now }: Pick<Context, 'db' | 'now'>): Route[] => [
  on(listDigests, async ({ newsletter }) => ({ digests: await findNextDigests(db, newsletter, now()) })),
]
