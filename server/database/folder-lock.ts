import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf, StartError } from '../start-error.ts'
import { beginningOf } from './process.ts'

/** The lock of a data folder: in its first line the process that holds it, then the address that it serves. */
const lockOf = (dataDir: string) => join(dataDir, 'tirage.lock')

/**
 * Locks the folder for this process, and returns a function that unlocks it. A lock whose process is gone is replaced.
 * @throws StartError when another process holds it
 */
export function lockFolder(dataDir: string): () => void {
  const mine = ownLine()
  while (!tryLock(dataDir, mine)) {
    const holder = lockHolder(dataDir)
    if (holder) {
      throw new StartError(
        `Another Tirage (process ${holder}) is using the data folder ${dataDir}: stop it first, or set DATA_DIR to another folder.`,
      )
    }
    removeStale(dataDir)
  }
  return () => {
    if (isOwn(readOr(lockOf(dataDir)))) rmSync(lockOf(dataDir), { force: true })
  }
}

const ownLine = () => `${process.pid} ${beginningOf(process.pid)}\n`

const isOwn = (content: string): boolean => content.startsWith(ownLine())

/** Notes in the lock that this process holds which address it serves, for the commands that run beside it. */
export function noteServed(dataDir: string, url: string): void {
  if (!isOwn(readOr(lockOf(dataDir)))) return
  const draft = `${lockOf(dataDir)}.${process.pid}.served`
  writeFileSync(draft, `${ownLine()}${url}\n`, { mode: 0o600 })
  renameSync(draft, lockOf(dataDir))
}

/** The address of the Tirage that is running on the folder, or null. */
export function servedAddress(dataDir: string): string | null {
  const content = readOr(lockOf(dataDir))
  return livingHolder(content) === null ? null : content.split('\n')[1] || null
}

/** The id of the running process that holds the lock, or null. */
export function lockHolder(dataDir: string): number | null {
  return livingHolder(readOr(lockOf(dataDir)))
}

function livingHolder(content: string): number | null {
  const [line = ''] = content.split('\n')
  const [pid, beginning] = line.split(/ (.*)/)
  return pid && beginning && beginningOf(Number(pid)) === beginning ? Number(pid) : null
}

function tryLock(dataDir: string, content: string): boolean {
  const draft = `${lockOf(dataDir)}.${process.pid}`
  try {
    writeFileSync(draft, content, { mode: 0o600 })
    linkSync(draft, lockOf(dataDir))
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Two processes may find the same stale lock. So the lock is moved away and read again before it is deleted. */
function removeStale(dataDir: string): void {
  const aside = `${lockOf(dataDir)}.${process.pid}.stale`
  try {
    renameSync(lockOf(dataDir), aside)
    if (livingHolder(readOr(aside))) linkSync(aside, lockOf(dataDir))
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes(String(codeOf(error)))) throw error
  } finally {
    rmSync(aside, { force: true })
  }
}

function readOr(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
