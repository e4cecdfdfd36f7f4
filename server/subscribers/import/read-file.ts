import { setImmediate } from 'node:timers/promises'
import { importLimits } from './contract.ts'
import { type CsvRow, CsvRows, TooManyBroken } from './csv-rows.ts'
import type { Encoding } from './file/contract.ts'
import { beginningOf, lineEndOf, RefusedFile } from './sheet.ts'

interface File {
  parts: AsyncIterable<Buffer>
  encoding: Encoding
  delimiter: string
  hasHeader: boolean
}

/** Bytes that are read before others get their turn. */
const PIECE_BYTES = 65_536

/**
 * The rows of a file in groups, without its header, and how many bytes were read.
 * @throws RefusedFile when it has too many rows, or its quotes do not fit together
 */
export async function* readFile({
  parts,
  encoding,
  delimiter,
  hasHeader,
}: File): AsyncGenerator<{ rows: CsvRow[]; bytes: number }> {
  const decoder = new TextDecoder(encoding)
  let reader: CsvRows | null = null
  let bytes = 0
  let header = hasHeader
  let count = 0
  const bounded = (rows: CsvRow[]): CsvRow[] => {
    const body = header && rows.length > 0 ? rows.slice(1) : rows
    if (rows.length > 0) header = false
    count += body.length
    if (count > importLimits.rows) throw new RefusedFile('too_many_rows')
    return body
  }
  try {
    for await (const part of parts) {
      reader ??= new CsvRows(delimiter, lineEndOf(beginningOf(part, encoding)))
      for (let at = 0; at < part.length; at += PIECE_BYTES) {
        const piece = part.subarray(at, at + PIECE_BYTES)
        bytes += piece.length
        yield { rows: bounded(reader.push(decoder.decode(piece, { stream: true }))), bytes }
        await setImmediate()
      }
    }
    if (reader) yield { rows: bounded([...reader.push(decoder.decode()), ...reader.end()]), bytes }
  } catch (error) {
    if (error instanceof TooManyBroken) throw new RefusedFile('broken_quotes', error.line)
    throw error
  }
  if (count === 0) throw new RefusedFile('only_header')
}
