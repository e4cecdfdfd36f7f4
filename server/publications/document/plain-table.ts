import { columns, padded, prefixed, wrap } from '../../email/plain-lines.ts'

export interface PlainCell {
  text: string
  head: boolean
  align: string
  colspan: number
  rowspan: number
}

const gap = '  '

/** Lines of a table: its columns side by side if they fit into `width` characters, else each row as `header: value` lines. */
export function plainTable(rows: PlainCell[][], width: number): string[] {
  const grid = gridOf(rows)
  const count = Math.max(0, ...grid.map((row) => row.length))
  if (count === 0) return []
  const widths = Array.from({ length: count }, (_, index) =>
    Math.max(1, ...grid.map((row) => columns(row[index]?.text.replaceAll('\n', ' ') ?? ''))),
  )
  const total = widths.reduce((sum, each) => sum + each, 0) + gap.length * (count - 1)
  return total <= width ? sideBySide(grid, widths) : oneBelowAnother(grid, width)
}

type Grid = (PlainCell | null)[][]

/** Puts every cell in its column. The places that a cell spans beside its own are null. */
function gridOf(rows: PlainCell[][]): Grid {
  const grid: Grid = rows.map(() => [])
  rows.forEach((row, y) => {
    let x = 0
    for (const cell of row) {
      while (grid[y]?.[x] !== undefined) x += 1
      placeCell(grid, cell, { top: y, left: x })
      x += cell.colspan
    }
  })
  return grid.map((row) => Array.from(row, (cell) => cell ?? null))
}

function placeCell(grid: Grid, cell: PlainCell, { top, left }: { top: number; left: number }): void {
  for (let y = top; y < Math.min(grid.length, top + cell.rowspan); y += 1) {
    for (let x = left; x < left + cell.colspan; x += 1) {
      const row = grid[y]
      if (row) row[x] = y === top && x === left ? cell : null
    }
  }
}

const isHead = (row: Grid[number] | undefined): boolean =>
  row?.some((cell) => cell !== null) === true && row.every((cell) => cell === null || cell.head)

function sideBySide(grid: Grid, widths: number[]): string[] {
  return grid.flatMap((row, index) => {
    const line = widths
      .map((width, x) => padded((row[x]?.text ?? '').replaceAll('\n', ' '), width, row[x]?.align ?? 'left'))
      .join(gap)
      .trimEnd()
    const underlined = isHead(row) && index === 0
    return underlined ? [line, widths.map((width) => '-'.repeat(width)).join(gap)] : [line]
  })
}

function oneBelowAnother(grid: Grid, width: number): string[] {
  const head = isHead(grid[0]) && grid.length > 1 ? grid[0] : undefined
  const rows = head ? grid.slice(1) : grid
  const lines = rows.flatMap((row) => [
    ...row.flatMap((cell, x) => {
      if (!cell) return []
      const label = head?.[x]?.text.replaceAll('\n', ' ')
      return prefixed(wrap(`${label ? `${label}: ` : ''}${cell.text}`, width - 2), '', '  ')
    }),
    '',
  ])
  return lines.slice(0, -1)
}
