import { isOfficeList, listsFrom } from './office-list.ts'

const nothingMeant = new Set(['color', 'background', 'background-color', 'font-family', 'font-size', 'line-height'])

/**
 * Cleans what word processors put on the clipboard. The schema drops what it does not know; what is left to do here is
 * their house style (every span in black Arial on white), their comments, and Word's lists that are paragraphs in disguise.
 */
export function cleanPasted(html: string): string {
  if (!/docs-internal-guid|class="?Mso|mso-|urn:schemas-microsoft-com/i.test(html)) return html
  const page = new DOMParser().parseFromString(html, 'text/html')
  for (const part of page.querySelectorAll('style, meta, link, script, title, xml')) part.remove()
  const paragraphs = [...page.querySelectorAll<HTMLElement>('p')].filter(isOfficeList)
  if (paragraphs.length > 0) listsFrom(paragraphs)
  for (const part of page.querySelectorAll<HTMLElement>('[style]')) plainStyle(part)
  return page.body.innerHTML
}

function plainStyle(part: HTMLElement): void {
  for (const property of [...part.style]) if (nothingMeant.has(property)) part.style.removeProperty(property)
}
