import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type ESTree, parseAst } from 'vite'

export type TypeNode = ESTree.TSType

type Interface = ESTree.TSInterfaceDeclaration
type Declared = Interface | ESTree.TSTypeAliasDeclaration

/** The names of a file or namespace of declarations. A namespace and an interface may share a name. */
export interface Scope {
  parent: Scope | null
  types: Map<string, Declared>
  namespaces: Map<string, Scope>
  /** By name, the file that it comes from. */
  imports: Map<string, string>
}

const folder = join(dirname(createRequire(import.meta.url).resolve('stripe')), '../esm')
const files = new Map<string, Scope>()

/** The declarations of one file of the SDK, such as `resources/Subscriptions`. */
export function declarationsOf(name: string): Scope {
  const known = files.get(name)
  if (known) return known
  const path = join(folder, `${name}.d.ts`)
  const { body } = parseAst(readFileSync(path, 'utf8'), { lang: 'dts' }, path)
  const scope = scopeOf(body, null)
  for (const statement of body) {
    if (statement.type !== 'ImportDeclaration') continue
    const from = join(dirname(name), statement.source.value.replace(/\.js$/, ''))
    for (const { local } of statement.specifiers) scope.imports.set(local.name, from)
  }
  files.set(name, scope)
  return scope
}

function scopeOf(statements: readonly ESTree.Node[], parent: Scope | null): Scope {
  const scope: Scope = { parent, types: new Map(), namespaces: new Map(), imports: new Map() }
  declareIn(scope, statements)
  return scope
}

/** A namespace may be opened several times. */
function declareIn(scope: Scope, statements: readonly ESTree.Node[]): void {
  for (const statement of statements) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declared?.type === 'TSInterfaceDeclaration' || declared?.type === 'TSTypeAliasDeclaration')
      scope.types.set(declared.id.name, declared)
    if (declared?.type !== 'TSModuleDeclaration' || declared.id.type !== 'Identifier' || !declared.body) continue
    const open = scope.namespaces.get(declared.id.name)
    if (open) declareIn(open, declared.body.body)
    else scope.namespaces.set(declared.id.name, scopeOf(declared.body.body, scope))
  }
}

/** What a dotted name means in a scope, with the scope in which its own names are looked up. */
export function resolve(name: readonly string[], from: Scope): { declared: Declared; scope: Scope } {
  const [first = '', ...rest] = name
  for (let scope: Scope | null = from; scope; scope = scope.parent) {
    const file = scope.imports.get(first)
    if (file) return resolve(name, declarationsOf(file))
    if (rest.length === 0) {
      const declared = scope.types.get(first)
      if (declared) return { declared, scope }
      continue
    }
    const within = rest
      .slice(0, -1)
      .reduce<Scope | undefined>((at, part) => at?.namespaces.get(part), scope.namespaces.get(first))
    const declared = within?.types.get(rest.at(-1) ?? '')
    if (within && declared) return { declared, scope: within }
  }
  throw new Error(`the SDK declares no ${name.join('.')}`)
}

/** `A.B.C` as its parts. */
export function nameOf(node: ESTree.TSTypeName | ESTree.Expression): string[] {
  if (node.type === 'TSQualifiedName') return [...nameOf(node.left), node.right.name]
  if (node.type === 'Identifier') return [node.name]
  throw new Error(`a name was expected, not ${node.type}`)
}
