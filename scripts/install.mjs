import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Refusal, sentence, timed } from './say.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
const PINNED_MAJOR = 26

/** Installs the packages of package-lock.json when they are missing or different. */
export async function ensureInstalled() {
  if (isInstalled()) return
  await timed('installing', () =>
    collect('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { env: withoutProduction() }).catch(
      (output) => {
        process.stderr.write(`\n${output}\n`)
        throw new Refusal(sentence('notInstalled'))
      },
    ),
  )
}

/** npm writes this file at the end of an installation: it must contain all packages of the lock for this machine. */
function isInstalled() {
  const installed = packagesIn(join(modules, '.package-lock.json'))
  const wanted = packagesIn(join(root, 'package-lock.json'))
  if (!installed || !wanted) return false
  return Object.entries(wanted).every(
    ([path, entry]) => path === '' || installed[path]?.version === entry.version || !isForThisMachine(entry),
  )
}

/** npm skips optional packages for other platforms, with the packages that only they need. musl has no pinned Node. */
function isForThisMachine({ optional, os = [], cpu = [], libc = ['glibc'] }) {
  return !optional || (os.includes(process.platform) && cpu.includes(process.arch) && libc.includes('glibc'))
}

function packagesIn(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : null
}

/** The build needs the development packages, whatever NODE_ENV is. */
function withoutProduction() {
  const { NODE_ENV: _, npm_config_omit: __, ...env } = process.env
  return env
}

/** The path of the Node that package.json pins, or of the running one if its version is at least that. */
export function pinnedNode() {
  if (Number.parseInt(process.versions.node, 10) >= PINNED_MAJOR) return process.execPath
  const names = ['node', 'node-bin'].map((prefix) => `${prefix}-${process.platform}-${process.arch}`)
  const found = names.map((name) => join(modules, name, 'bin', 'node')).find((file) => existsSync(file))
  if (!found) throw new Refusal(sentence('notThisMachine', `${process.platform}-${process.arch}`))
  return found
}

/** The environment with the pinned `node` and the commands of the packages on its PATH. */
export function pinnedEnvironment() {
  return { ...process.env, PATH: [dirname(pinnedNode()), join(modules, '.bin'), process.env.PATH].join(delimiter) }
}

/** Runs a program quietly. Resolves to its output, and rejects with it when the program fails. */
export function collect(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    let output = ''
    const child = spawn(command, args, { cwd: root, ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    const keep = (chunk) => {
      output += chunk
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.on('error', (error) => reject(error.message))
    child.on('close', (code) => (code === 0 ? resolve(output) : reject(output)))
  })
}
