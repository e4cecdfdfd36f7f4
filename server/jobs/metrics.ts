import { sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import type { Context } from '../context.ts'

/** Reports how many jobs there are of each kind. */
export function measureQueue({ db, log }: Pick<Context, 'db' | 'log'>, registry: Registry): void {
  new Gauge({
    name: 'tirage_jobs',
    help: 'Jobs that wait, are under way or will be tried again, by kind',
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      this.reset()
      try {
        const { rows } = await sql<{ kind: string; jobs: number }>`
          select task_identifier as kind, count(*) as jobs from graphile_worker.jobs group by 1
          union all select 'confirmation_mail', count(*) from confirmation_mail having count(*) > 0`.execute(db)
        for (const { kind, jobs } of rows) this.set({ kind }, jobs)
      } catch (error) {
        log.debug({ err: error }, 'the queue was not counted')
      }
    },
  })
}
