import { importLimits } from './contract.ts'

/** One row of a file, and the line on which it begins. */
export interface CsvRow {
  /** 1 is the first of the file. */
  line: number
  /** Empty when `fault` says why they cannot be told apart. */
  cells: string[]
  fault: 'broken_quotes' | 'line_too_long' | null
  /** With a fault, the beginning of the line as it stands in the file, by which it is found there. */
  raw?: string
}

const RAW_LENGTH = 200

/** Reads may wait for a closing quote only so often: each costs up to `rowLength` characters. */
const MOST_BROKEN = 1_000

/** The file cannot be read any further. */
export class TooManyBroken extends Error {
  constructor(readonly line: number) {
    super(`too many broken quotes up to line ${line}`)
  }
}

/**
 * Splits a file into rows and cells (RFC 4180), from pieces of text of any size. Rows end with LF, CR LF or, in files without LF,
 * CR. Empty lines are no rows.
 *
 * A row whose quotes do not fit together is given as broken, and reading goes on with the next line; so is one that is too long.
 * No more than a row and a piece are in memory, whatever the file holds.
 */
export class CsvRows {
  #text = ''
  #line = 1
  #skipping = false
  #broken = 0

  /** @param endsWith what ends a line: LF, or CR in files without one */
  constructor(
    private readonly delimiter: string,
    private readonly endsWith: '\n' | '\r' = '\n',
  ) {}

  /** The rows that end in the text so far. @throws TooManyBroken */
  push(piece: string): CsvRow[] {
    this.#text += piece
    return this.#take(false)
  }

  /** The rows that are left. @throws TooManyBroken */
  end(): CsvRow[] {
    return this.#take(true)
  }

  #take(isEnd: boolean): CsvRow[] {
    const rows: CsvRow[] = []
    const text = this.#text
    let at = 0
    let quote = text.indexOf('"')
    while (at < text.length) {
      const end = text.indexOf(this.endsWith, at)
      if (this.#skipping) {
        at = end < 0 ? text.length : end + 1
        if (end >= 0) this.#skipping = false
        if (end >= 0) this.#line += 1
        continue
      }
      const stop = end < 0 ? text.length : end
      if (stop - at > importLimits.rowLength) {
        rows.push({ line: this.#line, cells: [], fault: 'line_too_long', raw: text.slice(at, at + RAW_LENGTH) })
        this.#skipping = true
        continue
      }
      if (end < 0 && !isEnd) break
      while (quote >= 0 && quote < at) quote = text.indexOf('"', at)
      if (quote < 0 || quote >= stop) {
        const cells = text.slice(at, withoutReturn(text, at, stop))
        if (cells !== '') rows.push({ line: this.#line, cells: cells.split(this.delimiter), fault: null })
        at = stop + 1
        this.#line += 1
        continue
      }
      const row = this.#quoted(at, isEnd)
      if (row === 'more') break
      if (row.cells.length > 0) rows.push({ line: this.#line, cells: row.cells, fault: null })
      else {
        const raw = text.slice(at, Math.min(withoutReturn(text, at, stop), at + RAW_LENGTH))
        rows.push({ line: this.#line, cells: [], fault: 'broken_quotes', raw })
        if (++this.#broken > MOST_BROKEN) throw new TooManyBroken(this.#line)
      }
      this.#line += row.lines
      at = row.next
    }
    this.#text = text.slice(at)
    return rows
  }

  /** A row with quotes, cell by cell. Without cells it is broken, and the next one begins on the next line. */
  #quoted(begin: number, isEnd: boolean): { cells: string[]; next: number; lines: number } | 'more' {
    const text = this.#text
    const cells: string[] = []
    let lines = 1
    let at = begin
    const broken = () => {
      const end = text.indexOf(this.endsWith, begin)
      return { cells: [], next: end < 0 ? text.length : end + 1, lines: 1 }
    }
    for (;;) {
      if (text[at] === '"') {
        const close = closingQuote(text, at + 1)
        if (close < 0 || (close === text.length - 1 && !isEnd)) {
          // A quote at the very end may be the first of two.
          const tooLong = text.length - begin > importLimits.rowLength
          return isEnd || tooLong ? broken() : 'more'
        }
        const cell = text.slice(at + 1, close)
        for (let end = cell.indexOf(this.endsWith); end >= 0; end = cell.indexOf(this.endsWith, end + 1)) lines += 1
        cells.push(cell.includes('"') ? cell.replaceAll('""', '"') : cell)
        at = close + 1
        while (text[at] === ' ') at += 1
      } else {
        const end = this.#cellEnd(at)
        cells.push(text.slice(at, text[end] === '\n' ? withoutReturn(text, at, end) : end))
        at = end
      }
      if (at - begin > importLimits.rowLength) return broken()
      const next = text[at]
      if (next === this.delimiter) at += 1
      else if (next === this.endsWith) return { cells, next: at + 1, lines }
      else if (next === '\r' && text[at + 1] === '\n') return { cells, next: at + 2, lines }
      else if (next === undefined || (next === '\r' && at === text.length - 1))
        return isEnd ? { cells, next: text.length, lines } : 'more'
      else return broken()
    }
  }

  /** Where the cell that begins at `at` ends, which has no quotes around it. */
  #cellEnd(at: number): number {
    const ends = [this.delimiter, this.endsWith].map((end) => this.#text.indexOf(end, at)).filter((end) => end >= 0)
    return ends.length > 0 ? Math.min(...ends) : this.#text.length
  }
}

/** The place of the quote that ends a cell, or -1. Two in a row stand for one. */
function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at
  }
  return -1
}

const withoutReturn = (text: string, begin: number, end: number) =>
  end > begin && text[end - 1] === '\r' ? end - 1 : end
