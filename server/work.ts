import type { Context } from './context.ts'
import { sendMailJob } from './delivery/mail.ts'
import type { JobList } from './jobs/queue.ts'
import { askConfirmationJob } from './subscribers/ask-confirmation.job.ts'

/** THE MAP of what happens later: every job by name. `crontab` is in graphile-worker's syntax, UTC. */
export const jobsOf = (context: Context): JobList => ({
  send_mail: sendMailJob(context),
  ask_confirmation: askConfirmationJob(context),
})

export const crontab = ''
