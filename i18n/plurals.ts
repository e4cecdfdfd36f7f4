type Sentences = { [key: string]: string | Sentences }

/**
 * French counts exact millions apart (`_many`: « 1 000 000 d’abonnés »). Where a sentence has no such form, its `_other`
 * answers, instead of another language's.
 */
export function withMany<Tree extends object>(tree: Tree): Tree {
  const entries = Object.entries(tree as Sentences).flatMap(([key, value]): [string, string | Sentences][] => {
    if (typeof value !== 'string') return [[key, withMany(value)]]
    const many = key.replace(/_other$/, '_many')
    return many === key || many in tree
      ? [[key, value]]
      : [
          [key, value],
          [many, value],
        ]
  })
  return Object.fromEntries(entries) as Tree
}
