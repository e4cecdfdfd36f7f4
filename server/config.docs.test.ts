import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { variables } from './config.ts'
import { projectRoot } from './root.ts'

const settings = Object.keys(variables.shape).sort()
const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8')

/** The names in the first column of the table that has this heading. */
function tableOf(path: string, heading: string): string[] {
  const [, table = ''] = read(path).split(`\n| ${heading} |`)
  const rows = table.split('\n\n', 1)[0]?.split('\n').slice(2) ?? []
  return rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
}

test('docs/operating.md describes every setting and no other', () => {
  expect(tableOf('docs/operating.md', 'variable').sort()).toEqual(settings)
})

test('the settings that README.md shows exist', () => {
  const shown = tableOf('README.md', 'setting')
  expect(shown.length).toBeGreaterThan(3)
  expect(shown.filter((name) => !settings.includes(name))).toEqual([])
})

test('every other environment variable that the code reads is in docs/operating.md or CONTRIBUTING.md', () => {
  const files = globSync(['{server,scripts,bench,e2e}/**/*.{ts,tsx,mjs}', '*.ts'], { cwd: projectRoot })
  const names = files
    .filter((file) => !file.endsWith('.test.ts'))
    .flatMap((file) => [...read(file).matchAll(/\benv\.([A-Z][A-Z\d_]+)/g)].map(([, name = '']) => name))
  // The path of programs; what Node's own modules read; and what the browser tests pass on to themselves.
  const internal = ['PATH', 'NODE_ENV', 'TIRAGE_E2E_URL', 'TIRAGE_E2E_DATA_DIR']
  const documents = read('docs/operating.md') + read('CONTRIBUTING.md')
  const missing = names.filter((name) => !internal.includes(name) && !documents.includes(`\`${name}\``))
  expect(names).toContain('CHROMIUM_PATH')
  expect([...new Set(missing)]).toEqual([])
})
