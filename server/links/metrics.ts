import { Counter, Gauge, type Registry } from 'prom-client'
import type { ClickLog } from './click-log.ts'

/** Reports clicks that are not on disk: those that wait for the database, and those that were dropped. */
export function measureClicks(clicks: Pick<ClickLog, 'dropped' | 'waiting'>, registry: Registry): void {
  new Counter({
    name: 'tirage_clicks_dropped_total',
    help: 'Clicks that were answered but never stored',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(clicks.dropped)
    },
  })
  new Gauge({
    name: 'tirage_clicks_waiting',
    help: 'Clicks in memory that wait for the database',
    registers: [registry],
    collect() {
      this.set(clicks.waiting)
    },
  })
}
