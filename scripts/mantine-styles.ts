import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Plugin, parseSync } from 'vite'
import { entry, openedAt } from './studio-pages.ts'
import { type Opened, StudioSources, type Taken } from './studio-sources.ts'

const root = join(import.meta.dirname, '..')
const shell = join(root, 'studio', 'shell', 'shell.tsx')

/**
 * Has the built owner app load the styles of those Mantine components only that it uses: by `ui/mantine.css` those of the sign-in pages and of what
 * opens on any page, by `shell/mantine.css` those that only pages behind the sign-in use. So nobody keeps a list, and no component is
 * without its style. While the app is being changed, all of them are loaded at the start.
 */
export function mantineStyles(): Plugin {
  const written = new Map<string, string>()
  return {
    name: 'mantine-styles',
    apply: 'build',
    enforce: 'pre',
    buildStart() {
      const { first, behindSignIn } = stylesOfStudio()
      const mantine = new MantineFiles()
      written.set(join(root, 'studio', 'ui', 'mantine.css'), mantine.styles([...first, ...general]))
      written.set(join(root, 'studio', 'shell', 'mantine.css'), mantine.styles([...behindSignIn]))
    },
    load: (id) => written.get(id),
  }
}

/** Stylesheets that belong to no component. */
const general = ['baseline', 'default-css-variables', 'global']

/** The components whose styles are loaded at the start, and those whose styles come with the frame of the pages behind the sign-in. */
export function stylesOfStudio(): { first: Set<string>; behindSignIn: Set<string> } {
  const sources = new StudioSources()
  const mantine = new MantineFiles()
  const usedBy = (opened: Opened[]) => {
    const files = [entry, ...opened.flatMap(({ file }) => [file, ...sources.opened(file).map((each) => each.file)])]
    return mantine.components(files.flatMap((file) => sources.taken(file)))
  }
  const chains = [...openedAt(sources).values()]
  const pages = new Set(chains.flat().map(({ file }) => file))
  const outside = chains.filter((chain) => chain.every(({ file }) => file !== shell)).flat()
  const anywhere = sources.opens(entry).filter(({ file }) => !pages.has(file))
  const first = usedBy([...outside, ...anywhere])
  return { first, behindSignIn: usedBy(sources.opens(entry)).difference(first) }
}

/** What is in Mantine's packages: which components use which others, and their styles. */
export class MantineFiles {
  readonly #core = join(root, 'node_modules', '@mantine', 'core')
  readonly #imports = new Map<string, Taken[]>()
  /** The file of each name that `@mantine/core` exports. */
  readonly #exported = this.#findExported()

  /** The components with a style that come along with what is taken. */
  components(taken: Taken[]): Set<string> {
    const found = new Set<string>()
    const seen = new Set<string>()
    const visit = (file: string) => {
      if (seen.has(file)) return
      seen.add(file)
      const component = /(\w+)\.module\.mjs$/.exec(file)?.[1]
      if (component && file.startsWith(this.#core)) found.add(component)
      for (const each of this.#importsOf(file)) for (const next of this.#filesOf(each, file)) visit(next)
    }
    for (const each of taken) for (const file of this.#filesOf(each)) visit(file)
    return found
  }

  /** The styles of these components, in Mantine's own order: later rules overrule earlier ones. */
  styles(names: string[]): string {
    const whole = readFileSync(join(this.#core, 'styles.layer.css'), 'utf8')
    const parts = names.map((name) => {
      const text = readFileSync(join(this.#core, 'styles', `${name}.layer.css`), 'utf8')
      const rules = /^@layer mantine \{(.*)\}\s*$/s.exec(text)?.[1]?.trim()
      const at = rules ? whole.indexOf(rules) : -1
      if (!rules || at < 0) throw new Error(`the styles of Mantine’s ${name} are not among those of all its components`)
      return { rules, at }
    })
    return `@layer mantine {${parts
      .sort((a, b) => a.at - b.at)
      .map(({ rules }) => rules)
      .join('\n')}}`
  }

  /** The files behind an import. Of what `@mantine/core` exports only the files of the names that are taken: all of it together uses every style. */
  #filesOf({ path, names }: Taken, importer = ''): string[] {
    if (path.startsWith('.')) return [join(dirname(importer), path)]
    if (path === '@mantine/core') return names.flatMap((name) => this.#exported.get(name) ?? [])
    // Without a name it is a stylesheet.
    return path.startsWith('@mantine/') && names.length > 0
      ? [join(root, 'node_modules', path, 'esm', 'index.mjs')]
      : []
  }

  #findExported(): Map<string, string> {
    const index = join(this.#core, 'esm', 'index.mjs')
    const own = this.#importsOf(index).filter(({ path }) => path.startsWith('.'))
    return new Map(own.flatMap(({ path, names }) => names.map((name) => [name, join(dirname(index), path)] as const)))
  }

  #importsOf(file: string): Taken[] {
    const known = this.#imports.get(file)
    if (known) return known
    const { staticImports } = parseSync(file, readFileSync(file, 'utf8')).module
    const taken = staticImports.map(({ moduleRequest, entries }) => ({
      path: moduleRequest.value,
      names: entries.flatMap(({ importName }) => importName.name ?? []),
    }))
    this.#imports.set(file, taken)
    return taken
  }
}
