import { setTimeout as delay } from 'node:timers/promises'
import { createApp } from './app.ts'
import { EventApplier } from './charge/payment-events/applier.ts'
import { type Config, loadConfig } from './config.ts'
import { createContext } from './context.ts'
import { startEmbeddedPostgres } from './database/embedded.ts'
import { lockHolder, noteServed } from './database/folder-lock.ts'
import { migrate } from './database/migrate.ts'
import { reachDatabase } from './database/reach.ts'
import { startInbound } from './feedback/inbound.ts'
import { isPortFree } from './http/port.ts'
import { giveBackAllJobs } from './jobs/payloads.ts'
import { migrateQueue, startWorker } from './jobs/queue.ts'
import { Relays, type WithRelays } from './relays/relays.ts'
import { ConfirmationSender } from './sending/confirmation-sender.ts'
import { Dispatcher } from './sending/dispatcher.ts'
import { StartError } from './start-error.ts'
import { ImportRunner } from './subscribers/import/runner.ts'
import { ReceiptChainer } from './subscribers/receipts/chainer.ts'
import { Enroller } from './welcomes/enroller.ts'
import { crontab, jobsOf } from './work.ts'

/** What a start is doing, for whoever waits at the terminal. */
export type StartStep =
  | { step: 'postgres'; folder: string }
  | { step: 'reach' }
  | { step: 'migrate'; count: number }
  | { step: 'serve' }

type Tell = (step: StartStep) => void

export interface Running {
  config: Config
  url: string
  /** Whether the instance has no relay of its own, so that mail is caught. */
  caught: boolean
  /** Stops everything in the reverse order of its start. */
  stop(): Promise<void>
}

/**
 * config → database → context → app + worker.
 * @throws StartError when something outside keeps it from running; what has started is stopped first
 */
export async function start(env: NodeJS.ProcessEnv, tell: Tell): Promise<Running> {
  const config = loadConfig(env)
  if (config.processRole !== 'worker') await claimPort(config)
  await using begun = new AsyncDisposableStack()
  const context = await openContext(config, begun, tell)
  tell({ step: 'serve' })
  await startParts(context, begun)
  if (config.databaseUrl === null) noteServed(config.dataDir, config.publicUrl)
  const caught = await context.relays.caught(null)
  const all = begun.move()
  return { config, url: config.publicUrl, caught, stop: () => all.disposeAsync() }
}

/** Runs before the database starts: a Tirage that cannot serve must not disturb the one that does. */
async function claimPort({ host, port, dataDir }: Config): Promise<void> {
  // Another Tirage may still be stopping.
  const deadline = Date.now() + (lockHolder(dataDir) === null ? 0 : 3_000)
  while (!(await isPortFree(host, port))) {
    if (Date.now() < deadline) await delay(50)
    else throw new StartError(`Port ${port} is taken by another program: stop that one, or set PORT to another port.`)
  }
}

/** Builds the migrated database and all that depends on it. Nothing runs by itself yet. */
export async function openContext(
  config: Config,
  begun: AsyncDisposableStack,
  tell: Tell = () => {},
): Promise<WithRelays> {
  tell(config.databaseUrl === null ? { step: 'postgres', folder: config.dataDir } : { step: 'reach' })
  const databaseUrl = config.databaseUrl ?? (await openEmbedded(config, begun))
  await reachDatabase(databaseUrl)
  const base = createContext({ config, databaseUrl })
  const context = { ...base, relays: new Relays(base) }
  // Kysely ends only a pool that it has used.
  begun.defer(() => (context.pool.ending ? undefined : context.pool.end()))
  begun.defer(() => context.db.destroy())
  begun.defer(() => context.relays.stop())
  begun.defer(() => context.threads.stop())
  await migrate(context.pool, { before: (count) => tell({ step: 'migrate', count }) })
  await migrateQueue(context.pool)
  return context
}

async function openEmbedded({ dataDir }: Config, begun: AsyncDisposableStack): Promise<string> {
  const log = { info: () => {}, warn: (message: string) => console.error(message) }
  const embedded = await startEmbeddedPostgres({ dataDir, log })
  begun.defer(() => embedded.stop())
  return embedded.url
}

async function startParts(context: WithRelays, begun: AsyncDisposableStack): Promise<void> {
  const { config, listener, live } = context
  begun.defer(() => listener.stop())
  const app = await createApp(context)
  begun.defer(() => app.close())
  await listener.start()
  if (config.processRole !== 'web') {
    const dispatcher = new Dispatcher(context)
    await dispatcher.start()
    begun.defer(() => dispatcher.stop())
    const confirmations = new ConfirmationSender(context)
    confirmations.start()
    begun.defer(() => confirmations.stop())
    const chainer = new ReceiptChainer(context)
    chainer.start()
    begun.defer(() => chainer.stop())
    const enroller = new Enroller(context)
    enroller.start()
    begun.defer(() => enroller.stop())
    const imports = new ImportRunner(context)
    imports.start()
    begun.defer(() => imports.stop())
    const events = new EventApplier(context)
    events.start()
    begun.defer(() => events.stop())
    // An embedded database is of one process, so whoever has a job there was killed.
    if (config.databaseUrl === null) await giveBackAllJobs(context.db)
    const worker = await startWorker(context, jobsOf(context), crontab)
    begun.defer(() => worker.stop())
    const inbound = config.inbound && (await startInbound(context, config.inbound))
    begun.defer(() => inbound?.stop())
  }
  if (config.processRole !== 'worker') await app.listen({ port: config.port, host: config.host })
  // Stopped first, because streams to dashboards never end by themselves.
  begun.defer(() => live.stop())
}
