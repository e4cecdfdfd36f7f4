import type { MarkType, NodeType } from '@tiptap/pm/model'
import { type AttributeProblem, type AttributeRule, markAttributeRules, nodeAttributeRules } from './attribute-rules.ts'
import { type DocumentNode, documentSchema, type PublicationDocument, videoAddress } from './schema.ts'
import { isSlot, placementOf, withFilling } from './sponsor-slots.ts'
import { isStorable } from './storable.ts'
import { gatesOf } from './visible.ts'

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
  | 'second_paywall'
  | 'second_slot'
  | 'missing_placement'
  | 'too_many_gates'
  | 'too_many_notes'
  | 'too_deep'
  | 'too_large'

export interface DocumentProblem {
  /** Where it is, as in `content[3].content[0].marks[1]`; empty for the document itself. */
  path: string
  code: DocumentProblemCode
  params: Record<string, string | number>
}

export type ParsedDocument = { ok: true; document: PublicationDocument } | { ok: false; problems: DocumentProblem[] }

/** A larger document is refused. Reading stops at these limits, so hostile input costs no more than a large honest document. */
export const documentLimits = {
  depth: 32,
  nodes: 20_000,
  characters: 600_000,
  marks: 9,
  gates: 6,
  notes: 200,
  problems: 20,
} as const

type Json = Record<string, unknown>

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value))

/**
 * Checks a document against the schema and the rules of every attribute.
 *
 * Nothing is repaired: what does not fit the schema is refused with its path. Missing attributes get their default. Marks
 * are put in the order of the schema, which carries no meaning. Slots come out empty: what stands in them is the server's to say.
 */
export function parseDocument(json: unknown): ParsedDocument {
  const reader = new DocumentReader()
  reader.read(json)
  if (reader.problems.length > 0) return { ok: false, problems: reader.problems }
  try {
    const node = documentSchema.nodeFromJSON(json)
    node.check()
    const document: PublicationDocument = node.toJSON()
    return { ok: true, document: withFilling(document, null) }
  } catch {
    return { ok: false, problems: [{ path: '', code: 'not_a_document', params: {} }] }
  }
}

interface Attributed {
  type: NodeType | MarkType
  rules: Readonly<Record<string, AttributeRule>>
  path: string
}

/** Reads one document once, counts what it has read, and notes what is not allowed. */
class DocumentReader {
  readonly problems: DocumentProblem[] = []
  #nodes = 0
  #characters = 0
  #notes = 0

  read(json: unknown): void {
    if (!isJson(json) || json.type !== 'doc') {
      this.#note('', 'not_a_document')
      return
    }
    this.#node(json, '', 0)
    if (this.problems.length === 0) this.#gates(json)
  }

