import type { MarkType, NodeType } from '@tiptap/pm/model'
import { type AttributeProblem, isStorable, markAttributeRules, nodeAttributeRules } from './attribute-rules.ts'
import { documentSchema, type PublicationDocument, videoAddress } from './schema.ts'

type DocumentProblemCode =
  | AttributeProblem
  | 'not_a_document'
  | 'not_a_node'
  | 'not_a_mark'
  | 'unknown_node'
  | 'unknown_mark'
  | 'unknown_attribute'
  | 'unknown_key'
  | 'not_allowed_here'
  | 'missing_content'
  | 'mark_not_allowed'
  | 'mark_conflict'
  | 'empty_text'
  | 'missing_picture'
  | 'too_deep'
  | 'too_large'

export interface DocumentProblem {
  /** Where, as in `content[3].content[0].marks[1]`; empty for the document itself. */
  path: string
  code: DocumentProblemCode
  params: Record<string, string | number>
}

export type ParsedDocument = { ok: true; document: PublicationDocument } | { ok: false; problems: DocumentProblem[] }

/** Beyond these a document is refused; reading stops there, so hostile input costs no more than a large honest one. */
export const documentLimits = { depth: 32, nodes: 20_000, characters: 600_000, marks: 9, problems: 20 } as const

type Json = Record<string, unknown>

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value))

/**
 * Checks a document against the schema and the rules of every attribute.
 *
 * Nothing is repaired: what fits no schema is refused with its place. Left out attributes get their default and marks are
 * put in the schema's order, which carries no meaning.
 */
export function parseDocument(json: unknown): ParsedDocument {
  const reader = new DocumentReader()
  reader.read(json)
  if (reader.problems.length > 0) return { ok: false, problems: reader.problems }
  try {
    const node = documentSchema.nodeFromJSON(json)
    node.check()
    return { ok: true, document: node.toJSON() as PublicationDocument }
  } catch {
    return { ok: false, problems: [{ path: '', code: 'not_a_document', params: {} }] }
  }
}

/** Walks one document once, counting what it has read and noting what it may not hold. */
class DocumentReader {
  readonly problems: DocumentProblem[] = []
  #nodes = 0
  #characters = 0

  read(json: unknown): void {
    if (!isJson(json) || json.type !== 'doc') {
      this.#note('', 'not_a_document')
      return
    }
    this.#node(json, '', 0)
  }

