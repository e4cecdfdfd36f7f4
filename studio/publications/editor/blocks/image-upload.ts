import { Extension } from '@tiptap/core'
import { NodeSelection, Plugin, PluginKey, type Transaction } from '@tiptap/pm/state'
import { Decoration, DecorationSet, type EditorView } from '@tiptap/pm/view'
import { type StoredImage, uploadImage } from '../../../media/upload-image.ts'

const placeholders = new PluginKey<DecorationSet>('uploads')

interface PlaceholderAction {
  add?: { id: object; position: number; label: string }
  remove?: { id: object }
}

/** Shows a placeholder where an image is being uploaded, and moves it with the text around it. */
const placeholderPlugin = () =>
  new Plugin<DecorationSet>({
    key: placeholders,
    state: {
      init: () => DecorationSet.empty,
      apply(tr, set) {
        const moved = set.map(tr.mapping, tr.doc)
        const action: PlaceholderAction | undefined = tr.getMeta(placeholders)
        if (action?.add) return moved.add(tr.doc, [placeholder(action.add)])
        if (action?.remove)
          return moved.remove(moved.find(undefined, undefined, (spec) => spec.id === action.remove?.id))
        return moved
      },
    },
    props: { decorations: (state) => placeholders.getState(state) },
  })

function placeholder({ id, position, label }: NonNullable<PlaceholderAction['add']>): Decoration {
  const mark = document.createElement('span')
  mark.dataset.uploading = ''
  mark.textContent = label
  return Decoration.widget(position, mark, { id })
}

export interface ImageUploadOptions {
  newsletterId: () => string
  label: (fileName: string) => string
  failed: (error: unknown) => void
}

/** Uploads dropped and pasted images, and inserts each where it was dropped or pasted. */
export const ImageUpload = Extension.create<ImageUploadOptions>({
  name: 'uploading',
  addOptions: () => ({ newsletterId: () => '', label: (name) => name, failed: () => {} }),
  addProseMirrorPlugins() {
    const { options } = this
    return [
      placeholderPlugin(),
      new Plugin({
        props: {
          handlePaste: (view, event) => {
            const files = imagesIn(event.clipboardData)
            // Word puts an image of the text beside the text on the clipboard. The text is what the writer wants.
            if (files.length === 0 || event.clipboardData?.getData('text/html')) return false
            void insertImages(view, { files, position: view.state.selection.to, uploads: options })
            return true
          },
          handleDrop: (view, event) => {
            const files = imagesIn(event.dataTransfer)
            if (files.length === 0) return false
            event.preventDefault()
            const position =
              view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos ?? view.state.doc.content.size
            void insertImages(view, { files, position, uploads: options })
            return true
          },
        },
      }),
    ]
  },
})

const imagesIn = (data: DataTransfer | null): File[] =>
  [...(data?.files ?? [])].filter((file) => file.type.startsWith('image/'))

interface Insertion {
  files: File[]
  position: number
  uploads: ImageUploadOptions
}

/** Uploads files one after the other and inserts each at `position`, even if changes to the text move that position. */
export async function insertImages(view: EditorView, { files, position, uploads }: Insertion): Promise<void> {
  for (const file of files) {
    const id = {}
    view.dispatch(view.state.tr.setMeta(placeholders, { add: { id, position, label: uploads.label(file.name) } }))
    try {
      const media = await uploadImage(uploads.newsletterId(), file)
      await loaded(media.url)
      insertImage(view, id, media)
    } catch (error) {
      uploads.failed(error)
    } finally {
      if (!view.isDestroyed) view.dispatch(view.state.tr.setMeta(placeholders, { remove: { id } }))
    }
  }
}

/** Waits for an image, so that it takes its room at once when it is inserted. */
async function loaded(url: string): Promise<void> {
  const image = new Image()
  image.src = url
  await image.decode().catch(() => {})
}

function insertImage(view: EditorView, id: object, media: StoredImage): void {
  if (view.isDestroyed) return
  const place = placeholders.getState(view.state)?.find(undefined, undefined, (spec) => spec.id === id)[0]
  const type = view.state.schema.nodes.image
  if (!place || !type) return
  const node = type.create({ mediaId: media.id, src: media.url, alt: media.alt })
  const $place = view.state.doc.resolve(place.from)
  const whole = $place.parent.isTextblock && $place.parent.content.size === 0 && $place.depth > 0
  const tr = whole
    ? view.state.tr.replaceWith($place.before(), $place.after(), node)
    : view.state.tr.insert($place.depth > 0 ? $place.after(1) : place.from, node)
  view.dispatch(selectImage(tr, media.id).scrollIntoView())
}

/** Selects the new image, so that its settings ask for a description. */
function selectImage(tr: Transaction, mediaId: string): Transaction {
  let position: number | null = null
  tr.doc.descendants((node, at) => {
    if (node.attrs.mediaId === mediaId) position = at
  })
  return position === null ? tr : tr.setSelection(NodeSelection.create(tr.doc, position))
}
