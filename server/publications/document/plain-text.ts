import { padded, prefixed, wrap } from '../../email/plain-lines.ts'
import { numberOf, runsRightToLeft, textOf, toneOf } from './attributes.ts'
import { numbered } from './footnotes.ts'
import { type PlainCell, plainTable } from './plain-table.ts'
import type { RenderOptions } from './render-options.ts'
import { notGated, type Parents, type Renderers, renderContent } from './render-tree.ts'
import type { DocumentMark, DocumentNode, PublicationDocument } from './schema.ts'
import { imageOf, linkIdOf } from './sponsor-slots.ts'

const lineWidth = 76
const indentStep = 4
const rightToLeftMark = '\u200F'
const underlines: Readonly<Record<number, string>> = { 1: '=', 2: '-', 3: '~', 4: '.', 5: '.', 6: '.' }

const superscripts: Readonly<Record<string, string>> = Object.fromEntries(
  [...'0123456789+-=()neridst'].map((plain, index) => [plain, [...'⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿᵉʳⁱᵈˢᵗ'][index] ?? plain]),
)
const subscripts: Readonly<Record<string, string>> = Object.fromEntries(
  [...'0123456789+-=()'].map((plain, index) => [plain, [...'₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎'][index] ?? plain]),
)

/**
 * The document as plain text of at most 76 columns: headings underlined, lists numbered and nested, quotations behind `> `,
 * notes and addresses numbered and listed at the end, each kind from 1 and with a mark of its own, tables in columns, or as `header: value`
 * lines where they are too wide.
 */
export function renderText(document: PublicationDocument, options: RenderOptions): string {
  const { document: shown, notes } = numbered(document)
  const addresses: string[] = []
  const plain = new PlainText(options, addresses)
  const lines = plain.blocks(shown.content ?? [], lineWidth, [shown])
  if (notes.length > 0)
    lines.push('', options.t('document.notes'), ...notes.flatMap((note, index) => plain.note(note, index + 1)))
  if (addresses.length > 0)
    lines.push('', options.t('document.links'), ...addresses.map((to, index) => `[${index + 1}] ${to}`))
  return `${lines.join('\n').trim()}\n`
}

/** One rendering: blocks become lines, inline content becomes text, and addresses are collected. */
class PlainText {
  readonly #inline: Renderers<string>