  get #full(): boolean {
    return this.problems.length >= documentLimits.problems
  }

  #note(path: string, code: DocumentProblemCode, params: DocumentProblem['params'] = {}): void {
    if (!this.#full) this.problems.push({ path, code, params })
  }

  /** The type of a readable node whose own values were checked, or null when its place in its parent means nothing. */
  #node(json: unknown, path: string, depth: number): NodeType | null {
    const type = this.#typeOf(json, path, depth)
    if (!type || !isJson(json)) return null
    this.#keys(json, path)
    this.#attributes(json.attrs, type, nodeAttributeRules[type.name] ?? {}, path)
    if (type.isText) this.#text(json.text, path)
    else if ('text' in json) this.#note(path, 'unknown_key', { key: 'text' })
    if (type.name === 'image') this.#picture(json.attrs, path)
    if (type.name === 'video') this.#provider(json.attrs, path)
    this.#content(json.content, type, path, depth)
    return type
  }

  #typeOf(json: unknown, path: string, depth: number): NodeType | null {
    this.#nodes += 1
    if (this.#nodes > documentLimits.nodes) this.#tooLarge(path)
    else if (depth > documentLimits.depth) this.#note(path, 'too_deep', { maximum: documentLimits.depth })
    else if (!isJson(json) || typeof json.type !== 'string') this.#note(path, 'not_a_node')
    else if (!Object.hasOwn(documentSchema.nodes, json.type))
      this.#note(path, 'unknown_node', { type: shown(json.type) })
    else return documentSchema.nodes[json.type] ?? null
    return null
  }

  /** Fills the list of problems, so that reading stops. */
  #tooLarge(path: string): void {
    if (this.#full || this.problems.some((problem) => problem.code === 'too_large')) return
    this.#note(path, 'too_large', { nodes: documentLimits.nodes, characters: documentLimits.characters })
  }

  get #stopped(): boolean {
    return this.#full || this.#nodes > documentLimits.nodes || this.#characters > documentLimits.characters
  }

  #keys(json: Json, path: string): void {
    for (const key in json) {
      if (this.#stopped) return
      if (!['type', 'attrs', 'content', 'marks', 'text'].includes(key)) {
        this.#note(path, 'unknown_key', { key: shown(key) })
      }
    }
  }

  #count(text: string, path: string): void {
    this.#characters += text.length
    if (this.#characters > documentLimits.characters) this.#tooLarge(path)
  }

  #text(text: unknown, path: string): void {
    if (text === '') this.#note(path, 'empty_text')
    else if (typeof text !== 'string' || !isStorable(text)) this.#note(path, 'bad_text')
    else this.#count(text, path)
  }

  #attributes(
    attrs: unknown,
    type: NodeType | MarkType,
    rules: (typeof nodeAttributeRules)[string],
    path: string,
  ): void {
    if (attrs === undefined || attrs === null) attrs = {}
    if (!isJson(attrs)) {
      this.#note(path, 'unknown_attribute', { attribute: '' })
      return
    }
    for (const name in attrs) {
      if (this.#stopped) return
      const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
      if (!rule) this.#note(path, 'unknown_attribute', { attribute: shown(name), type: type.name })
      else this.#attribute(name, attrs[name], rule, path)
    }
  }

  #attribute(name: string, value: unknown, rule: (typeof nodeAttributeRules)[string][string], path: string): void {
    const complaint = rule(value)
    if (complaint) this.#note(path, complaint.code, { ...complaint.params, attribute: name })
    else if (typeof value === 'string') this.#count(value, path)
  }

  #picture(attrs: unknown, path: string): void {
    const { mediaId, src } = isJson(attrs) ? attrs : {}
    if ((mediaId ?? null) === null && (src ?? null) === null) this.#note(path, 'missing_picture')
  }

  #provider(attrs: unknown, path: string): void {
    const { url, provider = 'file' } = isJson(attrs) ? attrs : {}
    const address = typeof url === 'string' && url.length <= 2000 ? videoAddress(url) : null
    if (!address || address.provider !== provider) this.#note(path, 'bad_video', { attribute: 'provider' })
  }

  #content(content: unknown, type: NodeType, path: string, depth: number): void {
    if (content === undefined) content = []
    if (!Array.isArray(content)) {
      this.#note(path, 'not_a_node')
      return
    }
    let match: NodeType['contentMatch'] | null = type.contentMatch
    for (let index = 0; index < content.length; index += 1) {
      if (this.#stopped) return
      const place = `${path}${path && '.'}content[${index}]`
      const child = this.#node(content[index], place, depth + 1)
      if (!child) match = null
      else {
        this.#marks(content[index].marks, type, child, place)
        const next: NodeType['contentMatch'] | null | undefined = match?.matchType(child)
        if (match && !next) this.#note(place, 'not_allowed_here', { type: child.name, parent: type.name })
        match = next ?? null
      }
    }
    if (match && !match.validEnd) this.#note(path, 'missing_content', { type: type.name })
  }

  #marks(marks: unknown, parent: NodeType, child: NodeType, path: string): void {
    if (marks === undefined) return
    if (!Array.isArray(marks) || marks.length > documentLimits.marks) {
      this.#note(path, 'not_a_mark')
      return
    }
    const seen: MarkType[] = []
    marks.forEach((mark, index) => {
      const place = `${path}.marks[${index}]`
      const type = this.#mark(mark, place)
      if (!type) return
      if (!parent.allowsMarkType(type) || !child.isInline) {
        this.#note(place, 'mark_not_allowed', { type: type.name, parent: parent.name })
      } else if (seen.some((other) => other.excludes(type) || type.excludes(other))) {
        this.#note(place, 'mark_conflict', { type: type.name })
      }
      seen.push(type)
    })
  }

  #mark(json: unknown, path: string): MarkType | null {
    if (!isJson(json) || typeof json.type !== 'string') return this.#refuse(path, 'not_a_mark')
    if (!Object.hasOwn(documentSchema.marks, json.type)) {
      return this.#refuse(path, 'unknown_mark', { type: shown(json.type) })
    }
    const type = documentSchema.marks[json.type] as MarkType
    const extra = Object.keys(json).find((key) => key !== 'type' && key !== 'attrs')
    if (extra !== undefined) this.#note(path, 'unknown_key', { key: shown(extra) })
    this.#attributes(json.attrs, type, markAttributeRules[type.name] ?? {}, path)
    if (type.name === 'link' && !(isJson(json.attrs) && Object.hasOwn(json.attrs, 'href'))) this.#note(path, 'bad_link')
    return type
  }

  #refuse(path: string, code: DocumentProblemCode, params: DocumentProblem['params'] = {}): null {
    this.#note(path, code, params)
    return null
  }
}

/** Enough of a hostile name to recognise it. */
const shown = (text: string): string => text.slice(0, 40)
