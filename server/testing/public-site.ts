import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { pino } from 'pino'
import { createApp } from '../app.ts'
import { loadConfig } from '../config.ts'
import { createContext } from '../context.ts'
import { publicId } from '../database/ids.ts'
import type { Language } from '../languages.ts'
import { Relays, type WithRelays } from '../relays/relays.ts'
import { ConfirmationSender } from '../sending/confirmation-sender.ts'
import { createTestDatabase } from './database.ts'
import { runQueuedJobs } from './queued-jobs.ts'

type Answer = Awaited<ReturnType<FastifyInstance['inject']>>

/** A server with newsletters, seen from outside: nobody is signed in. */
export interface PublicSite {
  app: FastifyInstance
  context: WithRelays
  /** The server’s time: it stands still until `pass` moves it. */
  clock: { now: Date; pass(milliseconds: number): void }
  get(url: string, headers?: Record<string, string>): Promise<Answer>
  submit(url: string, form: Record<string, string>, options?: InjectOptions): Promise<Answer>
  addNewsletter(values?: { name?: string; language?: Language; handle?: string }): Promise<string>
  /** Runs all queued jobs, and the jobs that these queue; then sends the confirmations that are due. */
  work(): Promise<void>
  stop(): Promise<void>
}

export async function startPublicSite(env: Record<string, string> = {}): Promise<PublicSite> {
  const database = await createTestDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'tirage-public-'))
  const config = loadConfig({ DATA_DIR: dataDir, DATABASE_URL: database.url, ...env })
  const clock = {
    now: new Date(),
    pass(milliseconds: number) {
      clock.now = new Date(clock.now.getTime() + milliseconds)
    },
  }
  const log = pino({ level: 'silent' })
  const base = createContext({ config, databaseUrl: database.url, log, now: () => clock.now })
  const context = { ...base, relays: new Relays(base) }
  const app = await createApp(context)
  await context.listener.start()
  return {
    app,
    context,
    clock,
    get: (url, headers = {}) => app.inject({ method: 'GET', url, headers }),
    submit: (url, form, options = {}) =>
      app.inject({
        method: 'POST',
        url,
        ...options,
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...options.headers },
        payload: new URLSearchParams(form).toString(),
      }),
    async addNewsletter({ name = 'Low Water', language = 'en', handle } = {}) {
      const id = publicId(10)
      const values = { id, name, language, sender_name: name, timezone: 'Europe/Paris', currency: 'eur' } as const
      await context.db
        .insertInto('newsletter')
        .values({ ...values, handle: handle ?? null })
        .execute()
      return id
    },
    async work() {
      await runQueuedJobs(context)
      await new ConfirmationSender(context).drain()
    },
    async stop() {
      context.live.stop()
      await app.close()
      await context.relays.stop()
      context.listener.stop()
      await context.db.destroy()
      await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
