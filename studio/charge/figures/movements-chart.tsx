import { useTranslation } from 'react-i18next'
import classes from './figures.module.css'
import { balanceOf, movementKinds, type Point } from './movement-kinds.ts'
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
}

/** What came and what went in each month or day: above the line what was added, below it what was lost. The table has the same numbers. */
export function MovementsChart({ currency, points, before, left, step, label }: Props) {
  const money = useMoney(currency)
  const { t } = useTranslation()
  const all = [...before, ...points]
  const bars = all.map((point, index) => ({
    key: point.since,
    faded: index < before.length,
    pieces: movementKinds.map(({ kind, colour }) => ({ key: kind, colour, value: money.monthlyUnits(point[kind]) })),
    mark: money.monthlyUnits(balanceOf(point)),
  }))
  return (
    <svg width={left + all.length * step + 70} height={HEIGHT} role="img" aria-label={label} className={classes.chart}>
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
    </svg>
  )
}
