import { createElement, type ReactElement } from 'react'
import { textOf } from './attributes.ts'
import type { RenderOptions } from './render-options.ts'
import type { DocumentNode } from './schema.ts'
import { imageOf, isPaidFor, linesOf, linkIdOf } from './sponsor-slots.ts'
import { WebPicture } from './web-picture.tsx'

/** CSS pixels. */
const pictureWidth = 664

/** A sponsor on the web, below the words that say so. Search engines are told that its link is paid for. */
export function sponsor(node: DocumentNode, { image, link }: RenderOptions): ReactElement {
  const disclosure = textOf(node, 'disclosure')
  const picture = imageOf(node)
  const shown = picture && image({ mediaId: picture.mediaId, src: null }, pictureWidth)
  return createElement(
    'aside',
    { className: 'sponsor', 'aria-label': disclosure },
    <p className="sponsor-disclosure">{disclosure}</p>,
    picture && shown ? <WebPicture picture={shown} across={pictureWidth} alt={picture.alt} /> : null,
    <p>
      <strong>{textOf(node, 'name')}</strong>
    </p>,
    ...linesOf(node).map((line) => createElement('p', null, line)),
    <p>
      <a href={link(textOf(node, 'target'), linkIdOf(node))} rel={isPaidFor(node) ? 'sponsored noopener' : 'noopener'}>
        {textOf(node, 'label')}
      </a>
    </p>,
  )
}
