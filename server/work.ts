import type { Context } from './context.ts'
import { sendMailJob } from './delivery/mail.ts'
import type { JobList } from './jobs/queue.ts'

/** THE MAP of what happens later: every job by name. `crontab` is in graphile-worker's syntax, UTC. */
export const jobsOf = (context: Context): JobList => ({
  send_mail: sendMailJob(context),
})

export const crontab = ''