  constructor(
    private readonly options: RenderOptions,
    private readonly addresses: string[],
  ) {
    this.#inline = {
      text: (text) => text,
      nodes: {
        hardBreak: () => '\n',
        footnote: (node) => this.#noteMark(numberOf(node, 'number')),
        mergeTag: (node) => options.mergeTag(textOf(node, 'field'), textOf(node, 'fallback')),
      },
      marks: {
        bold: (_, inner) => around('*', inner),
        italic: (_, inner) => around('_', inner),
        underline: (_, inner) => around('_', inner),
        strike: (_, inner) => around('~', inner),
        code: (_, inner) => around('`', inner),
        superscript: (_, inner) => shifted(inner.join(''), superscripts, '^'),
        subscript: (_, inner) => shifted(inner.join(''), subscripts, '_'),
        link: (mark, inner) => this.#link(mark, inner.join('')),
      },
    }
  }

  /** Blocks with an empty line between them. */
  blocks(nodes: DocumentNode[], width: number, parents: Parents): string[] {
    return nodes
      .map((node) => this.#block(node, width, parents))
      .filter((lines) => lines.some((line) => line !== ''))
      .flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]))
  }

  #number(href: string, linkId: string | null = null): string {
    const address = this.options.link(href, linkId)
    const known = this.addresses.indexOf(address)
    return `[${known === -1 ? this.addresses.push(address) : known + 1}]`
  }

  /** With its number on the web and in the mail. It can pass for no address. */
  #noteMark(number: number): string {
    return `[${this.options.t('document.noteMark', { number })}]`
  }

  /** The lines of a note, behind its number. */
  note(content: DocumentNode[], number: number): string[] {
    const head = `${this.#noteMark(number)} `
    const lines = wrap(renderContent(content, this.#inline, []).join(''), lineWidth - head.length)
    return prefixed(lines, head, ' '.repeat(head.length))
  }

  #link(mark: DocumentMark, words: string): string {
    const href = textOf(mark, 'href')
    const bare = href.replace(/^(mailto|tel):/, '')
    if (words.trim() === bare) return href === bare ? this.options.link(href) : bare
    return `${words} ${this.#number(href)}`
  }

  #words(node: DocumentNode, parents: Parents): string {
    return renderContent(node.content ?? [], this.#inline, [...parents, node]).join('')
  }

  #block(node: DocumentNode, width: number, parents: Parents): string[] {
    switch (node.type) {
      case 'paragraph':
        return this.#flow(node, width, parents)
      case 'heading':
        return this.#heading(node, width, parents)
      case 'blockquote':
        return prefixed(this.blocks(node.content ?? [], width - 2, [...parents, node]), '> ')
      case 'codeBlock':
        return prefixed(this.#words(node, parents).split('\n'), '    ')
      case 'bulletList':
      case 'orderedList':
        return this.#list(node, width, parents)
      case 'horizontalRule':
        return ['-'.repeat(Math.min(width, 40))]
      case 'divider':
        return textOf(node, 'kind') === 'space' ? [] : [padded('* * *', width, 'center').trimEnd()]
      case 'table':
        return plainTable(this.#cells(node, parents), width)
      case 'callout':
        return this.#callout(node, width, parents)
      case 'paywall':
      case 'onlyFor':
      case 'sponsorSlot':
        return notGated(node)
      case 'sponsor':
        return this.#sponsor(node, width)
      default:
        return wrap(this.#mediaOrButton(node), width)
    }
  }

  #flow(node: DocumentNode, width: number, parents: Parents): string[] {
    const indent = ' '.repeat(numberOf(node, 'indent') * indentStep)
    const room = width - indent.length
    const lines = wrap(this.#words(node, parents), room)
    if (runsRightToLeft(node, parents)) return prefixed(lines, rightToLeftMark)
    const align = textOf(node, 'textAlign')
    const aligned = align === 'center' || align === 'right' ? lines.map((line) => padded(line, room, align)) : lines
    return prefixed(aligned, indent)
  }

  #heading(node: DocumentNode, width: number, parents: Parents): string[] {
    const lines = this.#flow(node, width, parents)
    const start = Math.min(...lines.map((line) => line.length - line.trimStart().length))
    const length = Math.max(...lines.map((line) => line.length)) - start
    if (length <= 0) return []
    return [...lines, ' '.repeat(start) + (underlines[numberOf(node, 'level', 1)] ?? '.').repeat(length)]
  }

  #list(node: DocumentNode, width: number, parents: Parents): string[] {
    const inside = [...parents, node]
    return (node.content ?? []).flatMap((item, index) => {
      const marker = node.type === 'orderedList' ? `${ordinal(node, index)}. ` : '- '
      const indent = ' '.repeat(numberOf(item, 'indent') * indentStep)
      const hang = ' '.repeat(marker.length)
      const lines = this.#item(item, width - marker.length - indent.length, inside)
      return prefixed(lines.length > 0 ? lines : [''], indent + marker, indent + hang)
    })
  }

  /** In an item a nested list follows its text without an empty line. */
  #item(item: DocumentNode, width: number, parents: Parents): string[] {
    const inside = [...parents, item]
    return (item.content ?? []).flatMap((node, index) => {
      const lines = this.#block(node, width, inside)
      return index === 0 || node.type.endsWith('List') ? lines : ['', ...lines]
    })
  }

  #cells(table: DocumentNode, parents: Parents): PlainCell[][] {
    return (table.content ?? []).map((row) =>
      (row.content ?? []).map((cell) => ({
        text: this.blocks(cell.content ?? [], 10_000, [...parents, table, row, cell])
          .map((line) => line.trim())
          .filter((line) => line !== '')
          .join('\n'),
        head: cell.type === 'tableHeader',
        align: textOf(cell, 'align') || textOf(cell.content?.[0] ?? cell, 'textAlign'),
        colspan: numberOf(cell, 'colspan', 1),
        rowspan: numberOf(cell, 'rowspan', 1),
      })),
    )
  }

  #callout(node: DocumentNode, width: number, parents: Parents): string[] {
    const lines = this.blocks(node.content ?? [], width - 2, [...parents, node])
    return prefixed([`[${this.options.t(`document.${toneOf(node)}`)}]`, ...lines], '| ')
  }

  #sponsor(node: DocumentNode, width: number): string[] {
    const { t } = this.options
    const picture = imageOf(node)
    const words = [
      textOf(node, 'name'),
      picture?.alt ? `[${this.#named(t('document.image'), picture.alt)}]` : '',
      textOf(node, 'text'),
      `${textOf(node, 'label')} ${this.#number(textOf(node, 'target'), linkIdOf(node))}`,
    ].filter(Boolean)
    const lines = words.flatMap((part) => part.split('\n').flatMap((line) => wrap(line, width - 2)))
    return prefixed([`[${textOf(node, 'disclosure')}]`, ...lines], '| ')
  }

  #mediaOrButton(node: DocumentNode): string {
    const { t, link } = this.options
    if (node.type === 'image') return this.#image(node)
    if (node.type === 'video') {
      return `[${this.#named(t('document.video'), textOf(node, 'title'))}] ${link(textOf(node, 'url'))}`
    }
    if (node.type !== 'button' || !textOf(node, 'href')) return ''
    return `» ${this.#named(textOf(node, 'label'), link(textOf(node, 'href')))}`
  }

  /** “Image: four boats”, with the colon as the language needs it; one of the two when the other is empty. */
  #named(name: string, value: string): string {
    return value && name ? this.options.t('document.named', { name, value }) : name || value
  }

  #image(node: DocumentNode): string {
    const href = textOf(node, 'href')
    const picture = `[${this.#named(this.options.t('document.image'), textOf(node, 'alt'))}]`
    const caption = textOf(node, 'caption')
    return `${picture}${href ? ` ${this.#number(href)}` : ''}${caption ? `\n${caption}` : ''}`
  }
}

/** The words between two signs; spaces at their ends stay outside. */
function around(sign: string, inner: string[]): string {
  const words = inner.join('')
  const bare = words.trim()
  return bare === '' ? words : words.replace(bare, () => `${sign}${bare}${sign}`)
}

/** Superscript or subscript characters where Unicode has all of them, else `^(…)` or `_(…)`. */
function shifted(words: string, table: Readonly<Record<string, string>>, sign: string): string {
  const moved = [...words].map((character) => table[character])
  return moved.every((character) => character !== undefined) ? moved.join('') : `${sign}(${words})`
}

function ordinal(list: DocumentNode, index: number): string {
  const number = numberOf(list, 'start', 1) + index
  const type = textOf(list, 'type')
  if (type !== 'a' && type !== 'A') return String(number)
  const letter = String.fromCharCode(97 + ((number + 25) % 26))
  return type === 'A' ? letter.toUpperCase() : letter
}
