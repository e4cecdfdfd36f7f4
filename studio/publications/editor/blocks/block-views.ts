import { type AnyExtension, type NodeViewRenderer, Node as TipTapNode } from '@tiptap/core'
import { ReactNodeViewRenderer } from '@tiptap/react'
import type { TFunction } from 'i18next'
import { type Surface, surfaces } from '../../../../server/publications/document/gate-nodes.ts'
import { knownValue } from '../../../../server/publications/document/known-value.ts'
import { isNoteText, wordsOfNote } from '../../../../server/publications/document/note-text.ts'
import { calloutTones, documentExtensions, videoAddress } from '../../../../server/publications/document/schema.ts'
import { mergeFieldWord } from './merge-fields.ts'
import { SponsorSlotView } from './sponsor-slot-view.tsx'

/** The sentences in the views, translated. */
interface ViewSentences {
  noDescription: string
  video: string
  button: string
  paywall: string
  /** The mark of a note, for who hears it; without words: of one that is not written yet. */
  footnote: (words: string) => string
  /** What a merge tag of this field is called. */
  mergeTag: (field: string) => string
  onlyFor: Record<'paid' | 'free' | 'plans' | Surface, string>
  /** What the letter says above a callout. */
  callout: Record<(typeof calloutTones)[number], string>
}

type Draw = (attrs: Record<string, unknown>, sentences: ViewSentences) => HTMLElement

/** The sentences of the views in the owner's language. */
export const viewSentences = (t: TFunction): ViewSentences => ({
  noDescription: t('editor.tool.noAlt'),
  video: t('editor.node.video'),
  button: t('editor.node.button'),
  paywall: t('editor.node.paywallLine'),
  footnote: (words) => (words ? t('editor.note.mark', { words }) : t('editor.note.empty')),
  mergeTag: (field) => mergeFieldWord(t, field).toLowerCase(),
  onlyFor: {
    paid: t('editor.tool.onlyFor.paid'),
    free: t('editor.tool.onlyFor.free'),
    web: t('editor.tool.onlyFor.web'),
    email: t('editor.tool.onlyFor.email'),
    plans: t('editor.node.onlyForWhom.plans'),
  },
  callout: {
    note: t('editor.node.calloutHeads.note'),
    tip: t('editor.node.calloutHeads.tip'),
    warning: t('editor.node.calloutHeads.warning'),
  },
})

/** The document's extensions, with images, videos and buttons drawn as subscribers see them. */
export const editorExtensions = (sentences: ViewSentences): AnyExtension[] =>
  documentExtensions.map((extension) => {
    if (extension.name === 'sponsorSlot' && extension instanceof TipTapNode)
      return extension.extend({ addNodeView: () => ReactNodeViewRenderer(SponsorSlotView) })
    if (extension.name === 'onlyFor' && extension instanceof TipTapNode) return named(extension, sentences)
    if (extension.name === 'callout' && extension instanceof TipTapNode) return headed(extension, sentences)
    if (extension.name === 'mergeTag' && extension instanceof TipTapNode) return inWords(extension, sentences)
    const draw = drawings[extension.name]
    return draw && extension instanceof TipTapNode
      ? extension.extend({ addNodeView: () => createView(draw, sentences) })
      : extension
  })

/** Blocks for some readers, with a line above that says for whom. */
const named = (onlyFor: TipTapNode, sentences: ViewSentences): TipTapNode =>
  onlyFor.extend({
    renderHTML: ({ node }) => {
      const gate = knownGate(node.attrs.for)
      return [
        'section',
        { 'data-only-for': [node.attrs.for].flat().join(' '), 'data-label': sentences.onlyFor[gate] },
        0,
      ]
    },
  })

/** Callouts with the line above that the letter has. */
const headed = (callout: TipTapNode, sentences: ViewSentences): TipTapNode =>
  callout.extend({
    renderHTML: ({ HTMLAttributes, node }) => {
      const tone = knownValue(calloutTones, node.attrs.tone) ?? 'note'
      return ['aside', { ...HTMLAttributes, 'data-callout': tone, 'data-label': sentences.callout[tone] }, 0]
    },
  })

/** A merge tag that is read in the writer's language. What is stored is the field. */
const inWords = (mergeTag: TipTapNode, sentences: ViewSentences): TipTapNode =>
  mergeTag.extend({
    renderHTML: ({ node }) => [
      'span',
      { 'data-merge-tag': node.attrs.field, 'data-fallback': node.attrs.fallback },
      `{${sentences.mergeTag(text(node.attrs.field))}}`,
    ],
  })

const knownGate = (gate: unknown) => knownValue(['paid', 'free', ...surfaces] as const, gate) ?? 'plans'

/** A view that is drawn again whenever an attribute changes. */
const createView =
  (draw: Draw, sentences: ViewSentences): NodeViewRenderer =>
  ({ node }) => {
    const dom = draw(node.attrs, sentences)
    return {
      dom,
      ignoreMutation: () => true,
      update: (next) => {
        if (next.type !== node.type) return false
        const drawn = draw(next.attrs, sentences)
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
  // What is not kept yet has an address that this page may not load.
  if (/^(https?:|blob:|\/)/i.test(text(src))) image.src = text(src)
  image.alt = alt
  image.draggable = false
  return image
}

const drawImage: Draw = ({ src, alt, caption, width }, sentences) => {
  const parts: Node[] = [picture(src, text(alt))]
  if (!text(alt)) parts.push(element('span', { missing: '' }, sentences.noDescription))
  if (text(caption)) parts.push(element('figcaption', {}, text(caption)))
  return element('figure', { figure: 'image', width: text(width) }, ...parts)
}

const drawVideo: Draw = ({ url, title, posterSrc }, sentences) => {
  const address = videoAddress(text(url))
  const poster = text(posterSrc) ? [picture(posterSrc, '')] : []
  const label = element('figcaption', {}, text(title) || text(url))
  const provider =
    address?.provider === 'youtube' ? 'YouTube' : address?.provider === 'vimeo' ? 'Vimeo' : sentences.video
  return element('figure', { figure: 'video' }, ...poster, element('span', { play: '' }, provider), label)
}

const drawButton: Draw = ({ label, align }, sentences) =>
  element('div', { buttonBlock: '', align: text(align) }, element('span', {}, text(label) || sentences.button))

/** Its number is written by the style sheet. */
const drawFootnote: Draw = ({ note }, sentences) => {
  const words = isNoteText(note) ? wordsOfNote(note) : ''
  const mark = element('span', words ? { footnote: '' } : { footnote: '', empty: '' })
  mark.title = words
  mark.role = 'note'
  mark.ariaLabel = sentences.footnote(words)
  return mark
}

const drawPaywall: Draw = (_, sentences) => element('div', { paywallLine: '' }, element('span', {}, sentences.paywall))

const drawings: Partial<Record<string, Draw>> = {
  image: drawImage,
  video: drawVideo,
  button: drawButton,
  footnote: drawFootnote,
  paywall: drawPaywall,
}
