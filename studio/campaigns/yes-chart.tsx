import { useElementSize } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { scaleOf } from '../analytics/dashboard/growth-scale.ts'
import { useFormat } from '../format.ts'
import classes from './campaigns.module.css'

const [TOP, BASE, HEIGHT, AXIS] = [8, 150, 178, 52]
const DAY_MS = 86_400_000

interface Props {
  days: { day: string; confirmed: number }[]
  /** The days of the axis, if they are others than those of the first and the last yes. */
  range?: { from: string; to: string }
}

/** How many said yes up to each day; nothing for fewer than two days with a yes. */
export function YesChart({ days, range }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const { ref, width: measured } = useElementSize()
  const width = (measured || 690) - AXIS
  const first = Date.parse(range?.from ?? days[0]?.day ?? '')
  const last = Date.parse(range?.to ?? days.at(-1)?.day ?? '') + DAY_MS
  if (days.length < 2) return null
  let sum = 0
  const steps = days.map(({ day, confirmed }) => {
    sum += confirmed
    return { x: ((Date.parse(day) - first) / (last - first)) * width, sum }
  })
  const { high, lines } = scaleOf([0, sum])
  const y = (value: number) => BASE - (value / high) * (BASE - TOP)
  const path = steps.map(({ x, sum: value }) => `H${x} V${y(value)}`).join(' ')
  return (
    <div ref={ref}>
      <svg
        width={width + AXIS}
        height={HEIGHT}
        role="img"
        className={classes.chart}
        aria-label={t('campaigns.chartText', { confirmed: format.number(sum) })}
      >
        {lines.map((value) => (
          <g key={value}>
            <line x2={width} y1={y(value)} y2={y(value)} stroke="var(--tirage-line)" />
            <text x={width + AXIS} y={y(value) + 4} textAnchor="end">
              {format.number(value)}
            </text>
          </g>
        ))}
        <path d={`M0 ${BASE} ${path} H${width} V${BASE} Z`} fill="var(--tirage-v1)" fillOpacity="0.07" />
        <path d={`M0 ${BASE} ${path} H${width}`} fill="none" stroke="var(--tirage-v1)" strokeWidth="2" />
        <circle cx={width} cy={y(sum)} r="4" fill="var(--tirage-v1)" />
        <line x2={width} y1={BASE} y2={BASE} stroke="var(--tirage-ink)" />
        <text x={0} y={HEIGHT - 6}>
          {format.calendarDay(new Date(first).toISOString())}
        </text>
        <text x={width} y={HEIGHT - 6} textAnchor="end">
          {format.calendarDay(new Date(last - DAY_MS).toISOString())}
        </text>
      </svg>
    </div>
  )
}
