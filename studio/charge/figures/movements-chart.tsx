import { useTranslation } from 'react-i18next'
import { spreadLabels } from '../../analytics/dashboard/growth-scale.ts'
import classes from './figures.module.css'
import { balanceOf, hasMoved, movementKinds, type Point } from './movement-kinds.ts'
import { HEIGHT, SignedBars } from './signed-bars.tsx'
import { useMoney } from './use-money.ts'

interface Props {
  currency: string
  points: Point[]
  /** Those of the range before, which are shown paler. */
  before: Point[]
  /** Where the columns begin, and how wide each is, in pixels. */
  left: number
  step: number
  label: string
  /** Names columns on the line below, where no table does. */
  name?: (point: Point) => string
}

/** What came and what went in each month or day: above the line what was added, below it what was lost. The table has the same numbers. */
export function MovementsChart({ currency, points, before, left, step, label, name }: Props) {
  const money = useMoney(currency)
  const { t } = useTranslation()
  const all = [...before, ...points]
  const width = left + all.length * step
  const bars = all.map((point, index) => ({
    key: point.since,
    faded: index < before.length,
    pieces: movementKinds.map(({ kind, colour }) => ({ key: kind, colour, value: money.monthlyUnits(point[kind]) })),
    ...(hasMoved(point) && { mark: money.monthlyUnits(balanceOf(point)) }),
  }))
  return (
    <svg
      width={width + 70}
      height={name ? HEIGHT + 24 : HEIGHT}
      role="img"
      aria-label={label}
      className={classes.chart}
    >
      <rect
        x={left + before.length * step}
        y={0}
        width={points.length * step}
        height={HEIGHT}
        fill="var(--tirage-canvas)"
      />
      <SignedBars bars={bars} left={left} step={step} write={money.signedOfUnits} />
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
      {name &&
        spreadLabels(all.length, Math.floor(width / 70)).map((index) => (
          <text key={index} x={left + (index + 0.5) * step} y={HEIGHT + 18} textAnchor="middle">
            {all[index] && name(all[index])}
          </text>
        ))}
    </svg>
  )
}
