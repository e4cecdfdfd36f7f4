import { type CSSProperties, createElement, type ReactElement, type ReactNode } from 'react'
import { mailFont } from '../../email/tokens.ts'
import { lookOf, textOf } from './attributes.ts'
import { inkClass, textColor } from './document-style.ts'
import type { EmailOptions } from './email-options.ts'
import type { Rendering } from './fold.ts'
import type { DocumentMark } from './schema.ts'
import { sizeFactor } from './text-style.ts'

/** Size, colour, background and font of a run of words. */
function look(mark: DocumentMark, children: ReactNode[]): ReactElement {
  const { size, font, ...inks } = lookOf(mark)
  const color = textColor(inks)
  const style: CSSProperties = {
    ...(size ? { fontSize: `${Math.round(sizeFactor[size] * 18)}px`, lineHeight: 1.4 } : {}),
    ...(color ? { color } : {}),
    ...(inks.background ? { backgroundColor: inks.background } : {}),
    ...(font ? { fontFamily: mailFont(font) } : {}),
  }
  return createElement('span', { className: inkClass(inks) ?? undefined, style }, ...children)
}

const wrap = (tag: string, style?: CSSProperties) => (_: DocumentMark, children: ReactNode[]) =>
  createElement(tag, { style }, ...children)

/** `lineHeight: 0` keeps raised and lowered figures from pushing lines apart. */
const shifted: CSSProperties = { fontSize: '70%', lineHeight: 0 }

/** Marks with their style inline; colours also carry the class by which the night changes them. */
export const emailMarks = ({ style, link }: EmailOptions): Rendering<ReactNode>['marks'] => ({
  bold: wrap('strong'),
  italic: wrap('em'),
  underline: wrap('u'),
  strike: wrap('s'),
  code: wrap('code', { fontFamily: mailFont('geist-mono'), fontSize: '88%' }),
  subscript: wrap('sub', shifted),
  superscript: wrap('sup', shifted),
  link: (mark, children) =>
    createElement('a', { href: link(textOf(mark, 'href')), style: { color: style.accent } }, ...children),
  textStyle: look,
})
