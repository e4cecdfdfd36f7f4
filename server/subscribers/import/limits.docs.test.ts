import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../../root.ts'
import { importLimits } from './contract.ts'

test('the page about imports has every limit', () => {
  const page = readFileSync(join(projectRoot, 'docs', 'import.md'), 'utf8')
  for (const [name, limit] of Object.entries(importLimits)) expect(page, name).toContain(limit.toLocaleString('en-GB'))
})
