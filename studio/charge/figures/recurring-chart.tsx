import { useElementSize } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { scaleOf, spreadLabels } from '../../analytics/dashboard/growth-scale.ts'
import { useFormat } from '../../format.ts'
import classes from './figures.module.css'
import { movementKinds, type Point } from './movement-kinds.ts'
import { useMoney } from './use-money.ts'

const AXIS = 64
const [TOP, LINE_BASE, BARS_TOP, BARS_BASE, HEIGHT] = [12, 116, 144, 184, 256]
const BARS_FOOT = 2 * BARS_BASE - BARS_TOP

/** The recurring revenue as a line, and below it what came and went in each month. */
export function RecurringChart({ points, currency }: { points: Point[]; currency: string }) {
  const { t } = useTranslation()
  const { locale } = useFormat()
  const money = useMoney(currency)
  const { ref, width: measured } = useElementSize()
  const width = measured || 690
  const step = (width - AXIS) / Math.max(1, points.length)
  const ends = points.map(({ end }) => money.monthlyUnits(end))
  const scale = scaleOf([0, ...ends])
  const x = (index: number) => (index + 0.5) * step
  const y = (value: number) => LINE_BASE - (value / scale.high) * (LINE_BASE - TOP)
  const most = Math.max(...points.flatMap((point) => [added(point), -lost(point)]))
  const { high: barsHigh } = scaleOf([0, money.monthlyUnits(most)])
  const axis = [
    ...[0, ...scale.lines].map((value) => ({ at: y(value), label: money.ofUnits(value) })),
    { at: BARS_TOP, label: money.signedOfUnits(barsHigh) },
    { at: BARS_BASE, label: money.ofUnits(0) },
    { at: BARS_FOOT, label: money.signedOfUnits(-barsHigh) },
  ]
  const bar = Math.min(26, step * 0.45)
  const height = (yearly: number) => (Math.abs(money.monthlyUnits(yearly)) / barsHigh) * (BARS_BASE - BARS_TOP)
  const month = new Intl.DateTimeFormat(locale, { month: 'short', timeZone: 'UTC' })
  const last = points.at(-1)
  return (
    <div ref={ref}>
      <svg
        width={width}
        height={HEIGHT}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="img"
        aria-label={t('figures.overviewChart', { to: money.monthly(last?.end ?? 0) })}
        className={classes.chart}
      >
        {axis.map(({ at, label }) => (
          <g key={at}>
            <line x2={width - AXIS} y1={at} y2={at} stroke="var(--tirage-line)" />
            <text x={width} y={at + 4} textAnchor="end">
              {label}
            </text>
          </g>
        ))}
        <path
          d={ends.map((end, index) => `${index ? 'L' : 'M'}${x(index).toFixed(1)} ${y(end).toFixed(1)}`).join('')}
          fill="none"
          stroke="var(--tirage-v1)"
          strokeWidth={1.75}
        />
        {ends.map((end, index) => (
          <circle
            key={points[index]?.since}
            cx={x(index)}
            cy={y(end)}
            r={index === ends.length - 1 ? 4 : 2}
            fill="var(--tirage-v1)"
          />
        ))}
        {last && (
          <text
            x={x(points.length - 1) + bar / 2}
            y={y(money.monthlyUnits(last.end)) - 10}
            textAnchor="end"
            className={classes.strong}
          >
            {money.monthly(last.end)}
          </text>
        )}
        <line x2={width - AXIS} y1={BARS_BASE} y2={BARS_BASE} stroke="var(--tirage-ink)" />
        {points.map((point, index) => {
          let [above, below] = [BARS_BASE, BARS_BASE]
          return movementKinds.map(({ kind, colour }) => {
            const size = height(point[kind])
            if (point[kind] > 0) above -= size
            const top = point[kind] > 0 ? above : below
            if (point[kind] < 0) below += size
            return (
              <rect key={kind + point.since} x={x(index) - bar / 2} y={top} width={bar} height={size} fill={colour} />
            )
          })
        })}
        {spreadLabels(points.length, width < 480 ? 4 : 12).map((index) => (
          <text key={index} x={x(index)} y={HEIGHT - 4} textAnchor="middle">
            {month.format(new Date(points[index]?.since ?? 0))}
          </text>
        ))}
      </svg>
    </div>
  )
}

const added = (point: Point) => movementKinds.reduce((sum, { kind }) => sum + Math.max(0, point[kind]), 0)
const lost = (point: Point) => movementKinds.reduce((sum, { kind }) => sum + Math.min(0, point[kind]), 0)
