import { convertWordLists, isWordListItem } from './word-lists.ts'

const ignoredStyles = new Set(['color', 'background', 'background-color', 'font-family', 'font-size', 'line-height'])

/**
 * Cleans HTML that a word processor put on the clipboard. The editor's schema drops unknown elements by itself. This
 * removes default styles (every span in black Arial on white) and comments, and turns Word's list paragraphs into lists.
 */
export function cleanPasted(html: string): string {
  if (!/docs-internal-guid|class="?Mso|mso-|urn:schemas-microsoft-com/i.test(html)) return html
  const page = new DOMParser().parseFromString(html, 'text/html')
  for (const part of page.querySelectorAll('style, meta, link, script, title, xml')) part.remove()
  const paragraphs = [...page.querySelectorAll<HTMLElement>('p')].filter(isWordListItem)
  if (paragraphs.length > 0) convertWordLists(paragraphs)
  for (const part of page.querySelectorAll<HTMLElement>('[style]')) removeIgnoredStyles(part)
  for (const link of page.querySelectorAll<HTMLAnchorElement>('a[href]')) simplifyLink(link)
  // Google Docs writes `dir="ltr"` on every block, so only `rtl` is a choice of the writer.
  for (const part of page.querySelectorAll('[dir="ltr"]')) part.removeAttribute('dir')
  for (const gap of page.querySelectorAll('body > br, [id^="docs-internal-guid"] > br')) gap.remove()
  for (const paragraph of page.querySelectorAll('p')) if (isBlank(paragraph)) paragraph.remove()
  for (const span of page.querySelectorAll('span')) if (isBare(span)) span.replaceWith(...span.childNodes)
  return page.body.innerHTML
}

function removeIgnoredStyles(part: HTMLElement): void {
  for (const property of [...part.style]) if (ignoredStyles.has(property)) part.style.removeProperty(property)
  if (part.style.length === 0) part.removeAttribute('style')
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

/** Whether a paragraph is an empty line between two others. */
const isBlank = (paragraph: HTMLElement): boolean =>
  paragraph.textContent.trim() === '' && !paragraph.querySelector('img') && !paragraph.closest('td, th, li')

const isBare = (span: HTMLElement): boolean => span.style.length === 0 && !span.dir && !span.lang
