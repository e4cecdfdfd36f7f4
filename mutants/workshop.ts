import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../server/root.ts'
import type { Mutant } from './mutant.ts'

export interface Verdict {
  /** The first test that failed, or null when the mutant survived. */
  killedBy: string | null
  /** Why nothing was noticed. */
  note: string
}

interface Report {
  testResults: { name: string; message: string; assertionResults: { fullName: string; status: string }[] }[]
}

const LONGEST_RUN_MS = 900_000

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
    return this.#node([
      'node_modules/vite/bin/vite.js',
      'build',
      '--logLevel',
      'error',
      '--config',
      'vite.server.config.ts',
    ])
  }

  async #test(files: string[], options: string[]): Promise<Verdict> {
    const report = join(this.#folder, 'mutants.json')
    rmSync(report, { force: true })
    await this.#node([
      'node_modules/vitest/vitest.mjs',
      'run',
      ...files,
      ...options,
      '--reporter=json',
      `--outputFile=${report}`,
    ])
    if (!existsSync(report)) return { killedBy: null, note: 'the tests came to no end' }
    const { testResults }: Report = JSON.parse(readFileSync(report, 'utf8'))
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

  /** Runs a program in the copy, on the Node that runs this. What it prints is of no interest. */
  async #node(args: string[]): Promise<number> {
    const child = spawn(process.execPath, args, { cwd: this.#folder, stdio: 'ignore', timeout: LONGEST_RUN_MS })
    const [code] = await once(child, 'exit')
    return Number(code)
  }
}

const survived = 'no test fails'
