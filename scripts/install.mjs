import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Refusal, sentence, timed } from './say.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
const PINNED_MAJOR = 26

/** Installs the packages of package-lock.json when they are missing or others. */
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

/** npm writes down what it has installed, last: all that the lock asks for on this machine must be in there. */
function isInstalled() {
  const installed = packagesIn(join(modules, '.package-lock.json'))
  const wanted = packagesIn(join(root, 'package-lock.json'))
  if (!installed || !wanted) return false
  return Object.entries(wanted).every(
    ([path, entry]) => path === '' || installed[path]?.version === entry.version || !isForThisMachine(entry),
  )
}

/** npm leaves out what is optional and made for others, with all that only these need. musl has no pinned Node. */
function isForThisMachine({ optional, os = [], cpu = [], libc = ['glibc'] }) {
  return !optional || (os.includes(process.platform) && cpu.includes(process.arch) && libc.includes('glibc'))
}

function packagesIn(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : null
}

/** The build needs the development packages, whatever NODE_ENV says about the program that is built. */
function withoutProduction() {
  const { NODE_ENV: _, npm_config_omit: __, ...env } = process.env
  return env
}

/** The Node that package.json pins; the running one where it is as new. */
export function pinnedNode() {
  if (Number.parseInt(process.versions.node, 10) >= PINNED_MAJOR) return process.execPath
  const names = ['node', 'node-bin'].map((prefix) => `${prefix}-${process.platform}-${process.arch}`)
  const found = names.map((name) => join(modules, name, 'bin', 'node')).find((file) => existsSync(file))
  if (!found) throw new Refusal(sentence('notThisMachine', `${process.platform}-${process.arch}`))
  return found
}

/** The environment in which `node` and the packages' commands are the pinned ones. */
export function pinnedEnvironment() {
  return { ...process.env, PATH: [dirname(pinnedNode()), join(modules, '.bin'), process.env.PATH].join(delimiter) }
}

/** Runs a program quietly. Resolves to what it printed; rejects with that when it fails. */
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
