import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { availableMemory, env, pid } from 'node:process'
import { readOr } from '../database/cluster.ts'

/** A folder whose files are in memory, on Linux. */
const MEMORY = '/dev/shm'
const PREFIX = 'tirage-tests-'
/** A run of the tests takes less than half of it. */
const NEEDED_BYTES = 4 * 2 ** 30

/**
 * Gives this run and all that it starts a folder of its own for temporary files, in memory where there is enough: to copy a
 * database there takes a fifth of what it takes on a disk.
 */
export function keepTemporaryFilesTogether(): { folder: string; remove(): void } {
  const folder = mkdtempSync(join(fitsInMemory() ? MEMORY : tmpdir(), `${PREFIX}${pid}-`))
  // Databases and mail servers run as users of their own.
  chmodSync(folder, 0o711)
  env.TMPDIR = folder
  // A program that is ending writes there what it compiled, while the folder is emptied.
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }) }
}

function fitsInMemory(): boolean {
  // In a container it may be small, or forbid the programs that some tests write.
  const mounted = readOr('/proc/mounts')
    .split('\n')
    .find((line) => line.split(' ')[1] === MEMORY)
  if (!mounted || /\bnoexec\b/.test(mounted)) return false
  removeLeftOver()
  const { bavail, bsize } = statfsSync(MEMORY)
  return Math.min(bavail * bsize, availableMemory() / 2) >= NEEDED_BYTES
}

/** The folders of runs that were killed would keep their memory. */
function removeLeftOver(): void {
  for (const name of readdirSync(MEMORY)) {
    const run = name.startsWith(PREFIX) && name.slice(PREFIX.length).split('-')[0]
    if (run && !existsSync(`/proc/${run}`)) rmSync(join(MEMORY, name), { recursive: true, force: true })
  }
}
