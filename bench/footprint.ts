import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isUnread, packagesToStart, root } from '../scripts/install.mjs'
import type { Claim, Measure } from './claim.ts'
import { freePort, stopProcess } from './processes.ts'

const MB = 1024 * 1024
const IDLE = 150
const ON_DISK = 450

/** What an instance takes that nobody uses: memory after its first visitors, and the files of `npm start` in a fresh clone. */
export const footprint: Claim = {
  name: 'footprint',
  async measure() {
    return [await idleMemory(), filesToStart()]
  },
}

/** The program as `npm start` runs it, with an embedded database, after an owner has signed up and looked around. */
async function idleMemory(): Promise<Measure> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tirage-bench-'))
  const port = await freePort()
  const { PATH, HOME } = process.env
  const env = { PATH, HOME, LANG: 'en_GB.UTF-8', NODE_ENV: 'production', DATA_DIR: dataDir, PORT: String(port) }
  const server = spawn(process.execPath, [join(root, 'dist/server/cli.js'), 'start'], { env })
  try {
    await ready(server)
    await lookAround(`http://127.0.0.1:${port}`)
    const megabytes = residentBytes(server.pid ?? 0) / MB
    const postmaster = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n', 1)
    return {
      claim: 'resident memory of an idle server',
      promised: `≤ ${IDLE} MB`,
      measured: `${megabytes.toFixed(0)} MB (PostgreSQL’s ${(databaseBytes(Number(postmaster[0])) / MB).toFixed(0)} MB beside it)`,
      kept: megabytes <= IDLE,
    }
  } finally {
    await stopProcess(server)
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function ready(server: ChildProcess): Promise<void> {
  let output = ''
  server.stdout?.on('data', (piece) => (output += piece))
  while (!output.includes('Tirage is ready')) {
    if (server.exitCode !== null || !server.stdout) throw new Error(output)
    await once(server.stdout, 'data')
  }
}

async function lookAround(url: string): Promise<void> {
  const signedUp = await fetch(`${url}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ name: 'Inès', email: 'owner@example.org', password: 'correct horse battery' }),
  })
  const cookie = signedUp.headers
    .getSetCookie()
    .map((set) => set.split(';')[0])
    .join('; ')
  for (const path of ['/dashboard', '/api/newsletters', '/readyz', '/r/nothing']) {
    const answer = await fetch(url + path, { headers: { cookie } })
    await answer.arrayBuffer()
  }
}

const residentBytes = (pid: number): number => kilobytes(`/proc/${pid}/status`, 'VmRSS') * 1024

/** Memory that its processes share is counted once. */
function databaseBytes(postmaster: number): number {
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').trim().split(' ').map(Number)
  return [postmaster, ...children].reduce((sum, pid) => sum + kilobytes(`/proc/${pid}/smaps_rollup`, 'Pss') * 1024, 0)
}

const kilobytes = (file: string, field: string): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync(file, 'utf8'))?.[1] ?? 0)

/** The packages and what was built of them, in blocks of this file system. The data folder is not counted: it is the owner's, and grows. */
function filesToStart(): Measure {
  const folders = [...packagesToStart().map((path) => join(root, path)), join(root, 'dist')].filter(existsSync)
  const megabytes = folders.map(bytesOnDisk).reduce((sum, bytes) => sum + bytes, 0) / MB
  return {
    claim: 'files that npm start installs and builds',
    promised: `≤ ${ON_DISK} MB`,
    measured: `${megabytes.toFixed(0)} MB`,
    kept: megabytes <= ON_DISK,
  }
}

/** Of a folder without the packages in it, each of which is counted by itself, and without what `npm start` removes. */
function bytesOnDisk(folder: string): number {
  const own = readdirSync(folder).filter((name) => name !== 'node_modules' && !(isNode(folder) && name === 'include'))
  const sizes = own
    .map((name) => join(folder, name))
    .filter((path) => path.startsWith(join(root, 'dist')) || !isUnread(path))
    .map((path) => {
      const found = lstatSync(path)
      return found.blocks * 512 + (found.isDirectory() ? bytesOnDisk(path) : 0)
    })
  return sizes.reduce((sum, bytes) => sum + bytes, 0)
}

/** An older installation still has the headers that `removeHeaders` in scripts/install.mjs removes. */
const isNode = (folder: string): boolean => /node_modules\/node(-bin)?-[a-z]+-[a-z\d]+$/.test(folder)
