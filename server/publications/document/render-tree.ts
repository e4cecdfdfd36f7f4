import type { DocumentMark, DocumentNode } from './schema.ts'

/** The nodes around a node, outermost first. */
export type Parents = readonly DocumentNode[]

/** What becomes of each type of node and mark. Children are already rendered. */
export interface Renderers<T> {
  text: (text: string, node: DocumentNode, parents: Parents) => T
  nodes: Readonly<Record<string, (node: DocumentNode, children: T[], parents: Parents) => T>>
  marks: Readonly<Record<string, (mark: DocumentMark, children: T[], parents: Parents) => T>>
}

/**
 * Renders a node, from the leaves up. Neighbours under the same mark are rendered together, so that a link with a bold
 * word in it stays one link. A node or mark without a renderer is replaced by its children.
 */
export function renderTree<T>(node: DocumentNode, renderers: Renderers<T>, parents: Parents = []): T[] {
  if (node.type === 'text') return [renderers.text(node.text ?? '', node, parents)]
  const children = renderContent(node.content ?? [], renderers, [...parents, node])
  const render = renderers.nodes[node.type]
  return render ? [render(node, children, parents)] : children
}

/** In place of a renderer: what is shown was not asked for by anybody, so that nobody knows what they may see (`visibleTo`). */
export function notGated({ type }: DocumentNode): never {
  throw new Error(`a document is rendered with its gates (${type})`)
}

/** Renders the content of a node; `parents` ends with that node. */
export const renderContent = <T>(nodes: DocumentNode[], renderers: Renderers<T>, parents: Parents): T[] =>
  renderRuns({ nodes, level: 0 }, renderers, parents)

interface Level {
  nodes: DocumentNode[]
  /** How many marks are already rendered around the nodes, outermost first. */
  level: number
}

function renderRuns<T>({ nodes, level }: Level, renderers: Renderers<T>, parents: Parents): T[] {
  return runsOf(nodes, level).flatMap((run) => {
    if (!run.mark) return run.nodes.flatMap((node) => renderTree(node, renderers, parents))
    const inner = renderRuns({ nodes: run.nodes, level: level + 1 }, renderers, parents)
    const render = renderers.marks[run.mark.type]
    return render ? [render(run.mark, inner, parents)] : inner
  })
}

interface Run {
  mark: DocumentMark | undefined
  nodes: DocumentNode[]
}

/** Puts neighbours together that have the same mark at this level. */
function runsOf(nodes: DocumentNode[], level: number): Run[] {
  const runs: Run[] = []
  for (const node of nodes) {
    const mark = node.marks?.[level]
    const last = runs.at(-1)
    if (last && mark && sameMark(last.mark, mark)) last.nodes.push(node)
    else runs.push({ mark, nodes: [node] })
  }
  return runs
}

const sameMark = (one: DocumentMark | undefined, other: DocumentMark): boolean =>
  one?.type === other.type && JSON.stringify(one.attrs) === JSON.stringify(other.attrs)
