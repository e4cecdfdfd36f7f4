import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { ensureChromium } from './chromium.mjs'
import { collect, ensureInstalled, pinnedEnvironment, pinnedNode, root } from './install.mjs'
import { conclude } from './say.mjs'

/**
 * Runs all checks and tests. A failing step does not stop the others; a table and an exit code come at the end.
 * `--only=checks` leaves out the tests that start the program.
 */
const onlyChecks = process.argv.includes('--only=checks')
const reports = mkdtempSync(join(tmpdir(), 'tirage-reports-'))
const results = []
const tests = { passed: 0, failed: 0 }
/** One line for each failed test, for the end of the output: what CI keeps of a long one. */
const failures = []
/** Seconds of each file of tests: in the browser, the sum of its tests. */
const durations = new Map()

await conclude(async () => {
  await ensureInstalled({ tests: true })
  await quickChecks()
  if (!onlyChecks) await programTests()
  summarise()
})
rmSync(reports, { recursive: true, force: true })

/** Two at a time: the type check takes long and needs one core, the others share the second one. */
async function quickChecks() {
  await Promise.all([
    step('types', () => node('typescript/bin/tsc', '--noEmit')),
    (async () => {
      await step('lint and format', () => node('@biomejs/biome/bin/biome', 'check', '--error-on-warnings'))
      await step('import direction', () => script('check-imports.ts'))
      await step('newsletter scope', () => script('check-newsletter-scope.ts'))
      await step('sentences', () => script('check-sentences.ts'))
      await step('dead code', () => node('knip/bin/knip.js'))
      await step('list of mutants', () => script('../mutants/run.ts', '--verify'))
      await step('database types', () => script('database-types.ts', '--verify'))
    })(),
  ])
}

/** One after the other: at the same time, tests that walk every route come to their limits of time. */
async function programTests() {
  const built = await step('build', ensureBuilt)
  await step('unit and HTTP tests', unitTests)
  if (!existsSync(join(root, 'e2e', 'playwright.config.ts'))) return
  const browser = await step('a browser', ensureChromium)
  if (built && browser) await step('browser tests', browserTests)
}

async function unitTests() {
  const report = join(reports, 'vitest.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  try {
    return await node('vitest/vitest.mjs', 'run', ...reporters)
  } finally {
    const { numPassedTests = 0, numFailedTests = 0, numFailedTestSuites = 0, testResults = [] } = readJson(report)
    for (const { name, startTime, endTime } of testResults) took(relative(root, name), endTime - startTime)
    for (const { name, status, message, assertionResults } of testResults.filter(({ status }) => status === 'failed')) {
      const failed = assertionResults.filter((test) => test.status === 'failed')
      for (const test of failed) failures.push([relative(root, name), test.fullName, test.failureMessages[0]])
      if (failed.length === 0) failures.push([relative(root, name), status, message])
    }
    // A file that cannot be loaded has no failing test.
    count(numPassedTests, Math.max(numFailedTests, numFailedTestSuites > 0 ? 1 : 0))
  }
}

async function browserTests() {
  const report = join(reports, 'playwright.json')
  const env = { ...pinnedEnvironment(), PLAYWRIGHT_JSON_OUTPUT_NAME: report }
  const args = ['test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json']
  try {
    return await collect(pinnedNode(), [module('@playwright/test/cli.js'), ...args], { env })
  } finally {
    const { stats, suites = [] } = readJson(report)
    for (const spec of specsIn(suites)) {
      const results = spec.tests.flatMap((test) => test.results)
      took(
        join('e2e', spec.file),
        results.reduce((sum, { duration }) => sum + duration, 0),
      )
      if (!spec.ok) failures.push([spec.file, spec.title, spec.tests[0]?.results[0]?.error?.message])
    }
    count(stats?.expected ?? 0, (stats?.unexpected ?? 1) + (stats?.flaky ?? 0))
  }
}

function specsIn(suites) {
  return suites.flatMap(({ specs = [], suites: inner = [] }) => [...specs, ...specsIn(inner)])
}

function took(file, milliseconds) {
  durations.set(file, (durations.get(file) ?? 0) + milliseconds / 1000)
}

function count(passed, failed) {
  tests.passed += passed
  tests.failed += failed
}

function readJson(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

function module(path) {
  return join(root, 'node_modules', path)
}

function node(program, ...args) {
  return collect(pinnedNode(), [module(program), ...args], { env: pinnedEnvironment() })
}

function script(name, ...args) {
  return collect(pinnedNode(), [join(root, 'scripts', name), ...args], { env: pinnedEnvironment() })
}

/** Runs a step, prints its output when it fails, and records the result. */
async function step(name, work) {
  const began = Date.now()
  const problem = await work().then(
    () => null,
    (reason) => reason?.stack ?? String(reason),
  )
  const seconds = (Date.now() - began) / 1000
  if (problem) console.log(`\n── ${name} ──\n${problem.trim()}\n`)
  console.log(`  ${problem ? 'failed' : 'passed'}  ${name}, ${seconds.toFixed(1)} s`)
  results.push({ name, seconds, passed: !problem })
  return !problem
}

/** Without the frames of the test runner. */
function shortened(message) {
  const lines = message.split('\n').filter((line) => !/^ +at .*node_modules|^ +at new Promise/.test(line))
  return lines.slice(0, 12).join('\n')
}

/** The last line counts tests. A failed check counts as a failed test, so that the line agrees with the exit code. */
function summarise() {
  const width = Math.max(...results.map(({ name }) => name.length))
  console.log('')
  for (const { name, seconds, passed } of results) {
    console.log(`  ${passed ? 'passed' : 'FAILED'}  ${name.padEnd(width)}  ${seconds.toFixed(1).padStart(6)} s`)
  }
  const slowest = [...durations].sort(([, a], [, b]) => b - a).slice(0, 10)
  if (slowest.length > 0) console.log('\n  The slowest files of tests:')
  for (const [file, seconds] of slowest) console.log(`  ${seconds.toFixed(1).padStart(6)} s  ${file}`)
  for (const [file, name, message = ''] of failures) {
    console.log(`\n  FAILED  ${file} › ${name}\n${shortened(message)}`)
  }
  const failedSteps = results.filter(({ passed }) => !passed).length
  const failed = Math.max(tests.failed, failedSteps)
  process.exitCode = failed > 0 ? 1 : 0
  console.log(`\n${tests.passed} passed, ${failed} failed`)
}
