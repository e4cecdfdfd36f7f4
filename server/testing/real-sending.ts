import { expect } from 'vitest'
import type { InstalledProgram, RunningServer } from './installed-mail-servers.ts'
import { startTestNewsletter, type TestNewsletter } from './newsletter.ts'

const addressOf = (name: string): string => `${name}@example.org`

export interface RealSending extends TestNewsletter {
  /** The publication. */
  id: string
  /** Time passes until those who wait are due, and everything is tried that may be. */
  later(): Promise<void>
  /** How often deliveries were tried, each number once. */
  attempts(): Promise<number[]>
}

interface Through {
  program: InstalledProgram
  subscribers: number
  /** Names before the @ that the server does not know. */
  unknown?: RegExp
}

/** None of the names. */
export const nobody = /^$/
/** A twentieth of the names r0, r1 …: the seventh of each twenty. Every server understands such an expression. */
export const aTwentieth = /^r([0-9]*[02468])?7$/

/** Sendings through real mail servers. Each is compared with what its server delivered. Stop it after each test. */
export class RealSendings {
  readonly #open: { stop(): Promise<void> }[] = []

  /** Sends one publication to r0@example.org, r1@example.org … */
  async send({ program, subscribers, unknown = nobody }: Through): Promise<RealSending> {
    const real = await program.start()
    this.#open.push(real)
    const server = await startTestNewsletter({ SMTP_URL: `smtp://127.0.0.1:${real.port}` })
    this.#open.push(server)
    const names = Array.from({ length: subscribers }, (_, n) => `r${n}`)
    const expected = names
      .filter((name) => unknown.test(name))
      .map(addressOf)
      .sort()
    await server.addSubscribers(names.map(addressOf))
    const { id } = await server.draft()
    await server.send(id)
    await server.work()
    await compare(server, real, expected)
    const { db } = server.context
    return {
      ...server,
      id,
      async later() {
        await db
          .updateTable('delivery')
          .set({ due_at: new Date(0) })
          .where('state', '=', 'deferred')
          .execute()
        await server.work()
        await compare(server, real, expected)
      },
      async attempts() {
        const rows = await db.selectFrom('delivery').select('attempts').distinct().orderBy('attempts').execute()
        return rows.map(({ attempts }) => attempts)
      },
    }
  }

  async stop(): Promise<void> {
    for (const each of this.#open.splice(0).reverse()) await each.stop()
  }
}

/** The ledger is what the server delivered, each copy once, and exactly the unknown are marked as bounced. */
async function compare({ context: { db } }: TestNewsletter, real: RunningServer, expected: string[]): Promise<void> {
  const accepted = await db.selectFrom('delivery').select('email').where('state', '=', 'accepted').execute()
  const delivered = await real.received()
  expect(delivered.map(({ to }) => to).sort()).toEqual(accepted.map(({ email }) => email).sort())
  const bounced = await db.selectFrom('subscriber').select('email').where('status', '=', 'bounced').execute()
  expect(bounced.map(({ email }) => email).sort()).toEqual(expected)
}
