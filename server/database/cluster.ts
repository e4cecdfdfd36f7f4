import { execFileSync } from 'node:child_process'
import { chownSync, copyFileSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { messageOf, StartError } from '../start-error.ts'
import { findBinaries, type PostgresBinaries } from './binaries.ts'
import { keptSecret } from './data-folder.ts'
import { databaseUser, runAs, type SystemUser } from './system-user.ts'

/** The place of a cluster and what is needed to run it. */
export interface Cluster {
  /** PostgreSQL's own data folder, without symbolic links. */
  folder: string
  password: string
  binaries: PostgresBinaries
  user: SystemUser | null
  settings: string[]
  /** The output of the server. */
  logFile: string
}

/** The name of the database and of its only user. */
export const ROLE = 'tirage'

export const clusterIn = (dataDir: string) => join(dataDir, 'postgres')

export const urlOf = (password: string, port: number, database = 'tirage') =>
  `postgres://${ROLE}:${password}@127.0.0.1:${port}/${database}`

/** Opens the cluster below `dataDir`, and makes it first when it is missing. @throws StartError when it cannot be made or is of another version */
export function openCluster(dataDir: string, kind: ServerSettings): Cluster {
  const binaries = findBinaries()
  const password = keptSecret(dataDir, 'postgres.password')
  const folder = clusterIn(dataDir)
  const user = databaseUser(folder)
  if (!statSync(join(folder, 'PG_VERSION'), { throwIfNoEntry: false }))
    createCluster({ folder, dataDir, binaries, user })
  checkVersion(folder, binaries)
  const settings = settingsFor(kind)
  return { folder: realpathSync(folder), password, binaries, user, settings, logFile: join(dataDir, 'postgres.log') }
}

interface NewCluster {
  folder: string
  dataDir: string
  binaries: PostgresBinaries
  user: SystemUser | null
}

/** Makes the cluster under another name and then moves it, so that an interrupted first start leaves no half of one. */
function createCluster({ folder, dataDir, binaries, user }: NewCluster): void {
  const draft = `${folder}.new`
  const passwordFile = join(dataDir, 'postgres.initial-password')
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
  copyFileSync(join(dataDir, 'postgres.password'), passwordFile)
  for (const path of user ? [draft, passwordFile] : []) chownSync(path, user?.uid ?? 0, user?.gid ?? 0)
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  const access = [`--username=${ROLE}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--no-instructions']
  const command = runAs(user, {
    file: binaries.initdb,
    args: ['--pgdata', draft, ...access, ...locale],
    reads: [binaries.initdb, dataDir],
  })
  try {
    execFileSync(command.file, command.args, { ...command.ids, stdio: 'pipe', env: serverEnvironment() })
    rmSync(folder, { recursive: true, force: true })
    renameSync(draft, folder)
  } catch (error) {
    throw new StartError(`The database could not be made in ${folder}: ${lastLine(messageOf(error))}`)
  } finally {
    rmSync(passwordFile, { force: true })
  }
}

function checkVersion(folder: string, { version }: PostgresBinaries): void {
  const made = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim()
  const major = version.split('.')[0]
  if (made === major) return
  throw new StartError(
    `The database in ${folder} was made by PostgreSQL ${made} and this Tirage brings ${major}: see “Upgrading PostgreSQL” in docs/operating.md.`,
  )
}

/**
 * How the server is set. The last two are for tests and measurements: `fast` loses what was committed when the machine stops, and
 * `default` is PostgreSQL as it comes.
 */
export type ServerSettings = 'ours' | 'fast' | 'default'

/** The settings are given at each start and not written into the cluster, so that a newer Tirage brings its own. */
function settingsFor(kind: ServerSettings): string[] {
  const megabytes = Math.round(Math.min(Math.max(totalmem() / 2 ** 20 / 8, 64), 1024))
  const needed = { listen_addresses: '127.0.0.1', unix_socket_directories: '', timezone: 'UTC', log_timezone: 'UTC' }
  const ours = {
    max_connections: '100',
    shared_buffers: `${megabytes}MB`,
    max_wal_size: '2GB',
    random_page_cost: '1.1',
    log_checkpoints: 'off',
    ...(kind === 'fast' ? { fsync: 'off', full_page_writes: 'off' } : { fsync: 'on', synchronous_commit: 'on' }),
  }
  const settings = kind === 'default' ? needed : { ...needed, ...ours }
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** Only what a database server needs. Our own PG* variables would change what the server and its tools do. */
export const serverEnvironment = () => ({ PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' })

export function readOr(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

export const lastLine = (text: string) => text.trim().split('\n').at(-1)?.trim() ?? ''
