import { Extension } from '@tiptap/core'
import { NodeSelection, Plugin, PluginKey, type Transaction } from '@tiptap/pm/state'
import { Decoration, DecorationSet, type EditorView } from '@tiptap/pm/view'
import { Media, uploadMedia } from '../../../../server/media/contract.ts'
import { addressOf, upload } from '../../../api.ts'

const placeholders = new PluginKey<DecorationSet>('uploads')

interface PlaceholderAction {
  add?: { id: object; position: number; label: string }
  remove?: { id: object }
}

/** Keeps the place of pictures on their way while the writer goes on writing around it. */
const placeholderPlugin = () =>
  new Plugin<DecorationSet>({
    key: placeholders,
    state: {
      init: () => DecorationSet.empty,
      apply(tr, set) {
        const moved = set.map(tr.mapping, tr.doc)
        const action = tr.getMeta(placeholders) as PlaceholderAction | undefined
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

/** Uploads pictures that are chosen, dropped or pasted, and puts each where it was meant to go. */
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
            // Word puts a picture of the text beside the text; the text is what was meant.
            if (files.length === 0 || event.clipboardData?.getData('text/html')) return false
            void insertImages(view, files, view.state.selection.to, options)
            return true
          },
          handleDrop: (view, event) => {
            const files = imagesIn(event.dataTransfer)
            if (files.length === 0) return false
            event.preventDefault()
            const position =
              view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos ?? view.state.doc.content.size
            void insertImages(view, files, position, options)
            return true
          },
        },
      }),
    ]
  },
})

const imagesIn = (data: DataTransfer | null): File[] =>
  [...(data?.files ?? [])].filter((file) => file.type.startsWith('image/'))

/** Uploads files one after the other and inserts each at `position`, wherever that has moved to meanwhile. */
export async function insertImages(
  view: EditorView,
  files: File[],
  position: number,
  uploads: ImageUploadOptions,
): Promise<void> {
  for (const file of files) {
    const id = {}
    view.dispatch(view.state.tr.setMeta(placeholders, { add: { id, position, label: uploads.label(file.name) } }))
    try {
      insertImage(view, id, await uploadImage(uploads.newsletterId(), file))
    } catch (error) {
      uploads.failed(error)
    } finally {
      if (!view.isDestroyed) view.dispatch(view.state.tr.setMeta(placeholders, { remove: { id } }))
    }
  }
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

/** Leaves the new picture selected, so that its description is asked for. */
function selectImage(tr: Transaction, mediaId: string): Transaction {
  let position: number | null = null
  tr.doc.descendants((node, at) => {
    if (node.attrs.mediaId === mediaId) position = at
  })
  return position === null ? tr : tr.setSelection(NodeSelection.create(tr.doc, position))
}

/** Sends one file and answers the stored picture. Throws as `call` does. */
export async function uploadImage(newsletterId: string, file: File): Promise<StoredImage> {
  const form = new FormData()
  form.append('file', file)
  return Media.parse(await upload(addressOf(uploadMedia, { newsletterId }), form))
}

type StoredImage = ReturnType<typeof Media.parse>
