import { type Extensions, getSchema } from '@tiptap/core'
import Link from '@tiptap/extension-link'
import Subscript from '@tiptap/extension-subscript'
import Superscript from '@tiptap/extension-superscript'
import { TableKit } from '@tiptap/extension-table'
import TextAlign from '@tiptap/extension-text-align'
import { TextStyle } from '@tiptap/extension-text-style'
import StarterKit from '@tiptap/starter-kit'
import { alignments, BlockFormat } from './block-format.ts'
import { Footnote } from './footnote-node.ts'
import { GatedDocument, OnlyFor, Paywall } from './gate-nodes.ts'
import { isLinkAddress } from './link-address.ts'
import { ImageBlock, VideoBlock } from './media-nodes.ts'
import { ButtonBlock, Callout, Divider, MergeTag } from './publication-nodes.ts'
import { SponsorSlotBlock } from './sponsor-slot-node.ts'
import { TextFormat } from './text-format.ts'

export { faceKeys, faces } from '../../page/faces.ts'
export { isLinkAddress } from './link-address.ts'
export { imageWidths } from './media-nodes.ts'
export { buttonAligns, calloutTones, dividerKinds } from './publication-nodes.ts'
export { hexColor, textSizes } from './text-format.ts'
export { videoAddress } from './video.ts'

export interface DocumentMark {
  type: string
  attrs?: Record<string, unknown>
}

/** A node of a document, as TipTap saves it. */
export interface DocumentNode {
  type: string
  attrs?: Record<string, unknown>
  content?: DocumentNode[]
  marks?: DocumentMark[]
  text?: string
}

/** The content of a publication: a TipTap document that `parseDocument` accepted. */
export type PublicationDocument = DocumentNode & { type: 'doc' }

/** Everything that a document may contain. The editor uses this list, and the server checks against it. */
export const documentExtensions: Extensions = [
  StarterKit.configure({
    heading: { levels: [1, 2, 3, 4, 5, 6] },
    link: false,
    document: false,
    // What is corrected while it is typed is two more steps each time.
    undoRedo: { depth: 500 },
  }),
  GatedDocument,
  // Text that is typed after a link is not part of it.
  Link.extend({ inclusive: false }).configure({
    openOnClick: false,
    defaultProtocol: 'https',
    isAllowedUri: (address) => isLinkAddress(address),
    HTMLAttributes: { target: '_blank', rel: 'noopener noreferrer', class: null },
  }),
  Subscript,
  Superscript,
  TextStyle,
  TextFormat,
  TextAlign.configure({ types: ['heading', 'paragraph'], alignments: [...alignments] }),
  BlockFormat,
  TableKit.configure({ table: { resizable: true } }),
  ImageBlock,
  VideoBlock,
  MergeTag,
  Footnote,
  ButtonBlock,
  Divider,
  Callout,
  Paywall,
  OnlyFor,
  SponsorSlotBlock,
]

export const documentSchema = getSchema(documentExtensions)

export const emptyDocument: PublicationDocument = { type: 'doc', content: [{ type: 'paragraph' }] }
