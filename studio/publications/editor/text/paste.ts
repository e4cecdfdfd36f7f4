import { convertWordLists, isWordListItem } from './word-lists.ts'

const ignoredStyles = new Set(['color', 'background', 'background-color', 'font-family', 'font-size', 'line-height'])

/**
 * Cleans what word processors put on the clipboard. The schema drops what it does not know; what is left to do here is
 * their house style (every span in black Arial on white), their comments, and Word's lists that are paragraphs in disguise.
 */
export function cleanPasted(html: string): string {
  if (!/docs-internal-guid|class="?Mso|mso-|urn:schemas-microsoft-com/i.test(html)) return html
  const page = new DOMParser().parseFromString(html, 'text/html')
  for (const part of page.querySelectorAll('style, meta, link, script, title, xml')) part.remove()
  const paragraphs = [...page.querySelectorAll<HTMLElement>('p')].filter(isWordListItem)
  if (paragraphs.length > 0) convertWordLists(paragraphs)
  for (const part of page.querySelectorAll<HTMLElement>('[style]')) removeIgnoredStyles(part)
  for (const link of page.querySelectorAll<HTMLAnchorElement>('a[href]')) simplifyLink(link)
  // Google writes the direction of the language on every block: only the other one is a choice.
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

/** Where a link leads, without the detour by Google and the underlining that every link has. */
function simplifyLink(link: HTMLAnchorElement): void {
  const address = URL.parse(link.href)
  const target = address && /(^|\.)google\.com$/.test(address.hostname) && address.pathname === '/url'
  if (target) link.href = address.searchParams.get('q') ?? link.href
  for (const part of [link, ...link.querySelectorAll<HTMLElement>('[style]')]) {
    for (const property of [...part.style])
      if (property.startsWith('text-decoration')) part.style.removeProperty(property)
  }
}

/** An empty line that only made room between two paragraphs. */
const isBlank = (paragraph: HTMLElement): boolean =>
  paragraph.textContent.trim() === '' && !paragraph.querySelector('img') && !paragraph.closest('td, th, li')

const isBare = (span: HTMLElement): boolean => span.style.length === 0 && !span.dir && !span.lang
