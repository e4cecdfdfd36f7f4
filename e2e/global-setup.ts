import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from './server.ts'

/** Starts one server for the whole run. Every test creates an account of its own. */
export default async function setup(): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tirage-e2e-'))
  const server = await startServer(dataDir)
  process.env.TIRAGE_E2E_URL = server.url
  process.env.TIRAGE_E2E_DATA_DIR = dataDir
  return async () => {
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
