import type { BrandStyle } from '../../page/brand-style.ts'
import type { Translate } from '../../translator.ts'

/** A picture in a document: `mediaId` when it is stored here, else `src`. */
export interface PictureSource {
  mediaId: string | null
  src: string | null
}

export interface Picture {
  src: string
  width: number
  /** Null when it is unknown. */
  height: number | null
  /** The same in other widths and a lighter format, as `srcset` of HTML names them. For pages alone. */
  sources?: string | null
}

/** What a rendering needs from outside. All of it is pure: the same document and options give the same markup. */
export interface RenderOptions {
  /** Words around those of the document, in its language. */
  t: Translate
  /** The address to print for a link: the link itself on the web, its short link in a delivery. A sponsor's has an id of its own. */
  link: (href: string, linkId?: string | null) => string
  /** The picture, at least `width` CSS pixels wide. */
  image: (source: PictureSource, width: number) => Picture
  /** What replaces a merge tag: the subscriber’s value, a placeholder, or the fallback. */
  mergeTag: (field: string, fallback: string) => string
}

/** Where the markup of a document for the web is shown. */
export interface WebOptions extends RenderOptions {
  /**
   * The address that is framed for a video of a provider; null where videos have no players. A feed has none: its readers remove `iframe`,
   * and often `details` and `video`.
   */
  player: ((video: { url: string; embed: string }) => string) | null
  /** The page whose notes are led to. Absent: that of the markup. In a feed an anchor of its own would be there once in every item. */
  notesAt?: string | null
}

/** Mail needs the brand as well, because every element carries its colours and fonts inline. */
export interface EmailOptions extends RenderOptions {
  style: BrandStyle
}
