import type { Language } from '../server/languages.ts'

interface Sentences {
  [key: string]: string | Sentences
}

/**
 * Sentences with every form that the plurals of a language have. French has one for exact millions (`_many`: « 1 000 000 d’abonnés »). Where a
 * sentence has no such form, i18next would fall back to another language, so the sentence gets its `_other` form there.
 */
export const withPlurals = (language: Language, tree: Sentences): Sentences =>
  new Intl.PluralRules(language).resolvedOptions().pluralCategories.includes('many') ? withMany(tree) : tree

function withMany(tree: Sentences): Sentences {
  const entries = Object.entries(tree).flatMap(([key, value]): [string, string | Sentences][] => {
    if (typeof value !== 'string') return [[key, withMany(value)]]
    const many = key.replace(/_other$/, '_many')
    const kept: [string, string] = [key, value]
    return many === key || many in tree ? [kept] : [kept, [many, value]]
  })
  return Object.fromEntries(entries)
}
