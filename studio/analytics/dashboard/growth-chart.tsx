import { useElementSize } from '@mantine/hooks'
import { type PointerEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../format.ts'
import type { Dashboard } from '../queries.ts'
import classes from './growth-chart.module.css'
import { endToEndLabels, scaleOf } from './growth-scale.ts'

const HEIGHT = 216
const TOP = 22
const BASE = 186
const AXIS = 44
/** For a date, of some 48 pixels, and the space to the next one. */
const LABEL_ROOM = 96
/** With the year, which only a chart of several has. */
const YEAR_LABEL_ROOM = 136

type Growth = Dashboard['growth']

/** Subscribers by day as a line. A tick on the baseline marks a day on which a publication was sent. */
export function GrowthChart({ growth, aside }: { growth: Growth; aside: ReactNode }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { ref, width: measured } = useElementSize()
  const [pointed, setPointed] = useState<number | null>(null)
  const width = measured || 752
  const plot = width - AXIS
  const first = growth[0]
  const last = growth.at(-1)
  if (!first || !last) return null
  const scale = scaleOf(growth.map(({ subscribers }) => subscribers))
  const x = (day: number) => (growth.length > 1 ? (day / (growth.length - 1)) * plot : plot)
  const y = (value: number) => BASE - ((value - scale.low) / (scale.high - scale.low)) * (BASE - TOP)
  const line = growth
    .map(({ subscribers }, day) => `${day ? 'L' : 'M'}${x(day).toFixed(1)} ${y(subscribers).toFixed(1)}`)
    .join('')
  const point = (event: PointerEvent<SVGSVGElement>) => {
    const share = (event.clientX - event.currentTarget.getBoundingClientRect().left) / plot
    setPointed(Math.max(0, Math.min(growth.length - 1, Math.round(share * (growth.length - 1)))))
  }
  const isOfOneYear = first.day.slice(0, 4) === last.day.slice(0, 4)
  const dayName = isOfOneYear ? format.calendarDay : format.calendarDayOfYear
  const labels = endToEndLabels(growth.length, Math.floor(plot / (isOfOneYear ? LABEL_ROOM : YEAR_LABEL_ROOM)))
  const numbers = { from: format.number(first.subscribers), to: format.number(last.subscribers) }
  return (
    <div ref={ref} className={classes.chart}>
      <svg
        viewBox={`0 0 ${width} ${HEIGHT}`}
        width={width}
        height={HEIGHT}
        role="img"
        aria-label={t('dashboard.chart', {
          ...numbers,
          start: dayName(first.day),
          end: dayName(last.day),
        })}
        onPointerMove={point}
        onPointerLeave={() => setPointed(null)}
      >
        {scale.lines.map((value) => (
          <g key={value}>
            <line x2={plot} y1={y(value)} y2={y(value)} stroke="var(--tirage-line)" />
            <text x={width} y={y(value) + 4} textAnchor="end">
              {format.number(value)}
            </text>
          </g>
        ))}
        {/* A filled area is read as a share of the whole, which it is only from zero on. */}
        {scale.low === 0 && (
          <path d={`${line}L${plot} ${BASE}L${x(0)} ${BASE}Z`} fill="var(--tirage-v1)" opacity={0.07} />
        )}
        <path d={line} fill="none" stroke="var(--tirage-v1)" strokeWidth={1.75} strokeLinejoin="round" />
        <line x2={plot} y1={BASE} y2={BASE} stroke="var(--tirage-ink)" />
        {scale.low > 0 && (
          <text x={width} y={BASE + 4} textAnchor="end">
            {format.number(scale.low)}
          </text>
        )}
        {growth.map(({ day, sent }, i) =>
          sent.length > 0 ? (
            <line key={day} x1={x(i)} x2={x(i)} y1={BASE} y2={BASE - 6} stroke="var(--tirage-ink)" strokeWidth={1.5} />
          ) : null,
        )}
        {labels.map((day, i) => (
          <text
            key={day}
            x={x(day)}
            y={206}
            textAnchor={i === labels.length - 1 ? 'end' : i === 0 ? 'start' : 'middle'}
          >
            {dayName(growth[day]?.day)}
          </text>
        ))}
        {pointed !== null && <line x1={x(pointed)} x2={x(pointed)} y1={TOP} y2={BASE} stroke="var(--tirage-line2)" />}
        <circle
          cx={x(pointed ?? growth.length - 1)}
          cy={y(growth[pointed ?? growth.length - 1]?.subscribers ?? 0)}
          r={7}
          fill="var(--tirage-v1)"
          opacity={0.16}
        />
        <circle
          cx={x(pointed ?? growth.length - 1)}
          cy={y(growth[pointed ?? growth.length - 1]?.subscribers ?? 0)}
          r={3.2}
          fill="var(--tirage-v1)"
        />
      </svg>
      <p className={classes.legend}>
        <span>
          <Legend day={pointed === null ? null : (growth[pointed] ?? null)} from={scale.low} dayName={dayName} />
        </span>
        {aside}
      </p>
    </div>
  )
}

interface LegendProps {
  day: Growth[number] | null
  from: number
  dayName: (day: string | undefined) => string
}

function Legend({ day, from, dayName }: LegendProps) {
  const { t } = useTranslation()
  const format = useFormat()
  if (day)
    return (
      <>
        <b>{format.number(day.subscribers)}</b> {[dayName(day.day), ...day.sent].join(', ')}
      </>
    )
  return (
    <>
      <svg width="10" height="8" aria-hidden="true">
        <path d="M5 8V0" stroke="var(--tirage-ink)" strokeWidth="1.5" />
      </svg>
      {t('dashboard.tick')}
      {from > 0 && ` ${t('dashboard.axis', { number: format.number(from) })}`}
    </>
  )
}
