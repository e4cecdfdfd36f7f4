import { scaleOf } from '../../analytics/dashboard/growth-scale.ts'

export const HEIGHT = 216
const TOP = 24

export interface Bar {
  key: string
  faded?: boolean
  /** In units of the axis; below the line when negative. Each piece begins where the one before ends. */
  pieces: { key: string; colour: string; value: number }[]
  /** A mark on both sides of the bar, or across where there is none, such as its balance, or what was agreed. */
  mark?: number
}

/** The part of a chart that has columns above and below a line. */
export function SignedBars({ bars, left, step, write }: BarsProps) {
  const above = bars.map(({ pieces, mark = 0 }) =>
    Math.max(
      mark,
      sumOf(pieces, (value) => value > 0),
    ),
  )
  const below = bars.map(({ pieces }) => -sumOf(pieces, (value) => value < 0))
  const { high, lines } = scaleOf([0, Math.max(...above, 0)])
  const unit = lines[0] ?? 1
  const low = Math.ceil(Math.max(...below, 0) / unit) * unit
  const y = (value: number) => TOP + ((high - value) / (high + low)) * (HEIGHT - TOP - 6)
  const width = Math.max(2, Math.min(26, step * 0.4))
  const tick = Math.min(7, step * 0.2)
  const end = left + bars.length * step
  const marks = [...lines, ...Array.from({ length: Math.round(low / unit) }, (_, index) => -(index + 1) * unit)]
  return (
    <>
      {marks.map((value) => (
        <g key={value}>
          <line x1={left} x2={end} y1={y(value)} y2={y(value)} stroke="var(--tirage-line)" />
          <text x={end + 10} y={y(value) + 4}>
            {write(value)}
          </text>
        </g>
      ))}
      <line x1={left} x2={end} y1={y(0)} y2={y(0)} stroke="var(--tirage-ink)" />
      <text x={end + 10} y={y(0) + 4}>
        0
      </text>
      {bars.map(({ key, faded, pieces, mark }, index) => {
        const x = left + (index + 0.5) * step
        return (
          <g key={key}>
            <g opacity={faded ? 0.42 : 1}>
              {stackOf(pieces).map((piece) => (
                <rect
                  key={piece.key}
                  x={x - width / 2}
                  width={width}
                  y={y(Math.max(piece.from, piece.to))}
                  height={y(Math.min(piece.from, piece.to)) - y(Math.max(piece.from, piece.to))}
                  fill={piece.colour}
                />
              ))}
            </g>
            {mark !== undefined && step > 12 && (
              <path
                d={`M${x - width / 2 - 1 - tick} ${y(mark)}${isBare(pieces) ? `h${width + 2 + 2 * tick}` : `h${tick}m${width + 2} 0h${tick}`}`}
                stroke="var(--tirage-ink)"
                strokeWidth={2}
              />
            )}
          </g>
        )
      })}
    </>
  )
}

interface BarsProps {
  bars: Bar[]
  /** Where the columns begin, and how wide each is, in pixels. */
  left: number
  step: number
  /** A value of the axis in words. */
  write: (value: number) => string
}

const isBare = (pieces: Bar['pieces']): boolean => pieces.every(({ value }) => value === 0)

const sumOf = (pieces: Bar['pieces'], counts: (value: number) => boolean): number =>
  pieces.reduce((sum, { value }) => (counts(value) ? sum + value : sum), 0)

function stackOf(pieces: Bar['pieces']) {
  let [above, below] = [0, 0]
  return pieces.flatMap(({ key, colour, value }) => {
    if (value === 0) return []
    const from = value > 0 ? above : below
    if (value > 0) above += value
    else below += value
    return [{ key, colour, from, to: from + value }]
  })
}
