export interface Edge {
  from: string
  to: string
}

/**
 * The circles in a graph, each from a node back to itself.
 *
 * Depth-first search: a node that is met again while it is still open closes a circle.
 */
export function findCycles(edges: readonly Edge[]): string[][] {
  const targets = Map.groupBy(edges, ({ from }) => from)
  const done = new Set<string>()
  const open: string[] = []
  const cycles: string[][] = []
  const visit = (node: string) => {
    if (open.includes(node)) return void cycles.push([...open.slice(open.indexOf(node)), node])
    if (done.has(node)) return
    open.push(node)
    for (const { to } of targets.get(node) ?? []) visit(to)
    open.pop()
    done.add(node)
  }
  for (const node of targets.keys()) visit(node)
  return cycles
}
