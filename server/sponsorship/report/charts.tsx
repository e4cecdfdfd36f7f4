import type { Translate } from '../../translator.ts'
import type { Report } from './contract.ts'
import { type DayOfReport, hourAt, type timesIn } from './time.ts'

interface Drawing {
  t: Translate
  times: ReturnType<typeof timesIn>
  number: (count: number) => string
}

const WIDTH = 640
const [TOP, BASE, HEIGHT] = [52, 160, 186]
/** Of the numbers above a bar, which are largest on phones. */
const LINE = 22

/** What is left out is hatched, in each chart of the page. */
const Hatching = () => (
  <defs>
    <pattern id="left-out" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width="2.2" height="5" fill="var(--ink2)" />
    </pattern>
  </defs>
)

interface Bar {
  x: number
  width: number
  raw: number
  human: number
}

/** Clicks by people, and above them those that a rule left out. */
const Bars = ({ bars, most }: { bars: Bar[]; most: number }) => {
  const height = (clicks: number) => (clicks / Math.max(1, most)) * (BASE - TOP)
  return bars
    .filter(({ raw }) => raw > 0)
    .map(({ x, width, raw, human }) => (
      <g key={x}>
        {raw > human ? (
          <rect
            {...{ x, width, y: BASE - height(raw), height: height(raw - human) }}
            fill="url(#left-out)"
            stroke="var(--ink2)"
          />
        ) : null}
        <rect x={x} width={width} y={BASE - height(human)} height={height(human)} fill="var(--accent)" />
      </g>
    ))
}

const Ground = () => <line x1="0" x2={WIDTH} y1={BASE} y2={BASE} stroke="var(--ink)" />

/**
 * Seven bars, each with its clicks by people above all of them, and none for a day to come. The table below has the same numbers.
 */
export function DayChart({ days, t, times, number }: Drawing & { days: DayOfReport[] }) {
  const most = Math.max(...days.map(({ raw }) => raw))
  const step = WIDTH / days.length
  const bars = days.map(({ raw, human }, index) => ({ x: index * step + 12, width: step - 24, raw, human }))
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={t('sponsorReport.dayChart')}>
      <Hatching />
      <Bars bars={bars} most={most} />
      {days.map(({ since, isAhead, raw, human }, index) => (
        <g key={since.getTime()} textAnchor="middle">
          <text x={(index + 0.5) * step} y={BASE - 6 - (raw / Math.max(1, most)) * (BASE - TOP)}>
            <tspan fontWeight="600" fill="var(--ink)" dy={raw > human ? -LINE : 0}>
              {isAhead ? '' : number(human)}
            </tspan>
            {raw > human ? (
              <tspan x={(index + 0.5) * step} dy={LINE}>
                / {number(raw)}
              </tspan>
            ) : null}
          </text>
          <text x={(index + 0.5) * step} y={HEIGHT - 5}>
            {times.shortDay(since)}
          </text>
        </g>
      ))}
      <Ground />
    </svg>
  )
}

const FIRST_HOURS = 48
const LABEL_HOURS = 12

interface OfHours extends Drawing {
  report: Report
  hours: { hour: number; raw: number; human: number }[]
}

/** The first two days by hour, with a table for who does not see. */
export function HourChart({ report, hours, t, times, number }: OfHours) {
  const first = hours.filter(({ hour }) => hour < FIRST_HOURS)
  const most = Math.max(1, ...first.map(({ raw }) => raw))
  const step = WIDTH / FIRST_HOURS
  const bars = first.map(({ hour, raw, human }) => ({ x: hour * step + 1.5, width: step - 3, raw, human }))
  return (
    <>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        <line x1="0" x2={WIDTH} y1={TOP} y2={TOP} stroke="var(--rule)" />
        <text x="0" y={TOP - 7}>
          {t('sponsorReport.mostAnHour', { count: most, n: number(most) })}
        </text>
        <Bars bars={bars} most={most} />
        {Array.from({ length: FIRST_HOURS / LABEL_HOURS }, (_, index) => index * LABEL_HOURS).map((hour) => (
          <text key={hour} x={hour * step + 1.5} y={HEIGHT - 5}>
            {times.shortDay(hourAt(report, hour))}, {times.hour(hourAt(report, hour))}
          </text>
        ))}
        <Ground />
      </svg>
      <div className="visually-hidden">
        <table>
          <caption>{t('sponsorReport.byHour')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('sponsorReport.hour')}</th>
              <th scope="col">{t('sponsorReport.raw')}</th>
              <th scope="col">{t('sponsorReport.human')}</th>
            </tr>
          </thead>
          <tbody>
            {first.map(({ hour, raw, human }) => (
              <tr key={hour}>
                <th scope="row">
                  {times.day(hourAt(report, hour))}, {times.hour(hourAt(report, hour))}
                </th>
                <td>{number(raw)}</td>
                <td>{number(human)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
