import { Logger, runOnce, type TaskList } from 'graphile-worker'
import type { WithRelays } from '../relays/relays.ts'
import { jobsOf } from '../work.ts'

/** Outside of the function, because graphile-worker keeps the options of each run, and what they hold, as long as the process lives. */
const silent = new Logger(() => () => {})

/** Without batches, a run would end before the ends of its last jobs are written, and they would overwrite what a test does next. */
const preset = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } }

/** Runs all queued jobs, and the jobs that these queue. Their ends are written. */
export async function runQueuedJobs(context: WithRelays): Promise<void> {
  // As an option the tasks, and the whole server with them, would be kept by graphile-worker.
  const jobs = jobsOf(context) as unknown as TaskList
  await runOnce({ pgPool: context.pool, noHandleSignals: true, logger: silent, preset }, jobs)
}