  /** Of a document that is one otherwise. Each different gate can double the number of mails that are made of it. */
  #gates({ content }: Json): void {
    const nodes: DocumentNode[] = Array.isArray(content) ? content : []
    const walls = nodes.flatMap(({ type }, index) => (type === 'paywall' ? [index] : []))
    for (const index of walls.slice(1)) this.#note(`content[${index}]`, 'second_paywall')
    const placements = nodes.map((node) => (isSlot(node) ? placementOf(node) : null))
    for (const [index, id] of placements.entries())
      if (id !== null && placements.indexOf(id) < index) this.#note(`content[${index}]`, 'second_slot')
    if (gatesOf({ type: 'doc', content: nodes }).length > documentLimits.gates)
      this.#note('', 'too_many_gates', { maximum: documentLimits.gates })
  }

  get #full(): boolean {
    return this.problems.length >= documentLimits.problems
  }

  #note(path: string, code: DocumentProblemCode, params: DocumentProblem['params'] = {}): void {
    if (!this.#full) this.problems.push({ path, code, params })
  }

  /** Checks a node and what it holds. Its type, or null when it is no node of the schema. */
  #node(json: unknown, path: string, depth: number): NodeType | null {
    const type = this.#typeOf(json, path, depth)
    if (!type || !isJson(json)) return null
    this.#keys(json, path)
    this.#attributes(json.attrs, { type, rules: nodeAttributeRules[type.name] ?? {}, path })
    if (type.isText) this.#text(json.text, path)
    else if ('text' in json) this.#note(path, 'unknown_key', { key: 'text' })
    if (type.name === 'image') this.#picture(json.attrs, path)
    if (type.name === 'footnote') this.#footnote(path)
    if (type.name === 'video') this.#provider(json.attrs, path)
    if (type.name === 'sponsorSlot' && !(isJson(json.attrs) && Object.hasOwn(json.attrs, 'placementId')))
      this.#note(path, 'missing_placement')
    this.#content(json.content, type, { path, depth })
    return type
  }

  #typeOf(json: unknown, path: string, depth: number): NodeType | null {
    this.#nodes += 1
    if (this.#nodes > documentLimits.nodes) this.#tooLarge(path)
    else if (depth > documentLimits.depth) this.#note(path, 'too_deep', { maximum: documentLimits.depth })
    else if (!isJson(json) || typeof json.type !== 'string') this.#note(path, 'not_a_node')
    else if (!Object.hasOwn(documentSchema.nodes, json.type))
      this.#note(path, 'unknown_node', { type: shortened(json.type) })
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
        this.#note(path, 'unknown_key', { key: shortened(key) })
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

  #attributes(attrs: unknown, { type, rules, path }: Attributed): void {
    if (attrs === undefined || attrs === null) attrs = {}
    if (!isJson(attrs)) {
      this.#note(path, 'unknown_attribute', { attribute: '' })
      return
    }
    for (const name in attrs) {
      if (this.#stopped) return
      const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
      if (!rule) this.#note(path, 'unknown_attribute', { attribute: shortened(name), type: type.name })
      else this.#attribute({ name, value: attrs[name] }, rule, path)
    }
  }

  #attribute({ name, value }: { name: string; value: unknown }, rule: AttributeRule, path: string): void {
    const refusal = rule(value)
    if (refusal) this.#note(path, refusal.code, { ...refusal.params, attribute: name })
    else if (typeof value === 'string') this.#count(value, path)
    else if (Array.isArray(value)) this.#count(JSON.stringify(value), path)
  }

  #footnote(path: string): void {
    this.#notes += 1
    if (this.#notes === documentLimits.notes + 1) this.#note(path, 'too_many_notes', { maximum: documentLimits.notes })
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

  #content(content: unknown, type: NodeType, { path, depth }: { path: string; depth: number }): void {
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
        this.#marks(content[index].marks, { parent: type, child }, place)
        const next: NodeType['contentMatch'] | null | undefined = match?.matchType(child)
        if (match && !next) this.#note(place, 'not_allowed_here', { type: child.name, parent: type.name })
        match = next ?? null
      }
    }
    if (match && !match.validEnd) this.#note(path, 'missing_content', { type: type.name })
  }

  #marks(marks: unknown, { parent, child }: { parent: NodeType; child: NodeType }, path: string): void {
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
    const type = Object.hasOwn(documentSchema.marks, json.type) ? documentSchema.marks[json.type] : undefined
    if (!type) return this.#refuse(path, 'unknown_mark', { type: shortened(json.type) })
    const extra = Object.keys(json).find((key) => key !== 'type' && key !== 'attrs')
    if (extra !== undefined) this.#note(path, 'unknown_key', { key: shortened(extra) })
    this.#attributes(json.attrs, { type, rules: markAttributeRules[type.name] ?? {}, path })
    if (type.name === 'link' && !(isJson(json.attrs) && Object.hasOwn(json.attrs, 'href'))) this.#note(path, 'bad_link')
    return type
  }

  #refuse(path: string, code: DocumentProblemCode, params: DocumentProblem['params'] = {}): null {
    this.#note(path, code, params)
    return null
  }
}

/** Enough of a name from outside to recognise it. */
const shortened = (text: string): string => text.slice(0, 40)
