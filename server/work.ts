import type { Context } from './context.ts'
import { sendMailJob } from './delivery/mail.ts'
import { resumeSendingsJob, sendPublicationJob } from './delivery/send.job.ts'
import type { JobList } from './jobs/queue.ts'
import { startPublicationJob } from './publications/start.job.ts'
import { askConfirmationJob } from './subscribers/ask-confirmation.job.ts'

/** THE MAP of what happens later: every job by name. `crontab` is in graphile-worker's syntax, UTC. */
export const jobsOf = (context: Context): JobList => ({
  send_mail: sendMailJob(context),
  start_publication: startPublicationJob(context),
  send_publication: sendPublicationJob(context),
  resume_sendings: resumeSendingsJob(context),
  ask_confirmation: askConfirmationJob(context),
})

export const crontab = `
* * * * * resume_sendings ?max=1&jobKey=resume_sendings
`
