import classes from './totals.module.css'

const [WIDTH, HEIGHT] = [64, 22]
const EDGE = 2.5

/** How a figure went, without numbers: they stand beside it. Nothing is drawn of fewer than two. */
export function Sparkline({ values }: { values: number[] }) {
  if (values.length < 2) return null
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const x = (place: number) => EDGE + (place / (values.length - 1)) * (WIDTH - 2 * EDGE)
  const y = (value: number) =>
    most === least ? HEIGHT / 2 : HEIGHT - EDGE - ((value - least) / (most - least)) * (HEIGHT - 2 * EDGE)
  const points = values.map((value, place) => `${x(place).toFixed(1)},${y(value).toFixed(1)}`)
  return (
    <svg
      className={classes.sparkline}
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      aria-hidden="true"
    >
      <polyline points={points.join(' ')} fill="none" stroke="currentColor" strokeWidth={1.25} strokeLinejoin="round" />
      <circle cx={x(values.length - 1)} cy={y(values.at(-1) ?? 0)} r={2} fill="currentColor" />
    </svg>
  )
}
