import { plainSpaces } from './plain-spaces.ts'
import { convertWordLists, isWordListItem } from './word-lists.ts'
import { convertWordParts } from './word-parts.ts'

const ignoredStyles = new Set([
  ...['color', 'background', 'background-color', 'font-family', 'font-size', 'line-height'],
  ...['white-space', 'white-space-collapse', 'text-wrap-mode', 'text-wrap'],
])
/** Values with which a span is as the text around it is. Some properties are written as several, as `font-variant` is. */
const plainValues = new Set(['normal', '400', 'none', 'baseline', 'auto', 'solid', 'currentcolor', 'initial'])

/**
 * Cleans HTML that a word processor or a browser put on the clipboard. The editor's schema drops unknown elements by itself. This
 * removes default styles (every span in black Arial on white) and comments, names the first row of a table, and turns Word's paragraphs that are
 * lists, quotations or notes by their style into real ones.
 */
export function cleanPasted(html: string): string {
  // From the text: a parser already reports style elements as policy violations.
  const bare = plainSpaces(html.replaceAll(/<style\b[^>]*>[\s\S]*?<\/style>/gi, ''))
  if (!/docs-internal-guid|class="?Mso|mso-|urn:schemas-microsoft-com/i.test(html)) return bare
  const page = new DOMParser().parseFromString(bare, 'text/html')
  for (const part of page.querySelectorAll('meta, link, script, title, xml')) part.remove()
  convertWordParts(page)
  const paragraphs = [...page.querySelectorAll<HTMLElement>('p')].filter(isWordListItem)
  if (paragraphs.length > 0) convertWordLists(paragraphs)
  for (const table of page.querySelectorAll('table')) nameHead(table)
  for (const link of page.querySelectorAll<HTMLAnchorElement>('a[href]')) simplifyLink(link)
  for (const part of page.querySelectorAll<HTMLElement>('[style]')) removeIgnoredStyles(part)
  // Google Docs writes `dir="ltr"` on every block, so only `rtl` is a choice of the writer.
  for (const part of page.querySelectorAll('[dir="ltr"]')) part.removeAttribute('dir')
  for (const gap of page.querySelectorAll('body > br, [id^="docs-internal-guid"] > br, p + br')) gap.remove()
  for (const paragraph of page.querySelectorAll('p')) liftImages(paragraph)
  for (const paragraph of page.querySelectorAll('p')) if (isBlank(paragraph)) paragraph.remove()
  for (const span of page.querySelectorAll('span')) if (isBare(span)) span.replaceWith(...span.childNodes)
  return page.body.innerHTML
}

function removeIgnoredStyles(part: HTMLElement): void {
  if (part.dataset.size) return
  const isPlain = (property: string) =>
    part.localName === 'span' &&
    part.style
      .getPropertyValue(property)
      .split(' ')
      .every((one) => plainValues.has(one))
  // Word sets whole documents justified. On a phone that opens rivers of white.
  if (part.style.textAlign === 'justify') part.style.textAlign = ''
  for (const property of [...part.style])
    if (ignoredStyles.has(property) || isPlain(property)) part.style.removeProperty(property)
  if (part.style.length === 0) part.removeAttribute('style')
}

/** Makes a first row in bold the head of its table, when the other rows are not in bold. */
function nameHead(table: HTMLTableElement): void {
  const [first, ...others] = table.rows
  if (!first || others.length === 0 || table.querySelector('th')) return
  const isInBold = ({ cells }: HTMLTableRowElement) => [...cells].every(isBold)
  if (!isInBold(first) || others.some(isInBold)) return
  for (const cell of [...first.cells]) {
    const head = table.ownerDocument.createElement('th')
    for (const { name, value } of [...cell.attributes]) head.setAttribute(name, value)
    head.append(...cell.childNodes)
    cell.replaceWith(head)
  }
}

function isBold(cell: HTMLElement): boolean {
  const texts = cell.ownerDocument.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
  let isAny = false
  while (texts.nextNode()) {
    if (texts.currentNode.textContent?.trim() === '') continue
    const around = texts.currentNode.parentElement?.closest<HTMLElement>('b, strong, [style*="font-weight"]')
    if (!around || !cell.contains(around) || /^(normal|[1-5]00)$/.test(around.style.fontWeight)) return false
    isAny = true
  }
  return isAny
}

/** Replaces Google's redirect by its target, and removes the underlining that every link has. */
function simplifyLink(link: HTMLAnchorElement): void {
  const address = URL.parse(link.href)
  const target = address && /(^|\.)google\.com$/.test(address.hostname) && address.pathname === '/url'
  if (target) link.href = address.searchParams.get('q') ?? link.href
  for (const part of [link, ...link.querySelectorAll<HTMLElement>('[style]')]) {
    for (const property of [...part.style])
      if (property.startsWith('text-decoration')) part.style.removeProperty(property)
  }
}

/** Puts the images of a paragraph without words in its place: an image is a block here. An item of a list begins with a paragraph. */
function liftImages(paragraph: HTMLElement): void {
  const images = [...paragraph.querySelectorAll('img')]
  if (images.length > 0 && paragraph.textContent.trim() === '' && !paragraph.closest('li'))
    paragraph.replaceWith(...images)
}

/** Whether a paragraph is an empty line between two others. */
const isBlank = (paragraph: HTMLElement): boolean =>
  paragraph.textContent.trim() === '' && !paragraph.querySelector('img') && !paragraph.closest('td, th, li')

const isBare = (span: HTMLElement): boolean =>
  span.style.length === 0 && !span.dir && Object.keys(span.dataset).length === 0
