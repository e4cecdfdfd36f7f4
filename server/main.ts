import { createApp } from './app.ts'
import { loadConfig } from './config.ts'
import { createContext } from './context.ts'
import { startEmbeddedPostgres } from './database/embedded.ts'
import { migrate } from './database/migrate.ts'
import { migrateQueue, startWorker } from './jobs/queue.ts'
import { crontab, jobsOf } from './work.ts'

/** config → database → context → app + worker. Returns what stops it all, in the reverse order. */
export async function start(env: NodeJS.ProcessEnv): Promise<{ url: string; stop(): Promise<void> }> {
  const config = loadConfig(env)
  const embedded = config.databaseUrl ? null : await startEmbeddedPostgres({ dataDir: config.dataDir })
  const databaseUrl = config.databaseUrl ?? embedded?.url ?? ''
  const context = createContext({ config, databaseUrl })
  await migrate(context.pool)
  await migrateQueue(context.pool)
  const app = await createApp(context)
  await context.listener.start()
  const worker = config.role === 'web' ? null : await startWorker(context.pool, context.log, jobsOf(context), crontab)
  if (config.role !== 'worker') await app.listen({ port: config.port, host: config.host })
  return {
    url: config.publicUrl,
    async stop() {
      context.live.stop()
      await app.close()
      await worker?.stop()
      await context.mail.stop()
      context.listener.stop()
      await context.db.destroy()
      await embedded?.stop()
    },
  }
}
