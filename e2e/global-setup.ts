import { join } from 'node:path'
import { keepTemporaryFilesTogether } from '../server/testing/temporary-files.ts'
import { startServer } from './server.ts'

/** Starts one server for the whole run. Every test creates an account of its own. */
export default async function setup(): Promise<() => Promise<void>> {
  const { folder, remove } = keepTemporaryFilesTogether()
  const dataDir = join(folder, 'data')
  const server = await startServer(dataDir)
  process.env.TIRAGE_E2E_URL = server.url
  process.env.TIRAGE_E2E_DATA_DIR = dataDir
  return async () => {
    await server.stop()
    remove()
  }
}
