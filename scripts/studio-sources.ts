import { readFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { type ESTree, parseSync, Visitor } from 'vite'
import { catalogues } from '../i18n/catalogues.ts'
import { defaultLanguage } from '../server/languages.ts'

/** A module that is downloaded when it is opened, and what the owner app takes from it. */
export interface Opened {
  file: string
  name: string
}

/** What a file takes from a package, by name. */
export interface Taken {
  path: string
  names: string[]
}

/** What one file of the owner app says. */
interface Source {
  program: ESTree.Program
  imports: string[]
  taken: Taken[]
  opens: Opened[]
  /** The sections of `i18n/` that its sentences are in. */
  sections: Set<string>
}

/** The files of the owner app, each read once. */
export class StudioSources {
  readonly #read = new Map<string, Source>()

  source(file: string): Source {
    const source = this.#read.get(file) ?? readSource(file)
    this.#read.set(file, source)
    return source
  }

  /** The sections that a file and all that is downloaded with it have sentences of. */
  sections(file: string): Set<string> {
    return new Set([...this.#downloaded(file)].flatMap((each) => [...this.source(each).sections]))
  }

  /** All that is opened from a file on, also from what was opened before. */
  opened(file: string, found = new Map<string, Opened>()): Opened[] {
    for (const opened of this.opens(file)) {
      const same = found.get(opened.name)
      if (same && same.file !== opened.file)
        throw new Error(`${opened.file} and ${same.file} have the same name inside`)
      if (same) continue
      found.set(opened.name, opened)
      this.opened(opened.file, found)
    }
    return [...found.values()]
  }

  /** What a file and all that is downloaded with it opens. */
  opens(file: string): Opened[] {
    return [...this.#downloaded(file)].flatMap((each) => this.source(each).opens)
  }

  /** What a file and all that is downloaded with it take from packages. */
  taken(file: string): Taken[] {
    return [...this.#downloaded(file)].flatMap((each) => this.source(each).taken)
  }

  #downloaded(file: string, seen = new Set<string>()): Set<string> {
    if (seen.has(file)) return seen
    seen.add(file)
    for (const each of this.source(file).imports) this.#downloaded(each, seen)
    return seen
  }
}

/** Files of the server that come along name permissions and events, which look like keys. */
const hasSentences = (file: string): boolean => file.includes(`${sep}studio${sep}`)

function readSource(file: string): Source {
  const { program, module } = parseSync(file, readFileSync(file, 'utf8'))
  const imported = [
    ...module.staticImports.map(({ moduleRequest, entries }) => ({ path: moduleRequest.value, entries })),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.map((entry) => ({ path: entry.moduleRequest?.value ?? '', entries: [entry] })),
    ),
  ]
  const imports = imported
    .filter(
      ({ path, entries }) => /^\..*\.tsx?$/.test(path) && (entries.length === 0 || entries.some((e) => !e.isType)),
    )
    .map(({ path }) => join(dirname(file), path))
  const taken = module.staticImports
    .filter(({ moduleRequest }) => !moduleRequest.value.startsWith('.'))
    .map(({ moduleRequest, entries }) => ({
      path: moduleRequest.value,
      names: entries.filter(({ isType }) => !isType).flatMap(({ importName }) => importName.name ?? []),
    }))
  return {
    program,
    imports,
    taken,
    ...(hasSentences(file) ? saidIn(program, file) : { opens: [], sections: new Set() }),
  }
}

/** The modules that a file opens, and the sections of its sentences. A key with a computed part counts by its beginning. */
function saidIn(program: ESTree.Program, file: string): Pick<Source, 'opens' | 'sections'> {
  const opens: Opened[] = []
  const sections = new Set<string>()
  let imports = 0
  new Visitor({
    // biome-ignore-start lint/correctness/noComponentHookFactories: a visitor names what it visits so
    CallExpression: (call) => {
      const opened = openedBy(call, file)
      if (opened) opens.push(opened)
    },
    ImportExpression: () => {
      imports++
    },
    Literal: ({ value }) => {
      if (typeof value === 'string' && isSentence(value)) sections.add(sectionOf(value))
    },
    TemplateElement: ({ value, tail }) => {
      if (!tail && isSentence(value.raw, 'begun')) sections.add(sectionOf(value.raw))
    },
    // biome-ignore-end lint/correctness/noComponentHookFactories: as above
  }).visit(program)
  if (imports > opens.length) throw new Error(`${file} opens a module without its sentences: use withSentences`)
  return { opens, sections }
}

/** What `page(() => import('./some-page.tsx'), 'SomePage')` opens. */
export function openedBy({ arguments: [load, name] }: ESTree.CallExpression, file: string): Opened | null {
  if (load?.type !== 'ArrowFunctionExpression' || load.body.type !== 'ImportExpression') return null
  const { source } = load.body
  if (source.type !== 'Literal' || typeof source.value !== 'string') return null
  if (name?.type !== 'Literal' || typeof name.value !== 'string') return null
  return { file: join(dirname(file), source.value), name: name.value }
}

const sectionOf = (key: string): string => key.replace(/\..*$/s, '')

/** Whether a text is the key of a sentence, or begins one. */
function isSentence(text: string, whole: 'whole' | 'begun' = 'whole'): boolean {
  if (!/^\w+\.[\w.-]*$/.test(text)) return false
  const parts = text.split('.')
  const last = parts.pop() ?? ''
  let tree: unknown = catalogues[defaultLanguage]
  for (const part of parts) {
    if (typeof tree !== 'object' || tree === null) return false
    tree = new Map(Object.entries(tree)).get(part)
  }
  if (typeof tree !== 'object' || tree === null) return false
  // A plural is named without its form.
  const fits = (key: string) =>
    whole === 'begun' ? key.startsWith(last) : key === last || key.replace(/_(one|other)$/, '') === last
  return Object.keys(tree).some(fits)
}
