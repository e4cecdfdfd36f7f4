import type { CSSProperties, ReactElement, ReactNode } from 'react'
import { altStyle, fixedLayout, gutter, layout, mailFont, mailWidth, smallStyle } from '../../email/tokens.ts'
import type { BrandStyle } from '../../page/brand-style.ts'
import { pictureOf, posterOf, textOf } from './attributes.ts'
import { type EmailBlock, isTopLevel, spaced } from './email-block.tsx'
import type { Picture } from './render-options.ts'

const videoWidth = 520

/** A width and no height: where pictures are blocked, their words stay and no empty box. */
function scaled(
  picture: Picture,
  { room, alt, fills = true }: { room: number; alt: string; fills?: boolean },
  style: BrandStyle,
): ReactElement {
  const width = Math.min(picture.width, room)
  // On a narrow screen the gutters are smaller, and the column is wider than the room.
  const maxWidth = fills && width === room ? '100%' : width
  return (
    <img
      className="mu"
      src={picture.src}
      width={width}
      alt={alt}
      style={{ ...altStyle(style), display: 'block', width: '100%', maxWidth, height: 'auto', border: 0 }}
    />
  )
}

const linked = (href: string, content: ReactNode): ReactNode => (href ? <a href={href}>{content}</a> : content)

/** CSS pixels, for a picture that its author made small. */
const smallWidth = 240

/** A picture with its caption. A wide one at the top level of a document fills the mail from edge to edge. */
export function image(block: EmailBlock): ReactElement {
  const { node, options } = block
  const edgeToEdge = textOf(node, 'width') === 'wide' && isTopLevel(block)
  const room = edgeToEdge ? mailWidth : mailWidth - 2 * gutter
  const isSmall = textOf(node, 'width') === 'small'
  const width = isSmall ? Math.min(smallWidth, room) : room
  const href = textOf(node, 'href')
  const caption = textOf(node, 'caption')
  const picture = options.image(pictureOf(node), width)
  return spaced(block, { below: 22, sides: edgeToEdge ? 0 : gutter }, (margin) => (
    <div style={margin}>
      {linked(
        href && options.link(href),
        scaled(picture, { room: width, alt: textOf(node, 'alt'), fills: !isSmall }, options.style),
      )}
      {caption ? (
        <p
          className={edgeToEdge ? 'mu px' : 'mu'}
          style={{ ...smallStyle(options.style), margin: 0, padding: `8px ${edgeToEdge ? gutter : 0}px 0` }}
        >
          {caption}
        </p>
      ) : null}
    </div>
  ))
}

/** Few mail clients play a video, so its poster and a bar with a play mark below it link to it. */
export function video(block: EmailBlock): ReactElement {
  const { node, options } = block
  const { style, t, link } = options
  const href = link(textOf(node, 'url'))
  const title = textOf(node, 'title') || t('document.video')
  const source = posterOf(node)
  const poster = source ? options.image(source, videoWidth) : null
  const words: CSSProperties = {
    fontFamily: mailFont(style.ui),
    fontSize: 16,
    lineHeight: '22px',
    fontWeight: 600,
    color: style.onAccent,
    textDecoration: 'none',
  }
  return spaced(block, { below: 22 }, (margin) => (
    <table {...layout} style={{ ...fixedLayout, ...margin }}>
      <tbody>
        {poster ? (
          <tr>
            <td>{linked(href, scaled(poster, { room: videoWidth, alt: title }, style))}</td>
          </tr>
        ) : null}
        <tr>
          <td
            className="btn"
            bgcolor={style.accent}
            style={{ background: style.accent, padding: poster ? '12px 18px' : '40px 18px' }}
          >
            <a href={href} style={words}>
              {'▶\u{FE0E}\u{A0} '}
              {t('document.watch', { title })}
            </a>
          </td>
        </tr>
      </tbody>
    </table>
  ))
}
