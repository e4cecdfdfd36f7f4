const remarks = [
  ...[
    '[style*="mso-element:comment"]',
    '[style*="mso-element: comment"]',
    '.MsoCommentReference',
    'a[href^="#_msocom"]',
  ],
  // What tracked changes took out, and what Word hides.
  ...['del[cite]', 'del[datetime]', '[style*="mso-hide:all"]', '[style*="display:none"]'],
].join(', ')

/** Turns what Word marks by a style into what it stands for, and removes what it does not print: remarks of reviewers and deleted words. */
export function convertWordParts(page: Document): void {
  for (const part of page.querySelectorAll(remarks)) part.remove()
  for (const part of page.querySelectorAll('br[clear]')) part.remove()
  for (const title of page.querySelectorAll('p.MsoTitle')) rename(title, 'h1')
  for (const quote of page.querySelectorAll('p.MsoQuote, p.MsoIntenseQuote')) intoQuotation(quote)
  for (const link of page.querySelectorAll<HTMLAnchorElement>('a[href*="#"]')) intoNoteNumber(link)
  for (const note of page.querySelectorAll<HTMLElement>('p.MsoFootnoteText, p.MsoEndnoteText')) intoSmall(note)
  for (const caption of page.querySelectorAll('p.MsoCaption')) intoCaption(caption)
}

function rename(part: Element, tag: string): void {
  const renamed = part.ownerDocument.createElement(tag)
  renamed.append(...part.childNodes)
  part.replaceWith(renamed)
}

/** Paragraphs of a quotation that follow each other are one quotation. */
function intoQuotation(paragraph: Element): void {
  const before = paragraph.previousElementSibling
  const quotation = before?.localName === 'blockquote' ? before : paragraph.ownerDocument.createElement('blockquote')
  if (quotation !== before) paragraph.before(quotation)
  quotation.append(paragraph)
}

/** The number of a note stands raised where it is set and before the note itself. An address inside a page leads nowhere in a mail. */
function intoNoteNumber(link: HTMLAnchorElement): void {
  if (!/^#_?(ftn|edn)/.test(link.getAttribute('href') ?? '')) return
  const number = link.ownerDocument.createElement('sup')
  number.textContent = link.textContent.trim().replace(/^\[(.*)\]$/, '$1')
  link.replaceWith(number)
}

function intoSmall(note: HTMLElement): void {
  const small = note.ownerDocument.createElement('span')
  small.dataset.size = 'small'
  // The editor reads a format only from what has a style.
  small.style.fontSize = 'small'
  small.append(...note.childNodes)
  note.append(small)
}

/** A caption below an image becomes its own. */
function intoCaption(caption: Element): void {
  const before = caption.previousElementSibling
  const image = before?.localName === 'img' ? before : before?.querySelector('img')
  if (!(image instanceof Element) || before?.textContent.trim() !== '') return
  image.setAttribute('data-caption', caption.textContent.replaceAll(/\s+/g, ' ').trim())
  caption.remove()
}
