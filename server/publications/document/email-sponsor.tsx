import { type CSSProperties, createElement, Fragment, type ReactElement } from 'react'
import { altStyle, gutter, mailWidth, smallStyle } from '../../email/tokens.ts'
import { textOf } from './attributes.ts'
import { boxed, type EmailBlock } from './email-block.tsx'
import { imageOf, isPaidFor, linesOf, linkIdOf } from './sponsor-slots.ts'

/** CSS pixels: of the box, and of the picture in it. */
const side = 22
const pictureWidth = mailWidth - 2 * gutter - 2 * side

/** A sponsor in a mail: a box with the words above that say so. */
export function sponsor(block: EmailBlock): ReactElement {
  const { node, options } = block
  const { style } = options
  const below = (margin: number): CSSProperties => ({ margin: `0 0 ${margin}px` })
  const picture = imageOf(node)
  const shown = picture && options.image({ mediaId: picture.mediaId, src: null }, pictureWidth)
  const width = Math.min(shown?.width ?? pictureWidth, pictureWidth)
  const maxWidth = width === pictureWidth ? '100%' : width
  const inner = createElement(
    Fragment,
    null,
    <p className="mu" style={{ ...smallStyle(style), ...below(8) }}>
      {textOf(node, 'disclosure')}
    </p>,
    picture && shown ? (
      <img
        className="mu"
        src={shown.src}
        width={width}
        alt={picture.alt}
        style={{ ...altStyle(style), display: 'block', width: '100%', maxWidth, height: 'auto', ...below(12) }}
      />
    ) : null,
    <p style={below(4)}>
      <b>{textOf(node, 'name')}</b>
    </p>,
    ...linesOf(node).map((line) => createElement('p', { style: below(10) }, line)),
    <p style={{ margin: 0 }}>
      <a
        href={options.link(textOf(node, 'target'), linkIdOf(node))}
        rel={isPaidFor(node) ? 'sponsored' : undefined}
        style={{ color: style.accent }}
      >
        {textOf(node, 'label')}
      </a>
    </p>,
  )
  return boxed(block, { style: { background: style.wash, padding: `16px ${side}px` }, className: 'tx box' }, [inner])
}
