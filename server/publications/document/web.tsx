import { createElement, Fragment, type ReactElement, type ReactNode } from 'react'
import {
  cellWidth,
  choiceOf,
  formattingOf,
  isHeadRow,
  numberOf,
  pictureOf,
  posterOf,
  type TextFormatting,
  textOf,
  toneOf,
} from './attributes.ts'
import { colorClass } from './document-style.ts'
import { numbered } from './footnotes.ts'
import { imageWidths } from './media-nodes.ts'
import type { RenderOptions, WebOptions } from './render-options.ts'
import { notGated, type Parents, type Renderers, renderContent, renderTree } from './render-tree.ts'
import type { DocumentMark, DocumentNode, PublicationDocument } from './schema.ts'
import { videoAddress } from './video.ts'
import { endnotes, noteReference } from './web-notes.tsx'
import { WebPicture } from './web-picture.tsx'
import { sponsor } from './web-sponsor.tsx'

const pictureWidth = { small: 320, normal: 664, wide: 1080 } as const

/**
 * The document for the web, with classes of `web.css` and `web-formats.css`, no style attributes and no script. Colours
 * and column widths of its author need the rules of `documentStyle` as well.
 */
export function renderWeb(document: PublicationDocument, options: WebOptions): ReactElement {
  const { document: shown, notes } = numbered(document)
  const rendering = webRendering(options)
  const read = notes.map((note) => renderContent(note, rendering, [shown]))
  return createElement(
    Fragment,
    null,
    ...renderTree(shown, rendering),
    notes.length > 0 ? endnotes(read, options) : null,
  )
}

const classes = (...names: (string | false | null | undefined)[]): string | undefined =>
  names.filter(Boolean).join(' ') || undefined

/** Direction, alignment and indentation, which every block may have. */
function blockProps(node: DocumentNode, ...more: (string | false)[]) {
  const indent = numberOf(node, 'indent')
  const align = textOf(node, 'textAlign') || textOf(node, 'align')
  return {
    dir: textOf(node, 'dir') || undefined,
    className: classes(...more, align && `align-${align}`, indent > 0 && `indent-${indent}`),
  }
}

const block = (tag: string) => (node: DocumentNode, children: ReactNode[]) =>
  createElement(tag, blockProps(node), ...children)

const wrap = (tag: string) => (_: DocumentMark, children: ReactNode[]) => createElement(tag, null, ...children)

/** An empty paragraph keeps its height, as in the editor. */
const paragraph = (node: DocumentNode, children: ReactNode[]) =>
  createElement('p', blockProps(node), ...(children.length > 0 ? children : [<br key="line" />]))

const formatClasses = ({ size, font, ...colors }: TextFormatting): string | undefined =>
  classes(size && size !== 'normal' && `size-${size}`, font && `font-${font}`, colorClass(colors))

function table(node: DocumentNode, rows: ReactNode[], label: string): ReactElement {
  const heads = (node.content ?? []).findIndex((row) => !isHeadRow(row))
  const split = heads === -1 ? rows.length : heads
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard
    <section className="table" tabIndex={0} aria-label={label}>
      <table dir={textOf(node, 'dir') || undefined}>
        {split > 0 ? createElement('thead', null, ...rows.slice(0, split)) : null}
        {split < rows.length ? createElement('tbody', null, ...rows.slice(split)) : null}
      </table>
    </section>
  )
}

function cell(node: DocumentNode, children: ReactNode[], parents: Parents): ReactElement {
  const width = cellWidth(node)
  const head = node.type === 'tableHeader'
  const row = parents.at(-1)
  return createElement(
    head ? 'th' : 'td',
    {
      ...blockProps(node, width !== null && `width-${width}`),
      colSpan: numberOf(node, 'colspan', 1) > 1 ? numberOf(node, 'colspan') : undefined,
      rowSpan: numberOf(node, 'rowspan', 1) > 1 ? numberOf(node, 'rowspan') : undefined,
      scope: head ? (row && isHeadRow(row) ? 'col' : 'row') : undefined,
    },
    ...children,
  )
}

function image(node: DocumentNode, { image, link }: RenderOptions): ReactElement {
  const size = choiceOf(node, 'width', imageWidths) ?? 'normal'
  const picture = image(pictureOf(node), pictureWidth[size])
  const caption = textOf(node, 'caption')
  const href = textOf(node, 'href')
  const img = <WebPicture picture={picture} across={pictureWidth[size]} alt={textOf(node, 'alt')} />
  return (
    <figure className={classes('picture', size !== 'normal' && `picture-${size}`)}>
      {href ? <a href={link(href)}>{img}</a> : img}
      {caption ? <figcaption>{caption}</figcaption> : null}
    </figure>
  )
}

