import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { collect, ensureInstalled, pinnedEnvironment, pinnedNode, root } from './install.mjs'
import { conclude, Refusal, sentence, timed } from './say.mjs'

const sources = [
  'server',
  'studio',
  'i18n',
  'package-lock.json',
  'tsconfig.json',
  'vite.config.ts',
  'vite.server.config.ts',
]
const configs = ['vite.config.ts', 'vite.server.config.ts']
const stamp = join(root, 'dist', '.built-from')

/** Builds the server and the owner app when a source has changed since the last build. */
export async function ensureBuilt() {
  const now = fingerprint()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === now) return
  await timed('building', () => Promise.all(configs.map(build)))
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(stamp, now)
}

async function build(config) {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const args = [vite, 'build', '--logLevel', 'error', '--config', config]
  await collect(pinnedNode(), args, { env: { ...pinnedEnvironment(), NODE_ENV: 'production' } }).catch((output) => {
    process.stderr.write(`\n${output}\n`)
    throw new Refusal(sentence('notBuilt'))
  })
}

/** Names, sizes and times show a change and take a few milliseconds to read. */
function fingerprint() {
  const hash = createHash('sha256').update(process.arch)
  for (const source of sources) for (const line of linesOf(join(root, source))) hash.update(line)
  return hash.digest('hex')
}

function* linesOf(path) {
  const entry = statSync(path, { throwIfNoEntry: false })
  if (!entry) return
  if (!entry.isDirectory()) yield `${path.slice(root.length)} ${entry.size} ${entry.mtimeMs}\n`
  else for (const name of readdirSync(path).sort()) if (!name.includes('.test.')) yield* linesOf(join(path, name))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await conclude(async () => {
    await ensureInstalled()
    await ensureBuilt()
  })
}
