import { type CSSProperties, createElement, type ReactElement, type ReactNode } from 'react'
import { mailFont } from '../../email/tokens.ts'
import { formattingOf, textOf } from './attributes.ts'
import { colorClass, textColor } from './document-style.ts'
import type { EmailOptions } from './render-options.ts'
import type { Renderers } from './render-tree.ts'
import type { DocumentMark } from './schema.ts'
import { sizeFactor } from './text-format.ts'

/** Words with their size, colour, background and font. */
function formatted(mark: DocumentMark, children: ReactNode[]): ReactElement {
  const { size, font, ...colors } = formattingOf(mark)
  const color = textColor(colors)
  const style: CSSProperties = {
    ...(size ? { fontSize: `${Math.round(sizeFactor[size] * 18)}px`, lineHeight: 1.4 } : {}),
    ...(color ? { color } : {}),
    ...(colors.background ? { backgroundColor: colors.background } : {}),
    ...(font ? { fontFamily: mailFont(font) } : {}),
  }
  return createElement('span', { className: colorClass(colors) ?? undefined, style }, ...children)
}

const wrap = (tag: string, style?: CSSProperties) => (_: DocumentMark, children: ReactNode[]) =>
  createElement(tag, { style }, ...children)

/** With `lineHeight: 0` superscripts and subscripts do not push lines apart. */
const shifted: CSSProperties = { fontSize: '70%', lineHeight: 0 }

/** Marks with their style inline. Colours also carry the class by which dark mode changes them. */
export const emailMarks = ({ style, link }: EmailOptions): Renderers<ReactNode>['marks'] => ({
  bold: wrap('strong'),
  italic: wrap('em'),
  underline: wrap('u'),
  strike: wrap('s'),
  code: wrap('code', { fontFamily: mailFont('geist-mono'), fontSize: '88%' }),
  subscript: wrap('sub', shifted),
  superscript: wrap('sup', shifted),
  link: (mark, children) =>
    createElement('a', { href: link(textOf(mark, 'href')), style: { color: style.accent } }, ...children),
  textStyle: formatted,
})
