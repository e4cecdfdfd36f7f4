import { summaryJob } from './digests/document.ts'
import { serveThread } from './jobs/serve-thread.ts'
import { documentJob } from './publications/content.ts'
import { feedJob } from './publications/feed.ts'
import { mailsJob, personalPartsJob } from './publications/mails.ts'
import { checkJob, sendableJob } from './publications/pre-flight.ts'
import { previewJob } from './publications/preview.ts'
import { pageJob } from './publications/publication.page.tsx'
import { addressesJob } from './publications/reach.ts'
import { wordsJob } from './publications/revisions.ts'
import { fillJob } from './publications/would-be.ts'

/** THE MAP of work in threads: every job. This is the program of each thread. */
serveThread([
  addressesJob,
  checkJob,
  documentJob,
  feedJob,
  fillJob,
  mailsJob,
  pageJob,
  personalPartsJob,
  previewJob,
  sendableJob,
  summaryJob,
  wordsJob,
])
