import { useElementSize } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { dateFormat } from '../../server/languages.ts'
import { scaleOf, spreadLabels } from '../analytics/dashboard/growth-scale.ts'
import { useFormat } from '../format.ts'
import classes from './links.module.css'
import type { LinkFigures } from './queries.ts'

const [TOP, BASE, HEIGHT, AXIS] = [8, 150, 178, 52]
const STEP_MS = { hour: 3_600_000, day: 86_400_000 } as const

/** Clicks of people and, hatched above them, those that a rule excluded. Hours and days without clicks are there too. */
export function ClicksChart({
  figures: { points, range, inRange },
}: {
  figures: Pick<LinkFigures, 'points' | 'range' | 'inRange'>
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const { ref, width: measured } = useElementSize()
  const width = measured || 690
  const steps = stepsOf(range)
  const known = new Map(points.map((point) => [point.since, point]))
  const bars = steps.map((since) => known.get(since) ?? { since, raw: 0, human: 0 })
  const { high, lines } = scaleOf([0, ...bars.map(({ raw }) => raw)])
  const step = (width - AXIS) / Math.max(1, bars.length)
  const bar = Math.max(1, Math.min(22, step * 0.72))
  const height = (clicks: number) => (clicks / high) * (BASE - TOP)
  const label = dateFormat(format.locale, {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
    ...(range.from.slice(0, 4) !== range.to.slice(0, 4) && { year: 'numeric' }),
    ...(range.by === 'hour' && { hour: '2-digit', minute: '2-digit' }),
  })
  return (
    <div ref={ref}>
      <p className={classes.legend}>
        <span data-human>{t('links.humanShort')}</span>
        <span data-excluded>{t('links.excludedShort')}</span>
      </p>
      <svg
        width={width}
        height={HEIGHT}
        role="img"
        className={classes.chart}
        aria-label={t('links.chart', { human: format.number(inRange.human), raw: format.number(inRange.raw) })}
      >
        <defs>
          <pattern
            id="excluded-clicks"
            width="4"
            height="4"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect width="1.4" height="4" fill="var(--tirage-ink3)" />
          </pattern>
        </defs>
        {lines.map((value) => (
          <g key={value}>
            <line x2={width - AXIS} y1={BASE - height(value)} y2={BASE - height(value)} stroke="var(--tirage-line)" />
            <text x={width} y={BASE - height(value) + 4} textAnchor="end">
              {format.number(value)}
            </text>
          </g>
        ))}
        {bars.map(({ since, raw, human }, index) => {
          const x = (index + 0.5) * step - bar / 2
          return (
            <g key={since}>
              <rect
                x={x}
                width={bar}
                y={BASE - height(raw)}
                height={height(raw - human)}
                fill="url(#excluded-clicks)"
              />
              <rect x={x} width={bar} y={BASE - height(human)} height={height(human)} fill="var(--tirage-v1)" />
            </g>
          )
        })}
        <line x2={width - AXIS} y1={BASE} y2={BASE} stroke="var(--tirage-ink)" />
        {spreadLabels(bars.length, width < 480 ? 3 : 6).map((index) => (
          <text key={index} x={Math.max(24, (index + 0.5) * step)} y={HEIGHT - 6} textAnchor="middle">
            {label.format(
              new Date(`${(bars[index]?.since ?? '').padEnd(10, '0')}${range.by === 'hour' ? ':00Z' : 'T00:00Z'}`),
            )}
          </text>
        ))}
      </svg>
    </div>
  )
}

/** Every hour or day of a range, named as the server names it. */
function stepsOf({ from, to, by }: LinkFigures['range']): string[] {
  const [first, last] = [Date.parse(`${from}T00:00Z`), Date.parse(`${to}T00:00Z`) + STEP_MS.day]
  const count = Math.round((last - first) / STEP_MS[by])
  return Array.from({ length: count }, (_, index) =>
    new Date(first + index * STEP_MS[by]).toISOString().slice(0, by === 'hour' ? 16 : 10),
  )
}
