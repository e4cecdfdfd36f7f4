/** True for a paragraph that Word means as a list item. */
export const isWordListItem = (paragraph: HTMLElement): boolean =>
  /mso-list:\s*l\d+/i.test(paragraph.getAttribute('style') ?? '')

const levelOf = (paragraph: HTMLElement): number =>
  Number(/level(\d+)/i.exec(paragraph.getAttribute('style') ?? '')?.[1] ?? 1)

/** Puts Word's list paragraphs into real lists, nested by their level. */
export function convertWordLists(paragraphs: HTMLElement[]): void {
  let openLists: HTMLElement[] = []
  let last: Element | null = null
  for (const paragraph of paragraphs) {
    if (paragraph.previousElementSibling !== last || last === null) openLists = []
    const list = listAt(openLists, levelOf(paragraph), paragraph)
    const item = paragraph.ownerDocument.createElement('li')
    list.append(item)
    last = openLists[0] ?? null
    if (!last?.isConnected) paragraph.before(openLists[0] as HTMLElement)
    removeMarker(paragraph)
    item.append(paragraph)
  }
}

/** The list of a level, opening those that are missing inside the last item of the level above. */
function listAt(open: HTMLElement[], level: number, paragraph: HTMLElement): HTMLElement {
  open.length = Math.min(open.length, level)
  while (open.length < level) {
    const list = paragraph.ownerDocument.createElement(isNumbered(paragraph) ? 'ol' : 'ul')
    const above = open.at(-1)
    if (above) (above.lastElementChild ?? above.appendChild(above.ownerDocument.createElement('li'))).append(list)
    open.push(list)
  }
  return open[level - 1] as HTMLElement
}

const markerOf = (paragraph: HTMLElement): HTMLElement | null =>
  [...paragraph.querySelectorAll<HTMLElement>('span')].find((span) =>
    /mso-list:\s*ignore/i.test(span.getAttribute('style') ?? ''),
  ) ?? null

const isNumbered = (paragraph: HTMLElement): boolean =>
  /^[\s(]*(\d+|[a-z]{1,3})[.)]/i.test(markerOf(paragraph)?.textContent ?? '')

const removeMarker = (paragraph: HTMLElement): void => markerOf(paragraph)?.remove()
