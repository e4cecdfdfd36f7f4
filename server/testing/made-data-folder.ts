import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'

/** The variable in which the run of the tests (`global-setup.ts`) names a data folder with a migrated, empty and stopped database. */
const VARIABLE = 'TIRAGE_TEST_DATA_FOLDER'

export function offerDataFolder(folder: string): void {
  process.env[VARIABLE] = folder
}

/**
 * Makes `folder` a copy of it. To make a database anew takes seconds of a core, and only tests of a first start need that.
 * Without that variable, as in a bench, nothing happens, and the program makes its database itself.
 */
export function copyMadeDataFolder(folder: string): void {
  const made = process.env[VARIABLE]
  if (!made) return
  mkdirSync(folder, { recursive: true })
  // Node's own copy does not keep the owner, and PostgreSQL starts only in a folder of its user.
  execFileSync('cp', ['-a', `${made}/.`, folder])
}
