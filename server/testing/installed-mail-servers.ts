import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  type Dirent,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../start-error.ts'
import { certificate, key } from './certificate.ts'
import { portOf } from './port.ts'

/** A mail server that is installed on this machine, run for one test in a folder of its own. */
export interface RunningServer {
  port: number
  /** Every mail that it accepted, when it has delivered all of them. @throws Error when it cannot deliver one */
  received(): Promise<Received[]>
  stop(): Promise<void>
}

export interface Received {
  to: string
  /** The body, its lines ended by LF. */
  text: string
}

export interface InstalledProgram {
  name: string
  /** Why it cannot be run here; null when it can. */
  missing: string | null
  start(): Promise<RunningServer>
}

/** How to run a program for one test. */
export interface Recipe {
  /** Of the program, as its package calls it. */
  name: string
  /** Users and groups that its package adds, as getent(1) looks them up. */
  accounts?: readonly (readonly ['passwd' | 'group', string])[]
  /** Why it cannot be run here although it is installed; null when it can. */
  prevented?: () => string | null
  run(program: string, folder: string, port: number): Running
}

export interface Running {
  server: ChildProcess
  received(): Received[]
  /** Folders whose files are mails that it still has to deliver, in the order in which a mail passes through them. */
  queue?: readonly string[]
  /** What ends the process; unless given, SIGTERM. */
  signal?: NodeJS.Signals
  /** When ending the process is not enough. */
  end?: () => ChildProcess
}

const places = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', '/sbin']

const findProgram = (name: string): string | null =>
  places.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null

const isRoot = process.getuid?.() === 0

export function installedProgram(recipe: Recipe): InstalledProgram {
  const program = findProgram(recipe.name)
  return {
    name: recipe.name,
    missing: program ? preventedBy(recipe) : 'it is not installed',
    start: () => start(program as string, recipe),
  }
}

function preventedBy({ accounts = [], prevented }: Recipe): string | null {
  if (!isRoot) return 'it has to be started by root'
  const [, absent] = accounts.find((account) => spawnSync('getent', account).status !== 0) ?? []
  return absent ? `the account ${absent} of its package is missing` : (prevented?.() ?? null)
}

/** Says which of these are not tested here, and why. */
export function sayMissing(...programs: InstalledProgram[]): void {
  const missing = programs.filter((program) => program.missing)
  if (missing.length > 0) console.info(`Skipped: ${missing.map((each) => `${each.name} (${each.missing})`).join(', ')}`)
}

async function start(program: string, { run }: Recipe): Promise<RunningServer> {
  const folder = mkdtempSync(join(tmpdir(), 'relay-'))
  chmodSync(folder, 0o755)
  const port = await freePort()
  const { server, received, queue = [], signal, end } = run(program, folder, port)
  const stop = async () => {
    if (end) await once(end(), 'exit')
    else server.kill(signal)
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  }
  for (let tries = 0; !(await listens(port)); tries++) {
    if (tries < 200 && server.exitCode === null) await sleep(50)
    else return stop().then(() => Promise.reject(new Error(`${program} does not listen`)))
  }
  return {
    port,
    async received() {
      await untilEmpty(queue)
      return received()
    },
    stop,
  }
}

const DELIVERY_MS = 60_000

async function untilEmpty(queue: readonly string[]): Promise<void> {
  const ends = performance.now() + DELIVERY_MS
  for (let mails = filesIn(queue); mails > 0; mails = filesIn(queue)) {
    if (performance.now() > ends) throw new Error(`${mails} mails were accepted and are not delivered`)
    await sleep(20)
  }
}

function filesIn(folders: readonly string[]): number {
  const entries = folders.flatMap(entriesOf)
  const within = entries.filter((each) => each.isDirectory()).map((each) => join(each.parentPath, each.name))
  return entries.filter((each) => each.isFile()).length + (within.length > 0 ? filesIn(within) : 0)
}

/** None when a server has just removed the folder. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  server.close()
  await once(server, 'close')
  return port
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

export const quiet = { stdio: 'ignore' } as const

/** Postfix's own stand-in for a relay. @param options as its manual says */
export const smtpSink = (...options: string[]): InstalledProgram => {
  const program = installedProgram({
    name: 'smtp-sink',
    run: (path, folder, port) => ({
      server: spawn(path, [...options, '-u', 'root', '-d', join(folder, 'mail-'), `127.0.0.1:${port}`, '100'], quiet),
      received: () => mailsIn(folder, (mail) => ({ to: /^X-Rcpt-Args: <(.+?)>/m.exec(mail)?.[1], text: bodyOf(mail) })),
    }),
  })
  return { ...program, name: ['smtp-sink', ...options].join(' ') }
}

export function writeCertificate(folder: string, mode: number): void {
  writeFileSync(join(folder, 'certificate.pem'), certificate)
  writeFileSync(join(folder, 'key.pem'), key, { mode })
}

type Mail = { to: string | undefined; text: string } | null

export function mailsIn(folder: string, read: (content: string, name: string) => Mail): Received[] {
  // Servers make their folders with the first mail.
  if (!existsSync(folder)) return []
  const mails = readdirSync(folder).map((name) => read(readFileSync(join(folder, name), 'latin1'), name))
  return mails.filter((mail) => mail !== null).map(({ to = '', text }) => ({ to, text }))
}

/** The mails of a maildir, which say in their header whom they were delivered to. */
export const maildir = (folder: string): Received[] =>
  mailsIn(join(folder, 'new'), (mail) => ({ to: /^Delivered-To: (.+)$/m.exec(mail)?.[1], text: bodyOf(mail) }))

const bodyOf = (mail: string): string => mail.slice(mail.indexOf('\n\n') + 2)
