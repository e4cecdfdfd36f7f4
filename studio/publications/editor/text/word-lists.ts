/** Whether a paragraph is a list item: Word writes list items as paragraphs with an `mso-list` style. */
export const isWordListItem = (paragraph: HTMLElement): boolean =>
  /mso-list:\s*l\d+/i.test(paragraph.getAttribute('style') ?? '')

const levelOf = (paragraph: HTMLElement): number =>
  Number(/level(\d+)/i.exec(paragraph.getAttribute('style') ?? '')?.[1] ?? 1)

/** Replaces Word's list paragraphs by real lists, nested by their level. */
export function convertWordLists(paragraphs: HTMLElement[]): void {
  let openLists: HTMLElement[] = []
  for (const paragraph of paragraphs) {
    const [before] = openLists
    if (!before || paragraph.previousElementSibling !== before) openLists = []
    openLists = listsDownTo(levelOf(paragraph), openLists, paragraph)
    const [outermost] = openLists
    const item = paragraph.ownerDocument.createElement('li')
    openLists.at(-1)?.append(item)
    if (outermost && !outermost.isConnected) paragraph.before(outermost)
    removeMarker(paragraph)
    item.append(paragraph)
  }
}

/** The open lists down to a level, outermost first. A missing one is created in the last item of the level above. */
function listsDownTo(level: number, openLists: HTMLElement[], paragraph: HTMLElement): HTMLElement[] {
  const lists = openLists.slice(0, level)
  while (lists.length < level) {
    const list = paragraph.ownerDocument.createElement(isNumbered(paragraph) ? 'ol' : 'ul')
    const above = lists.at(-1)
    if (above) (above.lastElementChild ?? above.appendChild(above.ownerDocument.createElement('li'))).append(list)
    lists.push(list)
  }
  return lists
}

const markerOf = (paragraph: HTMLElement): HTMLElement | null =>
  [...paragraph.querySelectorAll<HTMLElement>('span')].find((span) =>
    /mso-list:\s*ignore/i.test(span.getAttribute('style') ?? ''),
  ) ?? null

const isNumbered = (paragraph: HTMLElement): boolean =>
  /^[\s(]*(\d+|[a-z]{1,3})[.)]/i.test(markerOf(paragraph)?.textContent ?? '')

const removeMarker = (paragraph: HTMLElement): void => markerOf(paragraph)?.remove()
