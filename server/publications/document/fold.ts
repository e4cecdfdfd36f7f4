import type { DocumentMark, DocumentNode } from './schema.ts'

/** Where a node stands: the nodes around it, outermost first. */
export type Parents = readonly DocumentNode[]

export interface Rendering<T> {
  text: (text: string, node: DocumentNode, parents: Parents) => T
  nodes: Readonly<Record<string, (node: DocumentNode, children: T[], parents: Parents) => T>>
  marks: Readonly<Record<string, (mark: DocumentMark, children: T[], parents: Parents) => T>>
}

/**
 * Turns a document into something else from the leaves up. Neighbours under the same mark are handed over together, so a
 * link with a bold word in it stays one link. A node without an entry becomes its children; so does a mark.
 */
export function fold<T>(node: DocumentNode, rendering: Rendering<T>, parents: Parents = []): T[] {
  if (node.type === 'text') return [rendering.text(node.text ?? '', node, parents)]
  const children = foldContent(node.content ?? [], rendering, [...parents, node])
  const render = rendering.nodes[node.type]
  return render ? [render(node, children, parents)] : children
}

/** The same for the content of a node. */
export function foldContent<T>(nodes: DocumentNode[], rendering: Rendering<T>, parents: Parents, level = 0): T[] {
  const result: T[] = []
  for (let start = 0; start < nodes.length; ) {
    const node = nodes[start] as DocumentNode
    const mark = node.marks?.[level]
    let end = start + 1
    if (mark) {
      while (end < nodes.length && sameMark(nodes[end]?.marks?.[level], mark)) end += 1
      const inner = foldContent(nodes.slice(start, end), rendering, parents, level + 1)
      const render = rendering.marks[mark.type]
      result.push(...(render ? [render(mark, inner, parents)] : inner))
    } else result.push(...fold(node, rendering, parents))
    start = end
  }
  return result
}

const sameMark = (one: DocumentMark | undefined, other: DocumentMark): boolean =>
  one?.type === other.type && JSON.stringify(one.attrs) === JSON.stringify(other.attrs)
