import { spawn } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Refusal, sentence, timed } from './say.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
const PINNED_MAJOR = 26
const pinnedNames = ['node', 'node-bin'].map((prefix) => `${prefix}-${process.platform}-${process.arch}`)

/**
 * Installs the packages of package-lock.json when they are missing or different.
 *
 * @param options.tests also those that only checks and tests need: `onlyForTests` in package.json
 */
export async function ensureInstalled({ tests = false } = {}) {
  const all = readJson(join(root, 'package-lock.json'))
  const lock = tests ? all : withoutTests(all)
  if (isInstalled(lock)) return
  await timed('installing', () =>
    install(lock, { tests }).catch((output) => {
      process.stderr.write(`\n${output}\n`)
      throw new Refusal(sentence('notInstalled'))
    }),
  )
}

/**
 * `npm ci` takes a whole lock and first deletes what is there. So it runs in a folder of its own, whose lock has only these packages, and then its
 * packages take the place of those before at once: a program that runs from them, such as our PostgreSQL, misses no file meanwhile.
 */
async function install(lock, { tests }) {
  const folder = join(root, '.cache', 'install')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const { devDependencies } = lock.packages['']
  const { scripts: _, ...manifest } = readJson(join(root, 'package.json'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, devDependencies }))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
  copyFileSync(join(root, '.npmrc'), join(folder, '.npmrc'))
  const options = { cwd: folder, env: withoutProduction() }
  await collect('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], options)
  const installed = join(folder, 'node_modules')
  removeHeaders(installed)
  if (!tests) removeUnread(installed)
  if (existsSync(modules)) renameSync(modules, join(folder, 'before'))
  renameSync(installed, modules)
  rmSync(folder, { recursive: true, force: true })
}

/** The same lock with what the program and its build need. `npm ci --omit=dev` would leave out the build and keep the compiler. */
function withoutTests(lock) {
  const { onlyForTests } = readJson(join(root, 'package.json'))
  const { '': project, ...packages } = lock.packages
  const devDependencies = omit(project.devDependencies, onlyForTests)
  const kept = { '': { ...project, devDependencies } }
  const waiting = ['']
  for (const path of waiting) {
    for (const name of namesNeededBy(kept[path])) {
      const found = placeOf(name, path, packages)
      if (!found || kept[found]) continue
      kept[found] = packages[found]
      waiting.push(found)
    }
  }
  return { ...lock, packages: kept }
}

/** The folders of the packages that the program and its build need; those of other platforms are not there. */
export function packagesToStart() {
  const { packages } = withoutTests(readJson(join(root, 'package-lock.json')))
  return Object.keys(packages).filter((path) => path !== '')
}

function namesNeededBy({
  dependencies,
  devDependencies,
  optionalDependencies,
  peerDependencies,
  peerDependenciesMeta,
}) {
  const optionalPeers = Object.keys(peerDependenciesMeta ?? {}).filter((name) => peerDependenciesMeta[name].optional)
  const peers = omit(peerDependencies ?? {}, optionalPeers)
  return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies, ...peers })
}

/** Where Node looks for a package from another one: in that one's own folder, then in the folders above. */
function placeOf(name, from, packages) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = `${folder && `${folder}/`}node_modules/${name}`
    if (packages[path]) return path
    if (!folder) return null
  }
}

function omit(object, names) {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
}

/** Node's package has 66 MB of C headers. They are for compiling native packages, which nothing here does. */
function removeHeaders(folder) {
  for (const name of pinnedNames) rmSync(join(folder, name, 'include'), { recursive: true, force: true })
}

/** The declarations and source maps of packages: 80 MB of small files that only checks and editors read. */
function removeUnread(folder) {
  for (const name of readdirSync(folder, { recursive: true })) {
    if (isUnread(name)) rmSync(join(folder, name), { force: true })
  }
}

/** Whether neither the program nor its build reads a file of a package. */
export const isUnread = (path) => /\.(map|d\.[cm]?ts)$/.test(path)

/** npm writes this file at the end of an installation: it must contain all packages of the lock for this machine. */
function isInstalled(lock) {
  const file = join(modules, '.package-lock.json')
  if (!existsSync(file)) return false
  const installed = readJson(file).packages
  return Object.entries(lock.packages).every(
    ([path, entry]) => path === '' || installed[path]?.version === entry.version || !isForThisMachine(entry),
  )
}

/** npm skips optional packages for other platforms, with the packages that only they need. musl has no pinned Node. */
function isForThisMachine({ optional, os = [], cpu = [], libc = ['glibc'] }) {
  return !optional || (os.includes(process.platform) && cpu.includes(process.arch) && libc.includes('glibc'))
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** The build needs the development packages, whatever NODE_ENV is. */
function withoutProduction() {
  const { NODE_ENV: _, npm_config_omit: __, ...env } = process.env
  return env
}

/** The path of the Node that package.json pins, or of the running one if its version is at least that. */
export function pinnedNode() {
  if (Number.parseInt(process.versions.node, 10) >= PINNED_MAJOR) return process.execPath
  const found = pinnedNames.map((name) => join(modules, name, 'bin', 'node')).find((file) => existsSync(file))
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
