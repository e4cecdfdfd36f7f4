/** Whether a paragraph is a list item: Word writes list items as paragraphs with an `mso-list` style. */
export const isWordListItem = (paragraph: HTMLElement): boolean =>
  /mso-list:\s*l\d+/i.test(paragraph.getAttribute('style') ?? '')

const levelOf = (paragraph: HTMLElement): number =>
  Number(/level(\d+)/i.exec(paragraph.getAttribute('style') ?? '')?.[1] ?? 1)

/** Which of the document's lists an item is of. Two of them can follow each other. */
const idOf = (paragraph: HTMLElement): string =>
  /mso-list:\s*(l\d+)/i.exec(paragraph.getAttribute('style') ?? '')?.[1] ?? ''

/** Replaces Word's list paragraphs by real lists, nested by their level. */
export function convertWordLists(paragraphs: HTMLElement[]): void {
  let openLists: HTMLElement[] = []
  let outermostId = ''
  for (const paragraph of paragraphs) {
    const [before] = openLists
    const id = idOf(paragraph)
    if (!before || paragraph.previousElementSibling !== before || (levelOf(paragraph) === 1 && id !== outermostId)) {
      openLists = []
      outermostId = id
    }
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
    const list = newList(paragraph)
    const above = lists.at(-1)
    if (above) (above.lastElementChild ?? above.appendChild(above.ownerDocument.createElement('li'))).append(list)
    lists.push(list)
  }
  return lists
}

/** A list that begins with the number or letter of its first item, which Word writes as text. */
function newList(paragraph: HTMLElement): HTMLElement {
  if (!isNumbered(paragraph)) return paragraph.ownerDocument.createElement('ul')
  const list = paragraph.ownerDocument.createElement('ol')
  const [, mark = ''] = /^[\s(]*(\d+|[a-z]{1,3})[.)]/i.exec(markerOf(paragraph)?.textContent ?? '') ?? []
  const isRoman = /^i+$/i.test(mark)
  if (/^\d+$/.test(mark)) list.start = Number(mark)
  else list.type = isRoman ? mark.slice(0, 1) : mark === mark.toUpperCase() ? 'A' : 'a'
  return list
}

const markerOf = (paragraph: HTMLElement): HTMLElement | null =>
  [...paragraph.querySelectorAll<HTMLElement>('span')].find((span) =>
    /mso-list:\s*ignore/i.test(span.getAttribute('style') ?? ''),
  ) ?? null

const isNumbered = (paragraph: HTMLElement): boolean =>
  /^[\s(]*(\d+|[a-z]{1,3})[.)]/i.test(markerOf(paragraph)?.textContent ?? '')

const removeMarker = (paragraph: HTMLElement): void => markerOf(paragraph)?.remove()
