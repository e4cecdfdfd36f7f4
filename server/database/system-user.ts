import { execFileSync } from 'node:child_process'
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { StartError } from '../start-error.ts'

/** The user that PostgreSQL runs as when Tirage runs as root. PostgreSQL refuses to run as root. */
export interface SystemUser {
  uid: number
  gid: number
}

const NAME = 'tirage'

/**
 * Returns `null` when Tirage runs as an ordinary user: the database then runs as the same user. A folder keeps its owner.
 * @throws StartError when no user can be found or made
 */
export function databaseUser(cluster: string): SystemUser | null {
  if (process.getuid?.() !== 0) return null
  const owner = statSync(cluster, { throwIfNoEntry: false })
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  return findUser(NAME) ?? makeUser()
}

function findUser(name: string): SystemUser | null {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`))
  const [, , uid, gid] = line?.split(':') ?? []
  return uid && gid && uid !== '0' ? { uid: Number(uid), gid: Number(gid) } : null
}

function makeUser(): SystemUser {
  try {
    const options = [
      '--system',
      '--user-group',
      '--no-create-home',
      '--home-dir',
      '/nonexistent',
      '--shell',
      '/bin/false',
    ]
    execFileSync('useradd', [...options, NAME], { stdio: 'pipe' })
  } catch {
    // A system that has no useradd, or is read-only, may still have one of the users below.
  }
  const user = findUser(NAME) ?? findUser('postgres') ?? findUser('nobody')
  if (user) return user
  throw new StartError(
    `PostgreSQL does not run as root, and the system user “${NAME}” could not be made: make it, run Tirage as an ordinary user, or set DATABASE_URL.`,
  )
}

interface Program {
  file: string
  args: string[]
  /** What the program must be able to read. */
  reads: string[]
}

export interface Command {
  file: string
  args: string[]
  /** The ids for `spawn`, unless the command sets them itself. */
  ids: { uid?: number; gid?: number }
}

/**
 * The command that runs a program as `user`. When the user may not enter a folder above the program (a checkout below /root),
 * the program gets the capability to read there. The permissions of folders are not changed.
 */
export function runAs(user: SystemUser | null, { file, args, reads }: Program): Command {
  if (!user) return { file, args, ids: {} }
  if (reads.every((path) => mayEnter(user, path))) return { file, args, ids: user }
  const ids = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups']
  return { file: 'setpriv', args: [...ids, ...capabilities(), '--', file, ...args], ids: {} }
}

/** access(2) drops capabilities for any real user but root, unless `no_setuid_fixup` is set. */
function capabilities(): string[] {
  const capability = holds(CAP_DAC_READ_SEARCH) ? 'dac_read_search' : 'dac_override'
  return ['--securebits=+no_setuid_fixup', `--inh-caps=+${capability}`, `--ambient-caps=+${capability}`]
}

const CAP_DAC_READ_SEARCH = 2n

function holds(capability: bigint): boolean {
  const bounding = /^CapBnd:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'
  return ((BigInt(`0x${bounding}`) >> capability) & 1n) === 1n
}

/** Whether this user may enter every folder down to `path`, and may read `path`. */
function mayEnter(user: SystemUser, path: string): boolean {
  const real = realpathSync(path)
  if (!allows(user, real, 0o5)) return false
  for (let folder = dirname(real); ; folder = dirname(folder)) {
    if (!allows(user, folder, 0o1)) return false
    if (folder === dirname(folder)) return true
  }
}

function allows({ uid, gid }: SystemUser, path: string, wanted: number): boolean {
  const { mode, uid: owner, gid: group } = statSync(path)
  const shift = owner === uid ? 6 : group === gid ? 3 : 0
  return ((mode >> shift) & wanted) === wanted
}
