import type { BrandStyle } from '../../page/brand-style.ts'
import type { RenderOptions } from './render.ts'

/** What rendering for mail needs beside the rest: colours and faces are written into every element. */
export interface EmailOptions extends RenderOptions {
  style: BrandStyle
}
