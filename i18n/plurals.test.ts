import { expect, test } from 'vitest'
import { translator } from '../server/translator.ts'
import { catalogues } from './catalogues.ts'

test('a million is counted in French too', () => {
  const t = translator('fr')
  expect(t('publications.minutes', { count: 1_000_000 })).toMatch(/^1000000\smin$/)
  expect(t('dashboard.ofPublications', { count: 1_000_000 })).toContain('publications')
})

test('every French plural has a form for exact millions', () => {
  const without: string[] = []
  const visit = (tree: object, path: string) => {
    for (const [key, value] of Object.entries(tree)) {
      if (typeof value === 'object') visit(value, `${path}${key}.`)
      else if (key.endsWith('_other') && !(key.replace(/_other$/, '_many') in tree)) without.push(path + key)
    }
  }
  visit(catalogues.fr, '')
  expect(without).toEqual([])
})
