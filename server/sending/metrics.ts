import { Gauge, type Registry } from 'prom-client'
import type { Context } from '../context.ts'

const states = ['queued', 'claimed', 'accepted', 'caught', 'deferred', 'failed', 'suppressed', 'uncertain'] as const

/** Every delivery there ever was, from the counts kept beside each publication. */
export function measureDeliveries({ db, log }: Pick<Context, 'db' | 'log'>, registry: Registry): void {
  new Gauge({
    name: 'tirage_deliveries',
    help: 'Deliveries by state',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      try {
        const counts = await db
          .selectFrom('sending_count')
          .select(({ fn }) => states.map((state) => fn.sum<number>(state).as(state)))
          .executeTakeFirst()
        for (const state of states) this.set({ state }, Number(counts?.[state] ?? 0))
      } catch (error) {
        log.debug({ err: error }, 'deliveries were not counted')
      }
    },
  })
}
