import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../server/root.ts'
import type { Mutant } from './mutant.ts'

export interface Verdict {
  /** The first test that failed, or null when the mutant survived. */
  killedBy: string | null
  /** Why nothing was noticed. */
  note: string
}

/** What Vitest says of a run. */
export interface Report {
  testResults: {
    name: string
    message: string
    startTime: number
    endTime: number
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[]
  }[]
}

const LONGEST_RUN_MS = 900_000

/** The files as they are now, with the same packages. */
export function copyTo(folder: string): string {
  const left = new Set(
    ['node_modules', '.git', '.cache', 'data', 'test-results', 'screenshots'].map((name) => join(projectRoot, name)),
  )
  cpSync(projectRoot, folder, { recursive: true, filter: (path) => !left.has(path) })
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** What is out of date about an entry of the list. */
export function faultsOf({ name, promise, file, find, tests }: Mutant): string[] {
  const words = (text: string) => text.replaceAll(/[\s*/]+/g, ' ')
  const read = (path: string) =>
    existsSync(join(projectRoot, path)) ? readFileSync(join(projectRoot, path), 'utf8') : ''
  const found = read(file).split(find).length - 1
  return [
    ...(found === 1 ? [] : [`${name}: “${find}” occurs ${found} times in ${file}, instead of once.`]),
    ...(words(read(promise.in)).includes(words(promise.says))
      ? []
      : [`${name}: ${promise.in} no longer says “${promise.says}”.`]),
    ...tests.filter((path) => read(path) === '').map((path) => `${name}: there is no ${path}.`),
  ]
}

/** A copy of the project, in which one mutant at a time is tried. */
export class Workshop {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The first test that fails in the unchanged project, or null. Such a test would seem to notice everything. */
  async failingWithout(mutants: Mutant[]): Promise<string | null> {
    const files = [...new Set(mutants.flatMap(({ tests }) => tests))]
    const { killedBy, note } = await this.#test(files, [])
    return killedBy ?? (note === survived ? null : note)
  }

  async judge({ file, find, replace, tests, built }: Mutant): Promise<Verdict> {
    const path = join(this.#folder, file)
    const before = readFileSync(path, 'utf8')
    writeFileSync(
      path,
      before.replace(find, () => replace),
    )
    try {
      if (built) await this.#build()
      return await this.#test(tests, ['--bail=1'])
    } finally {
      writeFileSync(path, before)
      if (built) await this.#build()
    }
  }

  #build(): Promise<number> {
    return runNode(this.#folder, [
      'node_modules/vite/bin/vite.js',
      'build',
      '--logLevel',
      'error',
      '--config',
      'vite.server.config.ts',
    ])
  }

  async #test(files: string[], options: string[]): Promise<Verdict> {
    const report = await runTests(this.#folder, { files, options })
    if (!report) return { killedBy: null, note: 'the tests came to no end' }
    const { testResults } = report
    const failed = testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .find(({ status }) => status === 'failed')
    // A file that cannot be loaded says nothing about the promise: the compiler or the build would notice it too.
    const unloaded = testResults.find(({ assertionResults, message }) => assertionResults.length === 0 && message)
    return {
      killedBy: failed?.fullName.trim() ?? null,
      note: unloaded ? `cannot be loaded: ${unloaded.message}` : survived,
    }
  }
}

/** Runs test files of a copy. Null when the run came to no end. */
export async function runTests(
  folder: string,
  { files, options = [], env = {} }: { files: string[]; options?: string[]; env?: Record<string, string> },
): Promise<Report | null> {
  const report = join(folder, 'mutants.json')
  rmSync(report, { force: true })
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...files, ...options]
  await runNode(folder, [...vitest, '--reporter=json', `--outputFile=${report}`], env)
  return existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : null
}

/** Runs a program in a copy, on the Node that runs this. What it prints is of no interest. */
async function runNode(folder: string, args: string[], env: Record<string, string> = {}): Promise<number> {
  const options = { cwd: folder, stdio: 'ignore', timeout: LONGEST_RUN_MS, env: { ...process.env, ...env } } as const
  const [code] = await once(spawn(process.execPath, args, options), 'exit')
  return Number(code)
}

const survived = 'no test fails'
