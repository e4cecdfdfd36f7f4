import type { Context } from './context.ts'
import type { JobList } from './jobs/queue.ts'

/** THE MAP of what happens later: every job by name. `crontab` is in graphile-worker's syntax, UTC. */
export const jobsOf = (_context: Context): JobList => ({})

export const crontab = ''
