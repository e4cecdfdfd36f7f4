import { join } from 'node:path'
import type { ESTree, Plugin, Rolldown } from 'vite'
import { catalogues } from '../i18n/catalogues.ts'
import type { PageFiles } from '../server/http/page-files.ts'
import { studioPaths } from '../server/http/studio-paths.ts'
import { defaultLanguage, type Language } from '../server/languages.ts'
import { type Opened, openedBy, StudioSources } from './studio-sources.ts'

const root = join(import.meta.dirname, '..')
export const entry = join(root, 'studio', 'main.tsx')
const routes = join(root, 'studio', 'routes.tsx')

/**
 * Tells the owner app which sentences each of its pages needs (`sentencesOf` in `studio/sentences.ts`), and writes `pages.json`, from which the
 * server tells browsers what to fetch for an address. `docs/decisions/sentences-by-section.md` says why.
 */
export function studioPages(): Plugin {
  const sources = new StudioSources()
  return {
    name: 'studio-pages',
    config: (_config, { command }) => ({
      define: { sentencesOf: JSON.stringify(command === 'build' ? sentencesOf(sources) : everySentence) },
    }),
    generateBundle(_options, bundle) {
      const files = new BuiltFiles(bundle)
      const pages = [...openedAt(sources)].map(([path, opened]): [string, PageFiles] => [
        path,
        files.of(opened, sentencesOf(sources)),
      ])
      this.emitFile({
        type: 'asset',
        fileName: 'pages.json',
        source: JSON.stringify(Object.fromEntries(pages)),
      })
    },
  }
}

/** While the app is being changed, a sentence may be from another section at any moment. */
const everySentence = { start: Object.keys(catalogues[defaultLanguage]) }

/** The sections that the app starts with, and those that each opened module needs besides. */
function sentencesOf(sources: StudioSources): Record<string, string[]> {
  const start = sources.sections(entry)
  const more = sources.opened(entry).map(({ file, name }) => [name, sources.sections(file).difference(start)] as const)
  return Object.fromEntries([['start', start] as const, ...more].map(([name, found]) => [name, [...found].sort()]))
}

/** The modules that are opened at each address, those around the page first. */
export function openedAt(sources: StudioSources): Map<string, Opened[]> {
  const found = new Map<string, Opened[]>()
  const visit = (route: ESTree.ObjectExpression, above: { path: string; opened: Opened[] }) => {
    const lazy = propertyOf(route, 'lazy')
    const own = lazy?.type === 'CallExpression' ? openedBy(lazy, routes) : null
    const opened = own ? [...above.opened, own] : above.opened
    const path = pathOf(route) ?? above.path
    const children = elementsOf(propertyOf(route, 'children'))
    if (own && path && children.length === 0) found.set(path, opened)
    for (const child of children) visit(child, { path, opened })
  }
  for (const route of routesIn(sources.source(routes).program)) visit(route, { path: '', opened: [] })
  return found
}

function routesIn({ body }: ESTree.Program): ESTree.ObjectExpression[] {
  const exported = body.flatMap((each) => (each.type === 'ExportNamedDeclaration' ? [each.declaration] : []))
  return exported.flatMap((each) =>
    each?.type === 'VariableDeclaration' ? each.declarations.flatMap(({ init }) => elementsOf(init)) : [],
  )
}

const elementsOf = (list: ESTree.Expression | null | undefined): ESTree.ObjectExpression[] =>
  list?.type === 'ArrayExpression'
    ? list.elements.filter((each): each is ESTree.ObjectExpression => each?.type === 'ObjectExpression')
    : []

function propertyOf({ properties }: ESTree.ObjectExpression, name: string): ESTree.Expression | undefined {
  for (const each of properties) {
    if (each.type === 'Property' && each.key.type === 'Identifier' && each.key.name === name) return each.value
  }
  return undefined
}

/** The address of a route, which the tree names as `studioPaths.dashboard`. */
function pathOf(route: ESTree.ObjectExpression): string | undefined {
  const path = propertyOf(route, 'path')
  if (path?.type !== 'MemberExpression' || path.property.type !== 'Identifier') return undefined
  return new Map<string, string>(Object.entries(studioPaths)).get(path.property.name)
}

/** Finds files among those that were built. */
class BuiltFiles {
  readonly #chunks: Map<string, Rolldown.OutputChunk>
  readonly #known: Set<string>

  constructor(bundle: Rolldown.OutputBundle) {
    this.#chunks = new Map(
      Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file] as const] : [])),
    )
    this.#known = this.#withImports([this.#chunkOf(entry)])
  }

  /** What a browser needs for these modules besides what the page of the app names itself. */
  of(opened: Opened[], sentences: Record<string, string[]>): PageFiles {
    const scripts = this.#withImports(opened.map(({ file }) => this.#chunkOf(file))).difference(this.#known)
    const sections = ['start', ...opened.map(({ name }) => name)].flatMap((name) => sentences[name] ?? [])
    const styles = [...scripts].flatMap((name) => [...(this.#chunks.get(name)?.viteMetadata?.importedCss ?? [])])
    const said = (language: Language) => [
      ...new Set(sections.map((section) => this.#chunkOf(join(root, 'i18n', language, `${section}.ts`)))),
    ]
    return { scripts: [...scripts], styles: [...new Set(styles)], sentences: { en: said('en'), fr: said('fr') } }
  }

  #chunkOf(module: string): string {
    for (const [name, { moduleIds }] of this.#chunks) if (moduleIds.includes(module)) return name
    throw new Error(`${module} is in no file of the build`)
  }

  #withImports(names: string[], found = new Set<string>()): Set<string> {
    for (const name of names) {
      if (found.has(name)) continue
      found.add(name)
      this.#withImports(this.#chunks.get(name)?.imports ?? [], found)
    }
    return found
  }
}
