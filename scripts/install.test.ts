import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

let project: string

/** In the place of npm: notes what it finds in the project, and installs one package. */
const npm = `#!/usr/bin/env node
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
writeFileSync(process.env.NOTE, String(existsSync(join(process.env.PROJECT, 'node_modules', 'runs', 'index.js'))))
if (process.env.REFUSES) process.exit(1)
mkdirSync('node_modules/added', { recursive: true })
writeFileSync('node_modules/added/index.js', '')
writeFileSync('node_modules/added/index.d.ts', '')
`

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'tirage-install-'))
  for (const folder of ['scripts', 'bin', 'node_modules/runs']) mkdirSync(join(project, folder), { recursive: true })
  for (const name of ['install.mjs', 'say.mjs'])
    copyFileSync(join(import.meta.dirname, name), join(project, 'scripts', name))
  writeFileSync(join(project, 'bin', 'npm'), npm)
  chmodSync(join(project, 'bin', 'npm'), 0o755)
  writeFileSync(join(project, '.npmrc'), '')
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'p', type: 'module', onlyForTests: [] }))
  const packages = { '': { devDependencies: { added: '1.0.0' } }, 'node_modules/added': { version: '1.0.0' } }
  writeFileSync(join(project, 'package-lock.json'), JSON.stringify({ packages }))
  writeFileSync(join(project, 'node_modules', 'runs', 'index.js'), '')
})
afterAll(() => rmSync(project, { recursive: true, force: true }))

const note = () => readFileSync(join(project, 'note'), 'utf8')
const isThere = (path: string) => existsSync(join(project, path))

function install(env: Record<string, string> = {}): void {
  const run = "import { ensureInstalled } from './scripts/install.mjs'; await ensureInstalled({ tests: true })"
  const PATH = [join(project, 'bin'), process.env.PATH].join(delimiter)
  const options = { cwd: project, env: { ...process.env, PATH, PROJECT: project, NOTE: join(project, 'note'), ...env } }
  execFileSync(process.execPath, ['--input-type=module', '--eval', run], { ...options, stdio: 'pipe' })
}

test('a program goes on with its packages while others are installed, and keeps them when that fails', () => {
  expect(() => install({ REFUSES: 'yes' })).toThrow(/could not be installed|n’ont pas pu/)
  expect(note()).toBe('true')
  expect(isThere('node_modules/runs/index.js')).toBe(true)

  install()
  expect(note()).toBe('true')
  expect(isThere('node_modules/runs')).toBe(false)
  expect(isThere('node_modules/added/index.d.ts')).toBe(true)
  expect(isThere('.cache/install')).toBe(false)
})
