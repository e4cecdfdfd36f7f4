import { Extension } from '@tiptap/core'
import { NodeSelection, Plugin, PluginKey, type Transaction } from '@tiptap/pm/state'
import { Decoration, DecorationSet, type EditorView } from '@tiptap/pm/view'
import { Media, uploadMedia } from '../../../server/media/contract.ts'
import { addressOf, upload } from '../../api.ts'

const places = new PluginKey<DecorationSet>('uploads')

interface PlaceAction {
  add?: { id: object; position: number; label: string }
  remove?: { id: object }
}

/** Keeps the place of pictures on their way while the writer goes on writing around it. */
const uploadPlaces = () =>
  new Plugin<DecorationSet>({
    key: places,
    state: {
      init: () => DecorationSet.empty,
      apply(tr, set) {
        const moved = set.map(tr.mapping, tr.doc)
        const action = tr.getMeta(places) as PlaceAction | undefined
        if (action?.add) return moved.add(tr.doc, [placeholder(action.add)])
        if (action?.remove)
          return moved.remove(moved.find(undefined, undefined, (spec) => spec.id === action.remove?.id))
        return moved
      },
    },
    props: { decorations: (state) => places.getState(state) },
  })

function placeholder({ id, position, label }: NonNullable<PlaceAction['add']>): Decoration {
  const mark = document.createElement('span')
  mark.dataset.uploading = ''
  mark.textContent = label
  return Decoration.widget(position, mark, { id })
}

export interface Uploads {
  newsletterId: () => string
  label: (fileName: string) => string
  failed: (error: unknown) => void
}

/** Uploads pictures that are chosen, dropped or pasted, and puts each where it was meant to go. */
export const Uploading = Extension.create<Uploads>({
  name: 'uploading',
  addOptions: () => ({ newsletterId: () => '', label: (name) => name, failed: () => {} }),
  addProseMirrorPlugins() {
    const { options } = this
    return [
      uploadPlaces(),
      new Plugin({
        props: {
          handlePaste: (view, event) => {
            const files = picturesOf(event.clipboardData)
            // Word puts a picture of the text beside the text; the text is what was meant.
            if (files.length === 0 || event.clipboardData?.getData('text/html')) return false
            void insertPictures(view, files, view.state.selection.to, options)
            return true
          },
          handleDrop: (view, event) => {
            const files = picturesOf(event.dataTransfer)
            if (files.length === 0) return false
            event.preventDefault()
            const position =
              view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos ?? view.state.doc.content.size
            void insertPictures(view, files, position, options)
            return true
          },
        },
      }),
    ]
  },
})

const picturesOf = (data: DataTransfer | null): File[] =>
  [...(data?.files ?? [])].filter((file) => file.type.startsWith('image/'))

/** Uploads files one after the other and inserts each at `position`, wherever that has moved to meanwhile. */
export async function insertPictures(
  view: EditorView,
  files: File[],
  position: number,
  uploads: Uploads,
): Promise<void> {
  for (const file of files) {
    const id = {}
    view.dispatch(view.state.tr.setMeta(places, { add: { id, position, label: uploads.label(file.name) } }))
    try {
      insertPicture(view, id, await uploadPicture(uploads.newsletterId(), file))
    } catch (error) {
      uploads.failed(error)
    } finally {
      if (!view.isDestroyed) view.dispatch(view.state.tr.setMeta(places, { remove: { id } }))
    }
  }
}

function insertPicture(view: EditorView, id: object, media: Picture): void {
  if (view.isDestroyed) return
  const place = places.getState(view.state)?.find(undefined, undefined, (spec) => spec.id === id)[0]
  const type = view.state.schema.nodes.image
  if (!place || !type) return
  const node = type.create({ mediaId: media.id, src: media.url, alt: media.alt })
  const $place = view.state.doc.resolve(place.from)
  const whole = $place.parent.isTextblock && $place.parent.content.size === 0 && $place.depth > 0
  const tr = whole
    ? view.state.tr.replaceWith($place.before(), $place.after(), node)
    : view.state.tr.insert($place.depth > 0 ? $place.after(1) : place.from, node)
  view.dispatch(selectPicture(tr, media.id).scrollIntoView())
}

/** Leaves the new picture selected, so that its description is asked for. */
function selectPicture(tr: Transaction, mediaId: string): Transaction {
  let position: number | null = null
  tr.doc.descendants((node, at) => {
    if (node.attrs.mediaId === mediaId) position = at
  })
  return position === null ? tr : tr.setSelection(NodeSelection.create(tr.doc, position))
}

/** Sends one file and answers the stored picture. Throws as `call` does. */
export async function uploadPicture(newsletterId: string, file: File): Promise<Picture> {
  const form = new FormData()
  form.append('file', file)
  return Media.parse(await upload(addressOf(uploadMedia, { newsletterId }), form))
}

type Picture = ReturnType<typeof Media.parse>
