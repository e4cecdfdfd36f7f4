import fc from 'fast-check'
import { expect, test } from 'vitest'
import { importLimits } from './contract.ts'
import { type CsvRow, CsvRows, TooManyBroken } from './csv-rows.ts'

/** Reads a text in pieces of so many characters. */
function read(text: string, { piece = 7, delimiter = ',', endsWith = '\n' as '\n' | '\r' } = {}): CsvRow[] {
  const reader = new CsvRows(delimiter, endsWith)
  const rows: CsvRow[] = []
  for (let at = 0; at < text.length; at += piece) rows.push(...reader.push(text.slice(at, at + piece)))
  return [...rows, ...reader.end()]
}

const cells = (text: string, options = {}) => read(text, options).map((row) => row.cells)

test('what was written as RFC 4180 says is read again, in pieces of any size', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', ';', '\n', '\r', ' ', '😀', '='), maxLength: 6 })
  const row = fc.array(cell, { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(
      fc.array(row, { maxLength: 6 }),
      fc.integer({ min: 1, max: 20 }),
      fc.constantFrom('\n', '\r\n'),
      (rows, piece, end) => {
        const text = rows
          .map((each) => each.map((value) => `"${value.replaceAll('"', '""')}"`).join(',') + end)
          .join('')
        expect(cells(text, { piece })).toEqual(rows)
      },
    ),
    { numRuns: 1_000 },
  )
})

test('cells without quotes are read as they stand', () => {
  const cell = fc
    .string({ unit: fc.constantFrom('a', 'b', '"', ' ', "'", '='), minLength: 1, maxLength: 5 })
    .map((text) => `x${text}`)
  fc.assert(
    fc.property(
      fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 5 }),
      fc.integer({ min: 1, max: 9 }),
      (rows, piece) => {
        expect(cells(rows.map((row) => row.join(';')).join('\n'), { piece, delimiter: ';' })).toEqual(rows)
      },
    ),
  )
})

test('nothing of a file is lost or read twice, whatever it holds', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r'), maxLength: 60 })
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 11 }), (given, piece) => {
      expect(read(given, { piece })).toEqual(read(given, { piece: given.length + 1 }))
      const lines = read(given, { piece }).map(({ line }) => line)
      expect(lines).toEqual([...new Set(lines)].toSorted((a, b) => a - b))
    }),
    { numRuns: 3_000 },
  )
})

test.each<[string, string, { line: number; cells: string[]; fault: string | null; raw?: string }[]]>([
  [
    'lines count on within quotes',
    '"a\nb",c\nd,e\n',
    [
      { line: 1, cells: ['a\nb', 'c'], fault: null },
      { line: 3, cells: ['d', 'e'], fault: null },
    ],
  ],
  [
    'empty lines are no rows',
    'a\n\n\r\nb',
    [
      { line: 1, cells: ['a'], fault: null },
      { line: 4, cells: ['b'], fault: null },
    ],
  ],
  [
    'text after a quote',
    '"a"b,c\nd\n',
    [
      { line: 1, cells: [], fault: 'broken_quotes', raw: '"a"b,c' },
      { line: 2, cells: ['d'], fault: null },
    ],
  ],
  [
    'a quote that is never closed spoils its own line',
    '"a,b\nc,d\n',
    [
      { line: 1, cells: [], fault: 'broken_quotes', raw: '"a,b' },
      { line: 2, cells: ['c', 'd'], fault: null },
    ],
  ],
  ['spaces after a quote', '"a" ,b\n', [{ line: 1, cells: ['a', 'b'], fault: null }]],
])('%s', (_, text, rows) => {
  expect(read(text)).toEqual(rows)
})

test('files of old Macs', () =>
  expect(cells('a,"b"\rc,d\r', { endsWith: '\r' })).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]))

test('a line that is too long is one fault, and costs no memory', () => {
  const reader = new CsvRows(',')
  const piece = 'x'.repeat(100_000)
  const faults = Array.from({ length: 1_000 }, () => reader.push(piece)).flat()
  faults.push(...reader.push('\na,b\n'))
  expect(faults).toEqual([
    { line: 1, cells: [], fault: 'line_too_long', raw: 'x'.repeat(200) },
    { line: 2, cells: ['a', 'b'], fault: null },
  ])
})

test('a file in which every line opens a quote is refused in time', () => {
  const reader = new CsvRows(',')
  const line = `"${'x'.repeat(1_000)}\n`
  expect(() => {
    for (let n = 0; n < 100_000; n++) reader.push(line.replaceAll('\n', `,"${n}\n`))
  }).toThrow(TooManyBroken)
  expect(importLimits.rowLength).toBe(64_000)
})
