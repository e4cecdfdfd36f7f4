import type { AnyExtension, NodeViewRenderer } from '@tiptap/core'
import { documentExtensions, videoAddress } from '../../../../server/publications/document/schema.ts'

/** What the views say; the sentences come from the catalogue. */
export interface ViewSentences {
  noDescription: string
  video: string
  button: string
}

type Draw = (attrs: Record<string, unknown>, sentences: ViewSentences) => HTMLElement

/** The document's extensions, with pictures, videos and buttons shown as readers see them. */
export const editorExtensions = (words: ViewSentences): AnyExtension[] =>
  documentExtensions.map((extension) => {
    const draw = drawings[extension.name]
    return draw ? extension.extend({ addNodeView: () => createView(draw, words) } as never) : extension
  })

/** A view that is drawn anew whenever an attribute changes. */
const createView =
  (draw: Draw, words: ViewSentences): NodeViewRenderer =>
  ({ node }) => {
    const dom = draw(node.attrs, words)
    return {
      dom,
      ignoreMutation: () => true,
      update: (next) => {
        if (next.type !== node.type) return false
        const drawn = draw(next.attrs, words)
        for (const { name } of [...dom.attributes]) if (name.startsWith('data-')) dom.removeAttribute(name)
        for (const { name, value } of [...drawn.attributes]) dom.setAttribute(name, value)
        dom.replaceChildren(...drawn.childNodes)
        return true
      },
    }
  }

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

function element(tag: string, data: Record<string, string>, ...children: (Node | string)[]): HTMLElement {
  const made = document.createElement(tag)
  Object.assign(made.dataset, data)
  made.append(...children)
  return made
}

const picture = (src: unknown, alt: string): HTMLImageElement => {
  const image = document.createElement('img')
  image.src = text(src)
  image.alt = alt
  image.draggable = false
  return image
}

const drawImage: Draw = ({ src, alt, caption, width }, words) => {
  const parts: Node[] = [picture(src, text(alt))]
  if (!text(alt)) parts.push(element('span', { missing: '' }, words.noDescription))
  if (text(caption)) parts.push(element('figcaption', {}, text(caption)))
  return element('figure', { figure: 'image', width: text(width) }, ...parts)
}

const drawVideo: Draw = ({ url, title, posterSrc }, words) => {
  const address = videoAddress(text(url))
  const poster = text(posterSrc) ? [picture(posterSrc, '')] : []
  const label = element('figcaption', {}, text(title) || text(url))
  const provider = address?.provider === 'youtube' ? 'YouTube' : address?.provider === 'vimeo' ? 'Vimeo' : words.video
  return element('figure', { figure: 'video' }, ...poster, element('span', { play: '' }, provider), label)
}

const drawButton: Draw = ({ label, align }, words) =>
  element('div', { buttonBlock: '', align: text(align) }, element('span', {}, text(label) || words.button))

const drawings: Partial<Record<string, Draw>> = { image: drawImage, video: drawVideo, button: drawButton }
