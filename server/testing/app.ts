import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { sql } from 'kysely'
import { pino } from 'pino'
import { createApp } from '../app.ts'
import { EventApplier } from '../charge/payment-events/applier.ts'
import { loadConfig } from '../config.ts'
import { createContext } from '../context.ts'
import type { Role, RoleTable } from '../permissions.ts'
import { Relays, type WithRelays } from '../relays/relays.ts'
import { ConfirmationSender } from '../sending/confirmation-sender.ts'
import { Dispatcher } from '../sending/dispatcher.ts'
import { defaultTuning } from '../sending/tuning.ts'
import { ImportRunner } from '../subscribers/import/runner.ts'
import { ReceiptChainer } from '../subscribers/receipts/chainer.ts'
import { Enroller } from '../welcomes/enroller.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { expectDeclaredStatuses } from './declared-statuses.ts'
import { runQueuedJobs } from './queued-jobs.ts'

type Answer = Awaited<ReturnType<FastifyInstance['inject']>>

/** Calls with one person’s cookies, as a browser makes them. */
export interface Session {
  cookie: string
  userId: string
  email: string
  call(method: InjectOptions['method'], url: string, body?: unknown): Promise<Answer>
}

interface QueuedMail {
  to: string
  subject: string
  html: string
  text: string
  newsletterId: string | null
}

export interface TestApp {
  app: FastifyInstance
  context: WithRelays
  /** Only with `listen`. */
  url: string
  inject: FastifyInstance['inject']
  /** A call without cookies. */
  stranger: Session['call']
  /** A call with an API key. */
  withKey(secret: string): Session['call']
  signUp(person?: { name?: string; email?: string; password?: string }): Promise<Session>
  signIn(email: string, password?: string): Promise<Session>
  /** Confirms the address of a person with the link of their mail, in their browser. */
  confirm(session: Session): Promise<void>
  tryFirst(): Promise<Session>
  /** Its id. */
  createNewsletter(session: Session, settings?: Record<string, unknown>): Promise<string>
  /** A new person with this role in the newsletter. */
  asMember(newsletterId: string, role: Role): Promise<Session>
  /** Mails that wait in the queue, newest first; to one address when asked. */
  queuedMail(to?: string): Promise<QueuedMail[]>
  /** Runs all queued jobs, and the jobs that these queue; then sends the confirmations, welcomes newcomers, sends the publications that are due, and chains the receipts. */
  work(): Promise<void>
  stop(): Promise<void>
}

export const PASSWORD = 'correct horse battery'
let people = 0

/** The whole server on a database of its own; over a socket too when `listen` is set. */
export async function startTestApp({
  env = {},
  listen = false,
  roles,
  database: given,
  now,
}: {
  env?: Record<string, string>
  listen?: boolean
  roles?: RoleTable
  database?: TestDatabase
  now?: () => Date
} = {}): Promise<TestApp> {
  const database = given ?? (await createTestDatabase())
  const dataDir = mkdtempSync(join(tmpdir(), 'tirage-app-'))
  const config = loadConfig({ DATA_DIR: dataDir, DATABASE_URL: database.url, PUBLIC_URL: 'http://tirage.test', ...env })
  const base = createContext({ config, databaseUrl: database.url, log: pino({ level: 'silent' }), ...(now && { now }) })
  const context = { ...base, relays: new Relays(base) }
  const app = await createApp(context, roles)
  await context.listener.start()
  const url = listen ? await app.listen({ host: '127.0.0.1', port: Number(new URL(config.publicUrl).port) || 0 }) : ''
  const { callWith, arrive } = callsOn(app, config.publicUrl)
  const testApp: TestApp = {
    app,
    context,
    url,
    inject: app.inject.bind(app) as FastifyInstance['inject'],
    stranger: callWith({}),
    withKey: (secret) => callWith({ authorization: `Bearer ${secret}` }),
    signUp: ({ name = 'Ada', email = `person${++people}@example.org`, password = PASSWORD } = {}) =>
      arrive('/api/auth/sign-up/email', { name, email, password }),
    signIn: (email, password = PASSWORD) => arrive('/api/auth/sign-in/email', { email, password }),
    async confirm(session) {
      const mails = await testApp.queuedMail(session.email)
      const token = mails.map(({ text }) => /verified\?token=(\w+)/.exec(text)?.[1]).find(Boolean)
      const answer = await session.call('POST', '/api/identity/confirmation', { token })
      if (answer.statusCode !== 200) throw new Error(`not confirmed: ${answer.body}`)
    },
    tryFirst: () => arrive('/api/auth/sign-in/anonymous', {}),
    async createNewsletter(session, settings = {}) {
      const given = { name: 'Low Water', language: 'en', timezone: 'Europe/Paris', currency: 'eur', ...settings }
      const answer = await session.call('POST', '/api/newsletters', given)
      if (answer.statusCode !== 200) throw new Error(`no newsletter: ${answer.body}`)
      const { id } = answer.json<{ id: string }>()
      await context.db.updateTable('newsletter').set({ take_back_seconds: 0 }).where('id', '=', id).execute()
      return id
    },
    async asMember(newsletterId, role) {
      const session = await testApp.signUp()
      const values = { newsletter_id: newsletterId, user_id: session.userId, role }
      await context.db.insertInto('member').values(values).execute()
      return session
    },
    async queuedMail(to) {
      const { rows } = await sql<{ payload: QueuedMail }>`select j.payload from graphile_worker._private_jobs j
        join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'send_mail'
        order by j.id desc`.execute(context.db)
      return rows.map(({ payload }) => payload).filter((mail) => to === undefined || mail.to === to)
    },
    async work() {
      await new EventApplier(context).drain()
      await runQueuedJobs(context)
      await new ImportRunner(context).drain()
      const confirmations = new ConfirmationSender(context)
      await confirmations.drain()
      await new Enroller(context).drain()
      const dispatcher = new Dispatcher(context, { ...defaultTuning, patienceMs: 2_000 })
      await dispatcher.drain()
      await dispatcher.stop()
      await new ReceiptChainer(context).drain()
    },
    async stop() {
      context.live.stop()
      await app.close()
      await context.relays.stop()
      await context.threads.stop()
      context.listener.stop()
      await context.db.destroy()
      await database.drop()
      rmSync(dataDir, { recursive: true, force: true })
      expectDeclaredStatuses(app)
    },
  }
  return testApp
}

function callsOn(app: FastifyInstance, origin: string) {
  const callWith =
    (headers: Record<string, string>): Session['call'] =>
    (method, url, body) =>
      app.inject({
        ...(method && { method }),
        url,
        // Each call has an address of its own, so that rate limits apply only in the tests of them.
        remoteAddress: `10.${random(256)}.${random(256)}.${random(256)}`,
        headers: { origin, ...headers },
        ...(body !== undefined && { payload: body as object }),
      })
  const arrive = async (url: string, body: object): Promise<Session> => {
    const answer = await callWith({})('POST', url, body)
    if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode} ${answer.body}`)
    const cookie = answer.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ')
    const { user } = answer.json<{ user: { id: string; email: string } }>()
    return { cookie, userId: user.id, email: user.email, call: callWith({ cookie }) }
  }
  return { callWith, arrive }
}

const random = (below: number): number => Math.floor(Math.random() * below)