/**
 * Nothing loads from the provider before somebody asks for it: its player is lazy, inside a closed `details`. Without
 * players, the poster and the words below it are links.
 */
function video(node: DocumentNode, { image, link, t, player }: WebOptions): ReactElement {
  const url = textOf(node, 'url')
  const title = textOf(node, 'title') || t('document.video')
  const source = posterOf(node)
  const poster = source ? image(source, pictureWidth.normal) : null
  const embed = videoAddress(url)?.embed
  const caption = (
    <figcaption>
      <a href={link(url)}>{t('document.watch', { title })}</a>
    </figcaption>
  )
  if (!player) {
    return (
      <figure>
        {poster ? (
          <a href={link(url)}>
            <WebPicture picture={poster} across={pictureWidth.normal} alt={title} />
          </a>
        ) : null}
        {caption}
      </figure>
    )
  }
  if (!embed) {
    return (
      <figure className="video">
        {/* biome-ignore lint/a11y/useMediaCaption: the author's file is all there is */}
        <video controls preload="none" src={url} poster={poster?.src} />
        {caption}
      </figure>
    )
  }
  return (
    <figure className="video">
      <details>
        <summary aria-label={t('document.watch', { title })}>
          {poster ? <WebPicture picture={poster} across={pictureWidth.normal} alt="" /> : null}
        </summary>
        <iframe
          src={player({ url, embed })}
          title={title}
          loading="lazy"
          allowFullScreen
          referrerPolicy="strict-origin-when-cross-origin"
        />
      </details>
      {caption}
    </figure>
  )
}

const button = (node: DocumentNode, { link }: RenderOptions): ReactNode =>
  textOf(node, 'href') ? (
    <p className={`align-${textOf(node, 'align') || 'center'}`}>
      <a className="button" href={link(textOf(node, 'href'))}>
        {textOf(node, 'label') || textOf(node, 'href')}
      </a>
    </p>
  ) : null

function callout(node: DocumentNode, children: ReactNode[], { t }: RenderOptions): ReactElement {
  const tone = toneOf(node)
  const label = createElement('p', { className: 'callout-label' }, t(`document.${tone}`))
  return createElement(
    'aside',
    blockProps(node, 'callout', tone === 'warning' && 'callout-warning'),
    label,
    ...children,
  )
}

function orderedList(node: DocumentNode, children: ReactNode[]): ReactElement {
  const start = numberOf(node, 'start', 1)
  const type = textOf(node, 'type')
  const props = { ...blockProps(node), start: start === 1 ? undefined : start, type: type || undefined }
  return createElement('ol', props, ...children)
}

const webRendering = (options: WebOptions): Renderers<ReactNode> => ({
  text: (text) => text,
  nodes: {
    paragraph,
    heading: (node, children) => block(`h${numberOf(node, 'level', 1)}`)(node, children),
    blockquote: block('blockquote'),
    codeBlock: (_, children) => (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, and the keyboard must reach them
      <pre tabIndex={0}>
        <code>{children}</code>
      </pre>
    ),
    bulletList: block('ul'),
    orderedList,
    listItem: block('li'),
    hardBreak: () => <br />,
    horizontalRule: () => <hr />,
    divider: (node) => <hr className={`divider divider-${textOf(node, 'kind') || 'stars'}`} />,
    table: (node, children) => table(node, children, options.t('document.table')),
    tableRow: block('tr'),
    tableCell: cell,
    tableHeader: cell,
    image: (node) => image(node, options),
    video: (node) => video(node, options),
    mergeTag: (node) => options.mergeTag(textOf(node, 'field'), textOf(node, 'fallback')),
    footnote: (node) => noteReference(node, options),
    button: (node) => button(node, options),
    callout: (node, children) => callout(node, children, options),
    paywall: notGated,
    onlyFor: notGated,
    sponsorSlot: notGated,
    sponsor: (node) => sponsor(node, options),
  },
  marks: {
    bold: wrap('strong'),
    italic: wrap('em'),
    underline: wrap('u'),
    strike: wrap('s'),
    code: wrap('code'),
    subscript: wrap('sub'),
    superscript: wrap('sup'),
    link: (mark, children) =>
      createElement(
        'a',
        { href: options.link(textOf(mark, 'href')), title: textOf(mark, 'title') || undefined, rel: 'noopener' },
        ...children,
      ),
    textStyle: (mark, children) => createElement('span', { className: formatClasses(formattingOf(mark)) }, ...children),
  },
})
