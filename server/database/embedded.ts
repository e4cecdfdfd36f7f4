import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, realpathSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { messageOf, StartError } from '../start-error.ts'
import {
  type Cluster,
  clusterIn,
  lastLine,
  openCluster,
  ROLE,
  readOr,
  type ServerSettings,
  serverEnvironment,
  urlOf,
} from './cluster.ts'
import { keptSecret, prepareDataFolder } from './data-folder.ts'
import { lockFolder, lockHolder } from './folder-lock.ts'
import { beginningOf, isServerIn } from './process.ts'
import { runAs } from './system-user.ts'

export interface EmbeddedPostgres {
  url: string
  /** Ends the server; everything that was committed is on disk. A second call does nothing. */
  stop(): Promise<void>
}

interface EmbeddedOptions {
  dataDir: string
  log: { info(message: string): void; warn(message: string): void }
  settings?: ServerSettings
}

interface RunningServer {
  pid: number
  port: number
  /** Seconds since 1970. */
  startedAt: number
}

const LONGEST_RECOVERY_MS = 120_000
const LONGEST_SHUTDOWN_MS = 30_000
const CHECK_EVERY_MS = 1_000
const LONGEST_LOG = 10_000_000

/**
 * Starts PostgreSQL below `dataDir`, on a free port of 127.0.0.1, with a password that is only in this folder. When a server
 * has outlived its Tirage (kill -9), that server is used again. It is replaced when it does not answer or has other settings.
 * @throws StartError when another Tirage uses the folder, the folder cannot be written to, or the server does not start
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  prepareDataFolder(options.dataDir)
  const unlock = lockFolder(options.dataDir)
  try {
    const cluster = openCluster(options.dataDir, options.settings ?? 'ours')
    const server = (await adopt(cluster, options.log)) ?? (await launch(cluster, await freePort()))
    const guard = keepAlive(cluster, server, options.log)
    let stopped: Promise<void> | null = null
    const stop = async () => end(await guard.release()).finally(unlock)
    return {
      url: urlOf(cluster.password, server.port),
      stop: () => {
        stopped ??= stop()
        return stopped
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

/**
 * Restarts a server that ended by itself (out of memory, killed by mistake), on the same port, so that connections find it.
 * `release` ends this and returns the id of the server's process.
 */
function keepAlive(cluster: Cluster, first: RunningServer, log: EmbeddedOptions['log']) {
  let { pid } = first
  let restart: Promise<void> = Promise.resolve()
  let busy = false
  const revive = async () => {
    try {
      pid = (await launch(cluster, first.port)).pid
      log.warn('The database server had ended by itself and was started again.')
    } catch (error) {
      log.warn(messageOf(error))
    }
    busy = false
  }
  const timer = setInterval(() => {
    if (busy || isServerIn(pid, cluster.folder)) return
    busy = true
    restart = revive()
  }, CHECK_EVERY_MS)
  timer.unref()
  return {
    async release() {
      clearInterval(timer)
      await restart
      return pid
    },
  }
}

/** For commands: the database of a running Tirage, which `stop` leaves running, or else one of our own. */
export async function shareEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  if (lockHolder(options.dataDir) === null) return startEmbeddedPostgres(options)
  const server = runningServer(realpathSync(clusterIn(options.dataDir)))
  if (!server) throw new StartError('The database of the running Tirage is not ready yet: try again in a moment.')
  return { url: urlOf(keptSecret(options.dataDir, 'postgres.password'), server.port), stop: async () => {} }
}

async function adopt(cluster: Cluster, log: EmbeddedOptions['log']): Promise<RunningServer | null> {
  const pidFile = join(cluster.folder, 'postmaster.pid')
  const pid = Number.parseInt(readOr(pidFile), 10)
  if (!pid) return null
  if (!isServerIn(pid, cluster.folder)) {
    // The file is stale. Its number may belong to another process by now, and PostgreSQL would take that for a server.
    rmSync(pidFile, { force: true })
    return null
  }
  const server = await answering(cluster, pid).catch(() => null)
  if (server && runsAsWeWould(cluster, server)) {
    log.info('Found the database of a Tirage that was killed, and went on with it.')
    return server
  }
  log.warn('Replaced a database server that was left over.')
  await end(pid)
  return null
}

