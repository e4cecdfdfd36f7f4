import { join } from 'node:path'
import { copyMadeDataFolder, offerDataFolder } from '../server/testing/made-data-folder.ts'
import { keepTemporaryFilesTogether } from '../server/testing/temporary-files.ts'
import { startServer } from './server.ts'

/** Starts one server for the whole run. Every test creates an account of its own. */
export default async function setup(): Promise<() => Promise<void>> {
  const { folder, remove } = keepTemporaryFilesTogether()
  // Node need not compile the program again at each of its starts.
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled')
  await offerDataFolder(join(folder, 'made'))
  const dataDir = join(folder, 'data')
  copyMadeDataFolder(dataDir)
  const server = await startServer(dataDir)
  process.env.TIRAGE_E2E_URL = server.url
  process.env.TIRAGE_E2E_DATA_DIR = dataDir
  return async () => {
    await server.stop()
    remove()
  }
}
