import { useTranslation } from 'react-i18next'
import { scaleOf } from '../../analytics/dashboard/growth-scale.ts'
import classes from './figures.module.css'
import { balanceOf, movementKinds, type Point } from './movement-kinds.ts'
import { useMoney } from './use-money.ts'

const HEIGHT = 216
const TOP = 24

interface Props {
  currency: string
  points: Point[]
  /** Those of the range before, which are shown paler. */
  before: Point[]
  /** Where the columns begin, and how wide each is, in pixels. */
  left: number
  step: number
  label: string
}

/** What came and what went in each month or day: above the line what was added, below it what was lost. The table has the same numbers. */
export function MovementsChart({ currency, points, before, left, step, label }: Props) {
  const money = useMoney(currency)
  const { t } = useTranslation()
  const all = [...before, ...points]
  const above = (point: Point) => sumOf(point, (value) => value > 0)
  const below = (point: Point) => -sumOf(point, (value) => value < 0)
  const units = (values: number[]) => Math.max(...values.map(money.monthlyUnits), 0)
  const { high, lines } = scaleOf([0, units(all.map(above))])
  const unit = lines[0] ?? 1
  const low = Math.ceil(units(all.map(below)) / unit) * unit
  const y = (value: number) => TOP + ((high - value) / (high + low)) * (HEIGHT - TOP - 6)
  const bar = Math.max(2, Math.min(26, step * 0.4))
  const end = left + all.length * step
  const marks = [...lines, ...Array.from({ length: Math.round(low / unit) }, (_, index) => -(index + 1) * unit)]
  return (
    <svg width={end + 70} height={HEIGHT} role="img" aria-label={label} className={classes.chart}>
      <rect
        x={left + before.length * step}
        y={0}
        width={points.length * step}
        height={HEIGHT}
        fill="var(--tirage-canvas)"
      />
      {marks.map((value) => (
        <g key={value}>
          <line x1={left} x2={end} y1={y(value)} y2={y(value)} stroke="var(--tirage-line)" />
          <text x={end + 10} y={y(value) + 4}>
            {money.signedOfUnits(value)}
          </text>
        </g>
      ))}
      <line x1={left} x2={end} y1={y(0)} y2={y(0)} stroke="var(--tirage-ink)" />
      {all.map((point, index) => {
        const x = left + (index + 0.5) * step
        const balance = y(money.monthlyUnits(balanceOf(point)))
        return (
          <g key={point.since}>
            <g opacity={index < before.length ? 0.42 : 1}>
              {stackOf(point).map(({ kind, colour, from, to }) => (
                <rect
                  key={kind}
                  x={x - bar / 2}
                  width={bar}
                  y={y(money.monthlyUnits(Math.max(from, to)))}
                  height={y(money.monthlyUnits(Math.min(from, to))) - y(money.monthlyUnits(Math.max(from, to)))}
                  fill={colour}
                />
              ))}
            </g>
            {step > 12 && (
              <>
                <path d={`M${x - bar * 0.7} ${balance}h${bar * 1.4}`} stroke="var(--tirage-surface)" strokeWidth={5} />
                <path d={`M${x - bar * 0.7} ${balance}h${bar * 1.4}`} stroke="var(--tirage-ink)" strokeWidth={2} />
              </>
            )}
          </g>
        )
      })}
      {before.length > 0 && points.length * step > 150 && (
        <text x={left + 10} y={14}>
          {t('figures.rangeBefore')}
        </text>
      )}
      {points.length * step > 90 && (
        <text x={left + before.length * step + 10} y={14} className={classes.strong}>
          {t('figures.thisRange')}
        </text>
      )}
    </svg>
  )
}

const sumOf = (point: Point, counts: (value: number) => boolean): number =>
  movementKinds.reduce((sum, { kind }) => (counts(point[kind]) ? sum + point[kind] : sum), 0)

/** The pieces of a bar, each from where the one before ends. */
function stackOf(point: Point) {
  let [above, below] = [0, 0]
  return movementKinds.flatMap(({ kind, colour }) => {
    const value = point[kind]
    if (value === 0) return []
    const from = value > 0 ? above : below
    if (value > 0) above += value
    else below += value
    return [{ kind, colour, from, to: from + value }]
  })
}