/** Waits until the server takes connections: it may still be recovering from a crash. */
async function answering(cluster: Cluster, pid: number): Promise<RunningServer> {
  const deadline = Date.now() + LONGEST_RECOVERY_MS
  while (isServerIn(pid, cluster.folder) && Date.now() < deadline) {
    const server = runningServer(cluster.folder)
    if (server && (await isOurs(cluster, server.port))) return server
    await delay(25)
  }
  throw new StartError(`The database did not start: ${lastLine(readOr(cluster.logFile))} See ${cluster.logFile}.`)
}

/** What the server wrote about itself, or null until it listens. */
function runningServer(folder: string): RunningServer | null {
  const [pid, , startedAt, port, , , , status] = readOr(join(folder, 'postmaster.pid')).split('\n')
  if (status?.trim() !== 'ready') return null
  return { pid: Number(pid), startedAt: Number(startedAt), port: Number(port) }
}

/** Checks whether the server is ours, and creates our database when it is missing. @returns false while the server takes no connections */
async function isOurs({ folder, password }: Cluster, port: number): Promise<boolean> {
  const client = new pg.Client({ connectionString: urlOf(password, port, 'postgres'), connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ data_directory: string }>('show data_directory')
    const known = await client.query('select from pg_database where datname = $1', [ROLE])
    if (known.rowCount === 0) await client.query(`create database ${ROLE}`)
    return rows[0]?.data_directory === folder
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

function runsAsWeWould({ folder, binaries, settings }: Cluster, { startedAt }: RunningServer): boolean {
  const opts = readOr(join(folder, 'postmaster.opts'))
  const sameSettings = settings.filter((part) => part !== '-c').every((setting) => opts.includes(`"${setting}"`))
  return sameSettings && opts.startsWith(binaries.postgres) && statSync(binaries.postgres).ctimeMs / 1000 < startedAt
}

async function launch(cluster: Cluster, port: number): Promise<RunningServer> {
  const child = spawnServer(cluster, port)
  const { pid } = child
  if (!pid) throw new StartError(`The database server ${cluster.binaries.postgres} could not be run.`)
  const failure = new Promise<never>((_, reject) => {
    child.once('error', (error) => reject(new StartError(`The database did not start: ${error.message}`)))
    child.once('exit', () => reject(new StartError(didNotStart(cluster))))
  })
  const server = await Promise.race([waitUntilReady(cluster, child), failure])
  failure.catch(() => {})
  return server
}

const didNotStart = ({ logFile }: Cluster) =>
  `The database did not start: ${lastLine(readOr(logFile))} (see ${logFile})`

async function waitUntilReady(cluster: Cluster, child: ChildProcess): Promise<RunningServer> {
  const deadline = Date.now() + LONGEST_RECOVERY_MS
  while (child.exitCode === null && Date.now() < deadline) {
    const server = runningServer(cluster.folder)
    if (server && server.pid === child.pid && (await isOurs(cluster, server.port))) return server
    await delay(10)
  }
  throw new StartError(didNotStart(cluster))
}

/** The server gets its own process group, so that Ctrl-C in a terminal does not end the database before us. */
function spawnServer({ folder, binaries, user, settings, logFile }: Cluster, port: number): ChildProcess {
  const args = ['-D', folder, '-c', `port=${port}`, ...settings]
  const command = runAs(user, { file: binaries.postgres, args, reads: [binaries.postgres, folder] })
  const log = openSync(
    logFile,
    (statSync(logFile, { throwIfNoEntry: false })?.size ?? 0) > LONGEST_LOG ? 'w' : 'a',
    0o600,
  )
  const options = { ...command.ids, detached: true, env: serverEnvironment() }
  const child = spawn(command.file, command.args, { ...options, stdio: ['ignore', log, log] })
  closeSync(log)
  child.unref()
  return child
}

/** Asks for a fast shutdown, which rolls open transactions back. When that takes too long, it asks for an immediate one. */
async function end(pid: number): Promise<void> {
  const beginning = beginningOf(pid)
  const gone = () => beginningOf(pid) !== beginning || beginning === null
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (gone()) return
    process.kill(pid, signal)
    const deadline = Date.now() + LONGEST_SHUTDOWN_MS
    while (!gone() && Date.now() < deadline) await delay(10)
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
