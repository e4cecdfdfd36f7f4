import { randomInt } from 'node:crypto'
import { type ChaosResult, runChaos } from '../server/testing/chaos.ts'
import type { Plan } from '../server/testing/disturbances.ts'
import { type Measure, printTable, thousands } from './claim.ts'

/**
 * `npm run chaos`: sends 20,000 mails while workers are killed, the database is stopped and the relay misbehaves, and
 * compares the relay's own record with the deliveries. `CHAOS_SEED=… npm run chaos` repeats the same faults.
 */
const plan: Plan = {
  seed: Number(process.env.CHAOS_SEED ?? randomInt(2 ** 31)),
  subscribers: 20_000,
  workers: 3,
  kills: 100,
  everyMs: 1_000,
  databaseStops: 8,
  silences: 4,
  refusals: 6,
  messagesPerConnection: 10,
  connections: 24,
  patienceMs: 300_000,
  say: (line) => process.stderr.write(`  ${line}\n`),
}

console.log(
  `${thousands(plan.subscribers)} subscribers, ${plan.workers} workers, ${plan.kills} times kill -9, PostgreSQL stopped ${plan.databaseStops} times, ` +
    `the relay silent ${plan.silences} times and refusing everybody ${plan.refusals} times, with at most ${plan.connections} connections and ` +
    `${plan.messagesPerConnection} messages each, and refusing, stalling and cutting by the lot of CHAOS_SEED=${plan.seed}`,
)
printTable(tableOf(await runChaos(plan)))

function tableOf(damage: ChaosResult): Measure[] {
  const { lost, repeated, denied, swapped, uncertain, overcounted, wronglyMarked, unmarked, ...rest } = damage
  const { broken, addsUp, finished, states, seconds, unknown, pauses, markedAtPauses, refusedAtOnce, used } = rest
  const none = (claim: string, found: string[]): Measure => ({
    claim,
    promised: '0',
    measured: `${found.length}${found.length > 0 ? ` (${found.slice(0, 5).join(', ')})` : ''}`,
    kept: found.length === 0,
  })
  const sums = Object.entries(states).map(([state, n]) => `${thousands(n)} ${state}`)
  const mostRefused = 50 * plan.workers
  return [
    { claim: 'sent to the end', promised: 'yes', measured: `after ${seconds.toFixed(0)} s`, kept: finished },
    none('lost', lost),
    none('repeated', repeated),
    none('accepted by the relay, and not by the ledger', denied),
    none('another one’s mail', swapped),
    {
      claim: 'uncertain, at most one per connection that broke',
      promised: `≤ ${thousands(broken)}`,
      measured: thousands(uncertain.length),
      kept: uncertain.length <= broken,
    },
    { claim: 'counts add up', promised: thousands(plan.subscribers), measured: sums.join(', '), kept: addsUp },
    {
      claim: 'paused by itself when everybody was refused',
      promised: `${plan.refusals} times`,
      measured: `${pauses.length} (${[...new Set(pauses)].join(', ')})`,
      kept: pauses.length === plan.refusals && pauses.every((why) => why === 'relay_refused'),
    },
    {
      claim: 'copies refused until its owner came, at most 50 a worker',
      promised: `≤ ${mostRefused}`,
      measured: thousands(refusedAtOnce),
      kept: refusedAtOnce <= mostRefused,
    },
    {
      claim: 'marked as bounced at these pauses',
      promised: '0',
      measured: `${markedAtPauses}`,
      kept: markedAtPauses === 0,
    },
    {
      claim: 'unknown addresses, marked as bounced at the end',
      promised: thousands(unknown),
      measured: thousands(unknown - unmarked.length),
      kept: unmarked.length === 0,
    },
    none('others, marked as bounced', wronglyMarked),
    none('attempts counted for a limit of a connection', overcounted),
    {
      claim: 'the relay’s rules were met',
      promised: 'each',
      measured: Object.entries(used)
        .map(([rule, times]) => `${thousands(times)} ${rule}`)
        .join(', '),
      kept: Object.values(used).every((times) => times > 0),
    },
  ]
}
