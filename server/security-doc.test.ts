import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from './root.ts'

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8')
const lines = read('docs/security.md').split('\n')
const cells = (line: string) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

const states = ['met', 'in part', 'not met', 'does not apply']
const rows = lines
  .filter((line) => /^\| \d+\.\d+\.\d+ \|/.test(line))
  .map((line) => {
    const [number = '', level = '', words = '', state = '', how = ''] = cells(line)
    return { number, level, words, state, how }
  })

/** Of OWASP ASVS 5.0.0, counted in its CSV file: the requirements of each chapter at levels 1 and 2. */
const requirements = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7]

test('every requirement of levels 1 and 2 is there once', () => {
  expect(new Set(rows.map(({ number }) => number)).size).toBe(rows.length)
  expect(requirements.map((_, at) => rows.filter(({ number }) => number.startsWith(`${at + 1}.`)).length)).toEqual(
    requirements,
  )
  expect(rows.filter(({ level }) => level === '1')).toHaveLength(70)
  expect(rows.filter(({ level }) => level === '2')).toHaveLength(183)
})

test('every requirement has words of ours, one of four states, and a reason', () => {
  const wanting = rows.filter(({ words, state, how }) => !words || !states.includes(state) || how.length < 10)
  expect(wanting).toEqual([])
})

test('the sums are those of the rows', () => {
  const sums = lines.filter((line) => /^\| (\d+ [A-Z]|all)[^|]*( \| \d+){5} \|$/.test(line)).map(cells)
  expect(sums).toHaveLength(requirements.length + 1)
  for (const [chapter = '', ...counts] of sums) {
    const number = chapter.split(' ')[0]
    const own = rows.filter((row) => number === 'all' || row.number.startsWith(`${number}.`))
    const counted = states.map((state) => own.filter((row) => row.state === state).length)
    expect([chapter, ...counts.map(Number)]).toEqual([chapter, ...counted, own.length])
  }
})

test('every test that is named exists in its file', () => {
  const named = rows.flatMap(({ number, how }) =>
    [...how.matchAll(/`([^`]+\.test\.tsx?)` "([^"]+)"/g)].map(([, path = '', title = '']) => ({ number, path, title })),
  )
  expect(named.length).toBeGreaterThan(150)
  expect(named.filter(({ path, title }) => !isTestIn(path, title))).toEqual([])
})

/** Whether a file has a `test` or a `describe` of this name: the first of several arguments. */
function isTestIn(path: string, title: string): boolean {
  const literal = title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return existsSync(join(projectRoot, path)) && new RegExp(`\\(\\s*(['"\`])${literal}\\1,`).test(read(path))
}

test('every test that a row names stands beside its file', () => {
  const loose = rows.filter(({ how }) => /\.test\.tsx?`(?! ")/.test(how) || /(?<!\.test\.tsx?`) "/.test(how))
  expect(loose).toEqual([])
})

/** The linter and knip, on platforms that our own checks have not run on. Neither is part of what runs or of its build. */
const toolsElsewhere = /^node_modules\/@(biomejs\/cli|oxc-parser\/binding)-/

test('every package of the product has its hash in the lock, and none comes from elsewhere than a registry', () => {
  type Package = { resolved?: string; integrity?: string }
  const { packages }: { packages: Record<string, Package> } = JSON.parse(read('package-lock.json'))
  const { '': _project, ...installed } = packages
  const isStrange = ({ resolved, integrity }: Package) => resolved !== undefined || !integrity?.startsWith('sha512-')
  const strange = Object.keys(installed).filter((path) => isStrange(installed[path] ?? {}))
  expect(strange.filter((path) => !toolsElsewhere.test(path))).toEqual([])
})
