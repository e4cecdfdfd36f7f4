import { execFileSync } from 'node:child_process'
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { StartError } from '../start-error.ts'

/** The user PostgreSQL runs as when Tirage runs as root, which PostgreSQL refuses to be. */
export interface SystemUser {
  uid: number
  gid: number
}

const NAME = 'tirage'

/**
 * `null` for an ordinary user: the database then runs as that user. A data folder that somebody owns stays theirs.
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
    // A system without useradd, or one that is read-only, may still have one of these.
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
  /** For `spawn`: the ids to take, unless the command takes them itself. */
  ids: { uid?: number; gid?: number }
}

/**
 * How to run a program as `user`. The permissions of folders above stay as their owner set them: when the user may not
 * enter one of them (a checkout below /root), the program is given the capability to read past them instead.
 */
export function runAs(user: SystemUser | null, { file, args, reads }: Program): Command {
  if (!user) return { file, args, ids: {} }
  if (reads.every((path) => mayEnter(user, path))) return { file, args, ids: user }
  const ids = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups']
  return { file: 'setpriv', args: [...ids, ...capabilities(), '--', file, ...args], ids: {} }
}

/** access(2) asks with the real user's rights and drops capabilities first, unless told that they do not follow the uid. */
function capabilities(): string[] {
  const capability = holds(CAP_DAC_READ_SEARCH) ? 'dac_read_search' : 'dac_override'
  return ['--securebits=+no_setuid_fixup', `--inh-caps=+${capability}`, `--ambient-caps=+${capability}`]
}

const CAP_DAC_READ_SEARCH = 2n

function holds(capability: bigint): boolean {
  const bounding = /^CapBnd:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0'
  return ((BigInt(`0x${bounding}`) >> capability) & 1n) === 1n
}

/** Whether every folder from the root down to `path` lets this user in, and `path` lets itself be read. */
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
