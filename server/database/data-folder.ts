import { randomBytes } from 'node:crypto'
import { accessSync, constants, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, messageOf, StartError } from '../start-error.ts'

/** Makes the folder when it is missing. @throws StartError when it cannot be written to. */
export function prepareDataFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true })
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new StartError(
      `The data folder ${dataDir} cannot be written to (${messageOf(error)}). Set DATA_DIR to a folder of yours.`,
    )
  }
}

/** A random secret in a file that only its owner may read. The first call makes it, and later calls return the same one. */
export function keptSecret(dataDir: string, name: string): string {
  prepareDataFolder(dataDir)
  const file = join(dataDir, name)
  try {
    createWhole(file, randomBytes(32).toString('base64url'))
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new StartError(`The file ${file} cannot be used (${messageOf(error)}).`)
  }
}

/** A link appears with all of its content or not at all. So neither a crash nor a second process leaves half a secret. */
function createWhole(file: string, content: string): void {
  const draft = `${file}.${process.pid}.new`
  try {
    writeFileSync(draft, `${content}\n`, { mode: 0o600, flag: 'w', flush: true })
    linkSync(draft, file)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
}
