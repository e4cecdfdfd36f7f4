import type { Plugin } from 'vite'

/**
 * Fails the build when files of the owner app import each other in a circle. One of them runs before what it needs is there, and the page stays
 * white; whether it does depends on which is asked for first, so a test may pass.
 */
export const noChunkCycles = (): Plugin => ({
  name: 'no-chunk-cycles',
  generateBundle(_options, bundle) {
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
    const cycle = findCycle(new Map(chunks.map(({ fileName, imports }) => [fileName, imports])))
    if (cycle)
      this.error(
        `These files import each other: ${cycle.join(' → ')}. Load a part of them with import(), or change the groups in vite.config.ts.`,
      )
  },
})

/**
 * The first circle in a graph, from a node back to itself, or null.
 *
 * @param edges what each node leads to; a node that leads nowhere may be missing
 */
export function findCycle(edges: ReadonlyMap<string, readonly string[]>): string[] | null {
  const done = new Set<string>()
  const path: string[] = []
  const visit = (node: string): string[] | null => {
    const begin = path.indexOf(node)
    if (begin >= 0) return [...path.slice(begin), node]
    if (done.has(node)) return null
    path.push(node)
    for (const next of edges.get(node) ?? []) {
      const cycle = visit(next)
      if (cycle) return cycle
    }
    path.pop()
    done.add(node)
    return null
  }
  for (const node of edges.keys()) {
    const cycle = visit(node)
    if (cycle) return cycle
  }
  return null
}
