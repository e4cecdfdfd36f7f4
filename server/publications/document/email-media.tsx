import type { CSSProperties, ReactElement, ReactNode } from 'react'
import { gutter, layout, mailFont, mailWidth, smallStyle } from '../../email/tokens.ts'
import { textOf } from './attributes.ts'
import type { EmailOptions } from './email-options.ts'
import type { Picture } from './render.ts'
import type { DocumentNode } from './schema.ts'

const videoWidth = 520

const pictureStyle = (width: number): CSSProperties => ({
  display: 'block',
  width: '100%',
  maxWidth: width,
  height: 'auto',
  border: 0,
})

/** Height for the width shown, so that nothing jumps when the picture arrives. */
const heightAt = (picture: Picture, width: number): number | undefined =>
  picture.height === null ? undefined : Math.round((picture.height * width) / picture.width)

function shown(picture: Picture, room: number, alt: string): ReactElement {
  const width = Math.min(picture.width, room)
  return (
    <img
      className={width === room ? 'img' : undefined}
      src={picture.src}
      width={width}
      height={heightAt(picture, width)}
      alt={alt}
      style={pictureStyle(width)}
    />
  )
}

const linked = (href: string, content: ReactNode): ReactNode => (href ? <a href={href}>{content}</a> : content)

/** A picture no wider than its room, with its caption under it. */
export function emailPicture(node: DocumentNode, room: number, margin: CSSProperties, options: EmailOptions) {
  const asked = textOf(node, 'width') === 'small' ? Math.min(240, room) : room
  const source = { mediaId: textOf(node, 'mediaId') || null, src: textOf(node, 'src') || null }
  const href = textOf(node, 'href')
  const caption = textOf(node, 'caption')
  const bleeds = room === mailWidth
  return (
    <div style={margin}>
      {linked(href && options.link(href), shown(options.image(source, asked), asked, textOf(node, 'alt')))}
      {caption ? (
        <p
          className={bleeds ? 'mu px' : 'mu'}
          style={{ ...smallStyle(options.style), margin: 0, padding: `8px ${bleeds ? gutter : 0}px 0` }}
        >
          {caption}
        </p>
      ) : null}
    </div>
  )
}

/** No mail client plays a video everywhere: its poster, and under it a bar with a play mark and words, both linked. */
export function emailVideo(node: DocumentNode, margin: CSSProperties, options: EmailOptions): ReactElement {
  const { style, t, link, image } = options
  const href = link(textOf(node, 'url'))
  const title = textOf(node, 'title') || t('document.video')
  const source = { mediaId: textOf(node, 'posterMediaId') || null, src: textOf(node, 'posterSrc') || null }
  const poster = source.mediaId || source.src ? image(source, videoWidth) : null
  const words: CSSProperties = {
    fontFamily: mailFont(style.ui),
    fontSize: 16,
    lineHeight: '22px',
    fontWeight: 600,
    color: style.onAccent,
    textDecoration: 'none',
  }
  return (
    <table {...layout} style={margin}>
      <tbody>
        {poster ? (
          <tr>
            <td>{linked(href, shown(poster, videoWidth, t('document.watch', { title })))}</td>
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
  )
}
