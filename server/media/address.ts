import type { Config } from '../config.ts'
import { MAX_WIDTH } from './upload-limits.ts'

/** Widths an image is kept in beside its own; any other is refused, or anyone could fill the disk. */
export const mediaWidths = [320, 600, 800, 1200, MAX_WIDTH] as const
export type MediaWidth = (typeof mediaWidths)[number]

/** The absolute address of an image, whole or at most `width` pixels wide. */
export const mediaAddress = ({ publicUrl }: Pick<Config, 'publicUrl'>, id: string, width?: MediaWidth): string =>
  `${publicUrl}/media/${id}${width ? `?w=${width}` : ''}`

/** One image in all kept widths, as `srcset` of HTML names them, in the format for pages. */
export const pageSources = (
  instance: Pick<Config, 'publicUrl'>,
  id: string,
  widths: readonly MediaWidth[] = mediaWidths,
) => widths.map((width) => `${mediaAddress(instance, id, width)}&for=page ${width}w`).join(', ')

/** A newsletter's logo as wide as a masthead may be on sharp screens. */
export const logoAddress = (instance: Pick<Config, 'publicUrl'>, id: string): string => mediaAddress(instance, id, 600)

/** The narrowest kept width that holds `pixels`, or the widest. */
export const widthFor = (pixels: number): MediaWidth => mediaWidths.find((width) => width >= pixels) ?? MAX_WIDTH
