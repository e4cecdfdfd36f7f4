import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { redundantConditions } from './redundant-conditions.ts'
import { switchedText, type TenantCondition, tenantConditions } from './tenant-conditions.ts'
import { copyTo, type Report, runTests } from './workshop.ts'

/**
 * `node scripts/run.mjs mutants/tenants.ts`, or `… server/links server/media/remove.ts`: leaves out each condition on a newsletter in
 * turn, in a copy, and says which test notices. The walks over foreign objects and beside a twin come first, then the tests of the
 * file's folder that reach the condition, unless `--walk` is given. The exit code is 1 when one survives that `redundant-conditions.ts` does not argue for.
 */
/** What fails where no test of a file has a result: its `beforeAll`, for example. */
const THE_FILE = 'the file'
const WALKS = ['server/http/foreign-objects.test.ts', 'server/http/twin.test.ts', 'server/http/twin-work.test.ts']
/** They need mail servers, whole disks or minutes, and ask nothing of a newsletter that the others do not. */
const left = /\/(real-\w+|crash|full-disk|rate|upgrade|confirmation-crash|descriptors)\.test\.ts$/

const root = mkdtempSync(join(tmpdir(), 'tirage-tenants-'))
const began = Date.now()
try {
  copyTo(root)
  const { values, positionals } = parseArgs({
    options: { walk: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  process.exitCode = await tryAll(tenantConditions(root, positionals), values.walk)
} finally {
  rmSync(root, { recursive: true, force: true })
}

async function tryAll(conditions: TenantCondition[], onlyWalk: boolean): Promise<number> {
  switchAll(conditions)
  const noticedBy = await walk(conditions)
  say(`${noticedBy.size} of ${conditions.length} noticed by the walks`)
  let unexplained = 0
  for (const [folder, own] of Map.groupBy(conditions, ({ file }) => dirname(file))) {
    const rest = own.filter(({ name }) => !noticedBy.has(name))
    if (!onlyWalk) for (const [name, test] of await tryFolder(folder, rest)) noticedBy.set(name, test)
    unexplained += tell(own, noticedBy)
  }
  say(`${noticedBy.size} of ${conditions.length} noticed, ${unexplained} survived unexplained`)
  return unexplained > 0 ? 1 : 0
}

function switchAll(conditions: TenantCondition[]): void {
  for (const [file, own] of Map.groupBy(conditions, (condition) => condition.file)) {
    const path = join(root, file)
    writeFileSync(path, switchedText(file, readFileSync(path, 'utf8'), own))
  }
}

/** Which test of the walks notices each. One process walks for all, with limits that so many walks do not reach. */
async function walk(conditions: TenantCondition[]): Promise<Map<string, string>> {
  const limits = join(root, 'server/http/limits.ts')
  const text = readFileSync(limits, 'utf8')
  writeFileSync(limits, text.replace('RateLimiterMemory({ points,', 'RateLimiterMemory({ points: points * 1_000,'))
  const noticedBy = new Map<string, string>()
  for (const file of WALKS) {
    const rest = conditions.filter(({ name }) => !noticedBy.has(name))
    for (const [name, test] of await walkOne(file, rest)) noticedBy.set(name, test)
    say(`${noticedBy.size} of ${conditions.length} noticed up to ${file}`)
  }
  return noticedBy
}

async function walkOne(file: string, conditions: TenantCondition[]): Promise<Map<string, string>> {
  const path = join(root, file)
  const text = readFileSync(path, 'utf8')
    .replace(', test }', ' }')
    .replace('}, 120_000)', '}, 600_000)')
    .replace(
      /^let server: .*$/m,
      "import { walkWithoutEach } from '../../mutants/tenant-walk.ts'\nconst test = walkWithoutEach(() => server.context.db as never)\n$&",
    )
  writeFileSync(path, text)
  const report = await runTests(root, {
    files: [file],
    options: ['--testTimeout=60000'],
    env: { TENANT_WALK: JSON.stringify(conditions.map(({ name }) => name)) },
  })
  const failed = failedTests(report)
  const alone = failed.find(({ title }) => title === THE_FILE || title.startsWith('every condition: '))
  if (alone) throw new Error(`fails with every condition in place: ${alone.title} ${alone.message}`)
  return new Map(
    conditions.flatMap(({ name }) => {
      const noticed = failed.find(({ title }) => title.startsWith(`${name}: `))
      return noticed ? [[name, `${file}: ${noticed.title.slice(name.length + 2)}`] as const] : []
    }),
  )
}

async function tryFolder(folder: string, conditions: TenantCondition[]): Promise<Map<string, string>> {
  const noticedBy = new Map<string, string>()
  const files = globSync(`${folder}/**/*.test.{ts,tsx}`, { cwd: root }).filter((file) => !left.test(file))
  if (files.length === 0 || conditions.length === 0) return noticedBy
  const seen = join(root, 'tenants.seen')
  writeFileSync(seen, '')
  const report = await runTests(root, { files, env: { TENANT_SEEN: seen } })
  const broken = failedTests(report)[0]
  if (broken) throw new Error(`fails with every condition in place: ${broken.title} ${broken.message}`)
  const reached = readFileSync(seen, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line): { name: string; test: string } => JSON.parse(line))
  for (const test of byDuration(report)) {
    const names = new Set(
      reached.filter((each) => join(root, relative(root, each.test)) === test).map(({ name }) => name),
    )
    const waiting = conditions.filter(({ name }) => names.has(name) && !noticedBy.has(name))
    for (const [name, title] of await tryFile(relative(root, test), waiting)) noticedBy.set(name, title)
  }
  say(`${folder}: ${noticedBy.size} of the other ${conditions.length} noticed by its own tests`)
  return noticedBy
}

function byDuration(report: Report | null): string[] {
  const results = report?.testResults ?? []
  return results.toSorted((a, b) => a.endTime - a.startTime - (b.endTime - b.startTime)).map(({ name }) => name)
}

/** Runs a test file once for each condition, as so many files of one run. */
async function tryFile(test: string, conditions: TenantCondition[]): Promise<Map<string, string>> {
  const copies = new Map(
    conditions.map(({ name }, index) => [test.replace(/\.test\.(tsx?)$/, `.without-${index}.test.$1`), name]),
  )
  if (copies.size === 0) return new Map()
  const text = readFileSync(join(root, test), 'utf8')
  for (const [copy, name] of copies) writeFileSync(join(root, copy), `${text}\n${untilFirstFailure(name)}`)
  const report = await runTests(root, { files: [...copies.keys()], options: ['--maxWorkers=1'] })
  for (const copy of copies.keys()) rmSync(join(root, copy))
  const failed = failedTests(report)
  return new Map(
    [...copies].flatMap(([copy, name]) => {
      const noticed = failed.find(({ file }) => basename(file) === basename(copy))
      return noticed ? [[name, `${test}: ${noticed.title}`] as const] : []
    }),
  )
}

/** What is added to a test file: it leaves out a condition, and skips what follows the first failure. */
function untilFirstFailure(name: string): string {
  return `
import { beforeEach as beforeEachOfAll } from 'vitest'
process.env.TENANT_LOST = ${JSON.stringify(name)}
let hasFailed = false
beforeEachOfAll((context) => {
  context.skip(hasFailed)
  context.onTestFailed(() => {
    hasFailed = true
  })
})
`
}

function failedTests(report: Report | null): { file: string; title: string; message: string }[] {
  if (!report) throw new Error('the tests came to no end')
  return report.testResults.flatMap(({ name: file, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed')
    const whole = message && failed.length === 0 ? [{ file, title: THE_FILE, message }] : []
    const titles = failed.map(({ fullName, failureMessages }) => ({
      file,
      title: fullName.trim(),
      message: failureMessages.join('\n'),
    }))
    return [...titles, ...whole]
  })
}

/** @returns how many survived that nothing argues for */
function tell(conditions: TenantCondition[], noticedBy: Map<string, string>): number {
  let unexplained = 0
  for (const { name } of conditions) {
    const test = noticedBy.get(name)
    const reason = redundantConditions.find(({ names }) => names.includes(name))?.because
    if (!test && !reason) unexplained++
    const verdict = test ? 'noticed  ' : reason ? 'redundant' : 'SURVIVED '
    console.log(`${verdict}  ${name}  ←  ${test ?? reason ?? 'no test fails'}`)
  }
  return unexplained
}

function say(sentence: string): void {
  console.log(`${Math.round((Date.now() - began) / 1000)} s  ${sentence}`)
}
