interface Sentences {
  [key: string]: string | Sentences
}

/**
 * Adds the form that French has for exact millions (`_many`: « 1 000 000 d’abonnés »). Where a sentence has no such form,
 * i18next would fall back to another language, so the sentence gets its `_other` form there.
 */
export function withMany(tree: Sentences): Sentences {
  const entries = Object.entries(tree).flatMap(([key, value]): [string, string | Sentences][] => {
    if (typeof value !== 'string') return [[key, withMany(value)]]
    const many = key.replace(/_other$/, '_many')
    const kept: [string, string] = [key, value]
    return many === key || many in tree ? [kept] : [kept, [many, value]]
  })
  return Object.fromEntries(entries)
}
