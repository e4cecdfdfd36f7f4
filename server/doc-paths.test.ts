import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from './root.ts'

const documents = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: projectRoot })]

/** What is in backticks and begins with a folder of the project. Placeholders such as `<code>` and `*` name no single path. */
const PATH = /`((?:server|studio|docs|scripts|migrations|i18n|bench|e2e)\/[^`\s<>*{}]+)`/g

test.each(documents)('every path that %s names exists', (document) => {
  const text = readFileSync(join(projectRoot, document), 'utf8')
  const paths = [...text.matchAll(PATH)].map(([, path = '']) => path)
  expect(paths.filter((path) => !existsSync(join(projectRoot, path)))).toEqual([])
})
