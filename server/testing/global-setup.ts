import { join } from 'node:path'
import pg from 'pg'
import { build } from 'vite'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../database/embedded.ts'
import { projectRoot } from '../root.ts'
import { copyMadeDataFolder, offerDataFolder } from './made-data-folder.ts'
import { keepTemporaryFilesTogether } from './temporary-files.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A server for this run alone; `TEMPLATE` in it is migrated and empty. */
    databaseServer: string
  }
}

/** What each test's database is a copy of. */
export const TEMPLATE = 'tirage_template'

const log = { info: () => {}, warn: () => {} }

/** One PostgreSQL for the whole run, in a folder that goes with it; without fsync, for nothing outlives it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { folder, remove } = keepTemporaryFilesTogether()
  // The built program is started some hundred times. Node then need not compile it each time.
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled')
  await offerDataFolder(join(folder, 'made'))
  const dataDir = join(folder, 'run')
  copyMadeDataFolder(dataDir)
  const server = await startEmbeddedPostgres({ dataDir, log, settings: 'fast' })
  await makeTemplate(server.url)
  await buildThreads()
  project.provide('databaseServer', server.url)
  return async () => {
    await server.stop()
    remove()
  }
}

/** The programs of threads, which Node cannot run from their source. */
const buildThreads = () =>
  build({
    configFile: false,
    root: projectRoot,
    logLevel: 'error',
    publicDir: false,
    build: {
      ssr: true,
      target: 'node26',
      outDir: '.cache/test-thread',
      minify: false,
      rolldownOptions: {
        input: { thread: 'server/thread.ts', 'sample-thread': 'server/testing/sample-thread-process.ts' },
        output: { entryFileNames: '[name].js' },
      },
    },
    ssr: { external: true, target: 'node' },
  })

async function makeTemplate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url.replace(/[^/]+$/, 'postgres') })
  await client.connect()
  await client.query(`create database ${TEMPLATE} template ${new URL(url).pathname.slice(1)}`)
  await client.end()
}
