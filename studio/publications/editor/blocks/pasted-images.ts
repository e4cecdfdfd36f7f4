import { Extension } from '@tiptap/core'
import type { Node as ProseMirrorNode } from '@tiptap/pm/model'
import { type EditorState, Plugin, PluginKey, type Transaction } from '@tiptap/pm/state'
import { Decoration, DecorationSet, type EditorView } from '@tiptap/pm/view'
import type { DocumentNode } from '../../../../server/publications/document/schema.ts'
import type { StoredImage } from '../../../media/upload-image.ts'
import { InlineImages } from './pasted-html.ts'

/** At most so many images of one paste or drop are kept. */
export const MOST_PASTED = 40

/** An image that could not be kept. `error` is null when there were too many. */
export interface LostImage {
  src: string
  error: unknown
}

export interface PastedImagesOptions {
  /** Keeps the image at an address of another server. */
  fetch: (address: string) => Promise<StoredImage>
  upload: (file: File) => Promise<StoredImage>
  label: (src: string) => string
  /** Called once for each paste, when all of its images are kept or lost. */
  lost: (images: LostImage[]) => void
}

/** The addresses of images that are being kept. */
const pastedKey = new PluginKey<ReadonlySet<string>>('pastedImages')

const isElsewhere = ({ type, attrs }: ProseMirrorNode): boolean =>
  type.name === 'image' && !attrs.mediaId && typeof attrs.src === 'string'

function elsewhereIn(doc: ProseMirrorNode): Set<string> {
  const found = new Set<string>()
  doc.descendants((node) => {
    if (isElsewhere(node)) found.add(String(node.attrs.src))
  })
  return found
}

/** The document without the images that are still being kept, so that no address of another server is ever saved. */
export function withoutPending(state: EditorState, document: DocumentNode): DocumentNode {
  const pending = pastedKey.getState(state)
  if (!pending || pending.size === 0) return document
  const without = (node: DocumentNode): DocumentNode =>
    node.type === 'image' && !node.attrs?.mediaId && pending.has(String(node.attrs?.src))
      ? { type: 'paragraph' }
      : node.content
        ? { ...node, content: node.content.map(without) }
        : node
  return without(document)
}

/** Keeps pasted and dropped images of other servers as images of this newsletter, one after the other. Those that cannot be kept leave the text. */
export const PastedImages = Extension.create<PastedImagesOptions>({
  name: 'pastedImages',
  addOptions: () => ({ fetch: neverGiven, upload: neverGiven, label: (src) => src, lost: () => {} }),
  addProseMirrorPlugins() {
    const inline = new InlineImages()
    const keeper = new Keeper(this.options, inline)
    return [
      new Plugin<ReadonlySet<string>>({
        key: pastedKey,
        state: {
          init: () => new Set<string>(),
          apply(tr, before) {
            if (!tr.docChanged) return before
            // Undo and redo bring back what was pasted before.
            const isNew = tr.getMeta('uiEvent') === 'paste' || tr.getMeta('uiEvent') === 'drop'
            return new Set([...elsewhereIn(tr.doc)].filter((src) => isNew || before.has(src) || keeper.knows(src)))
          },
        },
        props: {
          transformPastedHTML: (html) => inline.takeFrom(html),
          decorations: (state) => shownAsPending(state, this.options.label),
        },
        view: () => ({ update: (view) => keeper.keep(view, pastedKey.getState(view.state) ?? new Set()) }),
      }),
    ]
  },
})

const neverGiven = (): Promise<never> => Promise.reject(new Error('The editor is not connected'))

/** In place of each image that is being kept, a line that says so. */
function shownAsPending(state: EditorState, label: (src: string) => string): DecorationSet | null {
  const pending = pastedKey.getState(state)
  if (!pending || pending.size === 0) return null
  const shown: Decoration[] = []
  state.doc.descendants((node, at) => {
    if (!isElsewhere(node) || !pending.has(String(node.attrs.src))) return
    shown.push(
      Decoration.node(at, at + node.nodeSize, { class: 'pending' }),
      Decoration.widget(at, () => pendingLine(label(String(node.attrs.src))), { key: `pending ${node.attrs.src}` }),
    )
  })
  return DecorationSet.create(state.doc, shown)
}

function pendingLine(words: string): HTMLElement {
  const line = document.createElement('span')
  line.dataset.uploading = ''
  line.role = 'status'
  line.textContent = words
  return line
}

/** Keeps images one after the other, each address once. */
class Keeper {
  readonly #known = new Map<string, Promise<StoredImage | null>>()
  #queue: Promise<unknown> = Promise.resolve()
  #lost: LostImage[] = []
  #open = 0

  constructor(
    private readonly options: PastedImagesOptions,
    private readonly inline: InlineImages,
  ) {}

  knows(src: string): boolean {
    return this.#known.has(src)
  }

  /** Begins with the addresses that are new, and puts what is kept already in its place. */
  keep(view: EditorView, pending: ReadonlySet<string>): void {
    for (const src of pending) {
      const known = this.#known.get(src)
      if (known) void known.then((image) => settle(view, src, image))
      else this.#begin(view, src)
    }
  }

  #begin(view: EditorView, src: string): void {
    this.#open += 1
    const isTooMany = this.#open > MOST_PASTED
    const kept = isTooMany ? this.#lose(src, null) : this.#inTurn(src)
    this.#known.set(src, kept)
    void kept.then((image) => {
      settle(view, src, image)
      this.#open -= 1
      if (this.#open === 0 && this.#lost.length > 0) this.options.lost(this.#lost.splice(0))
    })
  }

  #inTurn(src: string): Promise<StoredImage | null> {
    const kept = this.#queue.then(() => this.#keepOne(src)).catch((error: unknown) => this.#lose(src, error))
    this.#queue = kept
    return kept
  }

  #keepOne(src: string): Promise<StoredImage> {
    const file = this.inline.get(src)
    return file ? this.options.upload(file) : this.options.fetch(src)
  }

  async #lose(src: string, error: unknown): Promise<null> {
    this.#lost.push({ src, error })
    return null
  }
}

/** Puts a kept image in the place of each with this address. Without one, these leave the text. It is no step of its own for undo. */
function settle(view: EditorView, src: string, image: StoredImage | null): void {
  if (view.isDestroyed) return
  const { tr } = view.state
  view.state.doc.descendants((node, at) => {
    if (!isElsewhere(node) || node.attrs.src !== src) return
    const place = tr.mapping.map(at)
    if (image) tr.setNodeMarkup(place, null, { ...node.attrs, ...attributesOf(image, node) })
    else remove(tr, place)
  })
  if (tr.docChanged) view.dispatch(tr.setMeta('addToHistory', false))
}

const attributesOf = ({ id, url, alt }: StoredImage, { attrs }: ProseMirrorNode) => ({
  mediaId: id,
  src: url,
  alt: attrs.alt || alt,
})

/** The only block of a cell or of a list cannot go without another one, and the caption is the writer's own words. */
function remove(tr: Transaction, place: number): void {
  const node = tr.doc.nodeAt(place)
  const { schema } = tr.doc.type
  const caption = node?.attrs.caption ? schema.text(node.attrs.caption) : null
  const paragraph = schema.nodes.paragraph?.create(null, caption)
  if (!node || !paragraph) return
  const isOnly = tr.doc.resolve(place).parent.childCount === 1
  if (isOnly || caption) tr.replaceWith(place, place + node.nodeSize, paragraph)
  else tr.delete(place, place + node.nodeSize)
}
