import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../server/database/embedded.ts'
import { startTestDns } from '../../server/testing/dns.ts'
import { pinnedNode, seedServer, startServer } from '../server.ts'

const root = join(import.meta.dirname, '..', '..')

export interface PseudoInstance {
  url: string
  dataDir: string
  database: pg.Client
  stop(): Promise<void>
}

/**
 * A seeded instance whose English sentences are in the pseudo-language, and whose people write in Cyrillic letters. So a
 * plain Latin word on a page or in a mail comes from neither.
 */
export async function startPseudoInstance(): Promise<PseudoInstance> {
  const folder = mkdtempSync(join(tmpdir(), 'tirage-pseudo-'))
  const dataDir = join(folder, 'data')
  await buildInto(folder)
  const dns = await startTestDns({
    'lowwater.example': { TXT: ['v=spf1 -all'], MX: [[10, 'mx.lowwater.example']] },
  })
  const log = { info: () => {}, warn: () => {} }
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), log, settings: 'fast' })
  const program = join(folder, 'dist', 'server', 'cli.js')
  const settings = {
    DATABASE_URL: postgres.url,
    DNS_SERVERS: dns.server,
    SECRET: 'a secret for the pseudo-language only',
  }
  await seedServer(dataDir, 300, { program, settings })
  const database = new pg.Client({ connectionString: postgres.url })
  await database.connect()
  await writeInCyrillic(database)
  const server = await startServer(dataDir, settings, program)
  return {
    url: server.url,
    dataDir,
    database,
    async stop() {
      await server.stop()
      await database.end()
      await postgres.stop()
      await dns.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The folder looks to the program like the repository. */
async function buildInto(folder: string): Promise<void> {
  mkdirSync(join(folder, 'server'))
  copyFileSync(join(root, 'package.json'), join(folder, 'package.json'))
  for (const path of ['node_modules', 'migrations', 'server/page']) symlinkSync(join(root, path), join(folder, path))
  const script = join(import.meta.dirname, 'build.ts')
  const env = { ...process.env, NODE_ENV: 'production' }
  await promisify(execFile)(pinnedNode, [script, join(folder, 'dist')], { cwd: root, env })
}

const latin = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const cyrillic = 'абцдефгхийклмнопярстувшхызАБЦДЕФГХИЙКЛМНОПЯРСТУВШХЫЗ'
const inCyrillic = (text: string) => [...text].map((letter) => cyrillic[latin.indexOf(letter)] ?? letter).join('')

/** What people wrote, by table. */
const written: Record<string, string[]> = {
  user: ['name'],
  newsletter: ['name', 'description', 'sender_name', 'postal_address'],
  subscriber: ['name'],
  consent: ['wording'],
  publication: ['title', 'subtitle', 'subject', 'words'],
  publication_revision: ['title', 'subtitle'],
  delivery: ['answer'],
  feedback: ['words'],
  recommendation_words: ['reason'],
  subscription: ['note'],
  booking: ['sponsor', 'contact', 'message', 'note'],
  booking_step: ['words'],
  campaign: ['name'],
  campaign_words: ['question', 'offer', 'yes', 'after_yes'],
  opt_in_campaign: ['sponsor_name', 'sponsor_address'],
  short_link: ['name'],
  utm_template: ['name'],
  remote_newsletter: ['name', 'description'],
  sponsor_day: ['reason'],
}

/** What the owner of the demo wrote into the address of a page. */
const ORIGIN = 'radio'

async function writeInCyrillic(database: pg.Client): Promise<void> {
  for (const [table, columns] of Object.entries(written)) {
    const changes = columns.map((column) => `${column} = translate(${column}, $1, $2)`)
    await database.query(`update "${table}" set ${changes.join(', ')}`, [latin, cyrillic])
  }
  // No row of the books may change otherwise.
  await database.query('set session_replication_role = replica')
  await database.query('update payment set note = translate(note, $1, $2)', [latin, cyrillic])
  await database.query('reset session_replication_role')
  await database.query(
    `update plan set words = (select jsonb_object_agg(language, jsonb_build_object(
      'name', translate(said->>'name', $1, $2), 'promise', translate(said->>'promise', $1, $2))) from jsonb_each(words) w (language, said))`,
    [latin, cyrillic],
  )
  await database.query(
    `update placement set words = (select jsonb_object_agg(language, jsonb_build_object(
      'name', translate(said->>'name', $1, $2), 'disclosure', translate(said->>'disclosure', $1, $2))) from jsonb_each(words) w (language, said))`,
    [latin, cyrillic],
  )
  await database.query(
    `update booking set creative = creative || jsonb_build_object(
      'name', translate(creative->>'name', $1, $2), 'text', translate(creative->>'text', $1, $2),
      'label', translate(creative->>'label', $1, $2)) where creative is not null`,
    [latin, cyrillic],
  )
  await database.query('update sale_count set origin = translate(origin, $1, $2) where origin = $3', [
    ...[latin, cyrillic],
    ORIGIN,
  ])
  for (const [table, column, key] of [
    ['house_campaign', 'words', 'id'],
    ['booking', 'creative', 'id'],
    // What a report keeps of its publication and its placement.
    ['booking_report', 'figures', 'booking_id'],
    ['publication', 'sponsors', 'id'],
  ] as const) {
    const { rows } = await database.query(
      `select ${key} as id, ${column} as said from ${table} where ${column} is not null`,
    )
    for (const { id, said } of rows) {
      const values = [JSON.stringify(documentInCyrillic(said)), id]
      await database.query(`update ${table} set ${column} = $1 where ${key} = $2`, values)
    }
  }
  for (const table of ['publication', 'publication_revision']) {
    const key = table === 'publication' ? ['id'] : ['publication_id', 'revision']
    const { rows } = await database.query(`select content, ${key} from ${table}`)
    for (const row of rows) {
      const where = key.map((column, index) => `${column} = $${index + 2}`).join(' and ')
      const values = [JSON.stringify(documentInCyrillic(row.content)), ...key.map((column) => row[column])]
      await database.query(`update ${table} set content = $1 where ${where}`, values)
    }
  }
}

/** Texts of a document, and what stands for its pictures. */
function documentInCyrillic(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => documentInCyrillic(one))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, documentInCyrillic(one, name)]))
  }
  return typeof value === 'string' && ['text', 'alt', 'title', 'caption', 'label', 'name', 'disclosure'].includes(key)
    ? inCyrillic(value)
    : value
}
