import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectRoot } from './root.ts'
import { programEnvironment, programFlags } from './testing/program-environment.ts'

const commands = [
  'start',
  'work',
  'migrate',
  'seed',
  'doctor',
  'relays',
  'domain',
  'bounces',
  'import',
  'sessions',
  'outbox',
]

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tirage-usage-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Of the built program. Rejects when it ends with an error. */
async function said(args: string[], language: string): Promise<string> {
  const env = { ...programEnvironment(), LANG: language, DATA_DIR: folder }
  const program = join(projectRoot, 'dist', 'server', 'cli.js')
  return (await promisify(execFile)(process.execPath, [...programFlags, program, ...args], { env })).stdout
}

const named = (usage: string): string[] => usage.split('\n').flatMap((line) => /^ {2}(\w+)/.exec(line)?.slice(1) ?? [])

test('help names every command, in both languages', { timeout: 60_000 }, async () => {
  for (const language of ['en_GB.UTF-8', 'fr_FR.UTF-8']) expect(named(await said(['help'], language))).toEqual(commands)
})

test.each(commands)('%s answers --help with how it is used, and does nothing', { timeout: 60_000 }, async (command) => {
  const answer = await said([command, '--help'], 'en_GB.UTF-8')
  expect(answer).toMatch(/^Usage: npm run tirage -- COMMAND\n\n/)
  expect(named(answer)).toEqual([command])
  expect(readdirSync(folder)).toEqual([])
})

test('what belongs to a command is told with it, wherever help is asked for', { timeout: 60_000 }, async () => {
  expect(await said(['seed', '--help'], 'fr_FR.UTF-8')).toContain('seed [--subscribers N]')
  expect(await said(['relays', 'add', '-h'], 'en_GB.UTF-8')).toContain('remove ID')
  expect(await said(['sessions', '--help'], 'en_GB.UTF-8')).toContain('end ADDRESS')
})
