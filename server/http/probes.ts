import { randomBytes } from 'node:crypto'
import { readdir, readFile, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '../database/client.ts'
import { type Shortage, shortageIn } from '../shortage.ts'
import type { Hindrance, Probe } from './readiness.ts'

const HOLDS_MS = 2_000
/** PostgreSQL writes its log in files of this size, and ends when there is no room for the next one. */
const LEAST_FREE_BYTES = 16 * 1024 * 1024
/** More than a file system sets aside for a file of one block. */
const PROBE_BYTES = 64 * 1024
/** Kept for the database, files and mail while visitors' connections take the others. */
const LEAST_FREE_DESCRIPTORS = 16

/** Whether the database answers, and takes writes. */
export const databaseProbe = (db: Db): Probe => ({
  holdsMs: HOLDS_MS,
  late: 'database',
  async try() {
    const { rows } = await sql<{
      reads: boolean
    }>`select current_setting('transaction_read_only') = 'on' as reads`.execute(db)
    return rows[0]?.reads ? 'read_only' : null
  },
})

/** Whether the data folder takes a file. What it writes is gone when it answers. */
export const folderProbe = (folder: string): Probe => ({
  holdsMs: HOLDS_MS,
  late: 'storage_away',
  async try() {
    const file = join(folder, `.probe-${process.pid}-${randomBytes(4).toString('hex')}`)
    try {
      await writeFile(file, Buffer.alloc(PROBE_BYTES), { flag: 'wx', mode: 0o600 })
      return (await isAlmostFull(folder)) ? 'storage_full' : null
    } catch (error) {
      return hindranceOf(shortageIn(error) ?? 'read_only')
    } finally {
      await rm(file, { force: true }).catch(() => {})
    }
  },
})

/** Network file systems that do not say how large they are say 0. */
async function isAlmostFull(folder: string): Promise<boolean> {
  const { blocks, bavail, bsize } = await statfs(folder)
  return blocks > 0 && bavail * bsize < LEAST_FREE_BYTES
}

/** Whether files and connections can still be opened. Where the system does not say how many are open (macOS) it finds nothing. */
export const descriptorProbe: Probe = {
  holdsMs: HOLDS_MS,
  late: 'descriptors',
  async try() {
    try {
      const limits = await readFile('/proc/self/limits', 'utf8')
      const most = Number(limits.match(/^Max open files\s+(\d+)/m)?.[1] ?? Number.POSITIVE_INFINITY)
      const open = (await readdir('/proc/self/fd')).length
      return most - open < LEAST_FREE_DESCRIPTORS ? 'descriptors' : null
    } catch (error) {
      return shortageIn(error) === 'busy' ? 'descriptors' : null
    }
  },
}

export const hindranceOf = (shortage: Shortage): Hindrance => (shortage === 'busy' ? 'descriptors' : shortage)
