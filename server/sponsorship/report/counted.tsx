import type { Language } from '../../languages.ts'
import { locales } from '../../languages.ts'
import { exclusionRules } from '../../links/human.ts'
import type { Translate } from '../../translator.ts'
import { DayChart, HourChart } from './charts.tsx'
import type { Report } from './contract.ts'
import { type DayOfReport, daysOf, type timesIn } from './time.ts'

/** What each part of the page draws with. */
export interface Counting {
  report: Report
  t: Translate
  language: Language
  times: ReturnType<typeof timesIn>
  now: Date
  number: (count: number) => string
}

type Clicks = NonNullable<Report['clicks']>
type OfClicks = Counting & { clicks: Clicks }

/** When there were clicks, why some do not count, and what was used. */
export function Counted(props: OfClicks) {
  const { report, clicks, t, now } = props
  if (clicks.raw === 0)
    return (
      <section>
        <h2>{t('sponsorReport.byDay')}</h2>
        <p>{t(clicks.interrupted ? 'sponsorReport.interrupted' : 'sponsorReport.nobody')}</p>
      </section>
    )
  const days = daysOf(report, clicks, now)
  return (
    <>
      <section>
        <h2>
          {t('sponsorReport.byDay')}
          <span className="report-legend">
            <span>{t('sponsorReport.humanShort')}</span>
            <span className="report-left-out">{t('sponsorReport.leftOut')}</span>
            <span className="report-both">{t('sponsorReport.both')}</span>
          </span>
        </h2>
        <DayChart {...props} days={days} />
      </section>
      <Excluded {...props} />
      <DayTable {...props} days={days} />
      <section className="report-hours">
        <h2>{t('sponsorReport.byHour')}</h2>
        <HourChart {...props} hours={clicks.hours} />
      </section>
    </>
  )
}

const isRule = (name: string): name is (typeof exclusionRules)[number] => exclusionRules.some((rule) => rule === name)

/** The words for a rule, also for one of another version of Tirage. */
export const ruleWords = (t: Translate, rule: string): { name: string; text: string } => ({
  name: isRule(rule) ? t(`links.rules.${rule}.name`) : t('links.rules.other.name', { rule }),
  text: isRule(rule) ? t(`links.rules.${rule}.text`) : t('links.rules.other.text'),
})

const BAR = 150

function Excluded({ clicks: { excluded }, t, number }: OfClicks) {
  const all = excluded.reduce((sum, { clicks }) => sum + clicks, 0)
  if (all === 0) return null
  const most = excluded[0]?.clicks ?? 1
  return (
    <section>
      <h2>{t('links.why', { count: all, n: number(all) })}</h2>
      <ul className="report-rules">
        {excluded.map(({ rule, clicks }) => (
          <li key={rule}>
            <div>
              <a href={`#rule-${rule}`}>{ruleWords(t, rule).name}</a>
              <span className="small">{ruleWords(t, rule).text}</span>
            </div>
            <svg viewBox={`0 0 ${BAR} 11`} aria-hidden="true">
              <rect width={Math.max(2, (clicks / most) * BAR)} height="11" fill="url(#left-out)" />
            </svg>
            <b>{number(clicks)}</b>
          </li>
        ))}
      </ul>
    </section>
  )
}

function DayTable({ report, clicks, t, times, number, days }: OfClicks & { days: DayOfReport[] }) {
  return (
    <section>
      <h2>{t('sponsorReport.days')}</h2>
      <table className="report-table">
        <thead>
          <tr>
            <th scope="col">{t('sponsorReport.day', { hour: times.hour(days[0]?.since ?? report.ranAt) })}</th>
            <th scope="col">{t('sponsorReport.rawShort')}</th>
            <th scope="col">{t('sponsorReport.leftOut')}</th>
            <th scope="col">{t('sponsorReport.humanShort')}</th>
            {report.yes ? <th scope="col">{t('sponsorReport.confirmed')}</th> : null}
          </tr>
        </thead>
        <tbody>
          {days.map(({ since, isAhead, raw, human, confirmed }) => {
            const written = (count: number) => (isAhead ? '–' : number(count))
            return (
              <tr key={since.getTime()}>
                <th scope="row">{times.day(since)}</th>
                <td>{written(raw)}</td>
                <td>{written(raw - human)}</td>
                <td>
                  <b>{written(human)}</b>
                </td>
                {report.yes ? <td>{written(confirmed)}</td> : null}
              </tr>
            )
          })}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('sponsorReport.sevenDays')}</th>
            <td>{number(clicks.raw)}</td>
            <td>{number(clicks.raw - clicks.human)}</td>
            <td>{number(clicks.human)}</td>
            {report.yes ? <td>{number(report.yes.confirmed)}</td> : null}
          </tr>
        </tfoot>
      </table>
    </section>
  )
}

/** A report that was final before raw clicks were counted by device has none. */
const hasRaw = (rows: Clicks['devices']): boolean => rows.every(({ raw }) => raw !== null)

const devices = ['phone', 'tablet', 'desktop', 'other'] as const

/** With which devices and from where clicks came, in both numbers where both are known. */
export function Shares({ clicks, t, language, number }: OfClicks) {
  const region = new Intl.DisplayNames(locales[language], { type: 'region', fallback: 'code' })
  const deviceName = (value: string) => {
    const known = devices.find((one) => one === value)
    return known ? t(`links.device.${known}`) : t('sponsorReport.rest')
  }
  const countryName = (value: string) =>
    /^[A-Z]{2}$/.test(value) ? region.of(value) : t(value === '' ? 'sponsorReport.unknown' : 'sponsorReport.rest')
  const lists = [
    { title: t('sponsorReport.devices'), rows: clicks.devices, name: deviceName },
    { title: t('sponsorReport.countries'), rows: clicks.countries, name: countryName },
  ]
  return (
    <>
      {lists.map(({ title, rows, name }) =>
        rows.length === 0 ? null : (
          <section key={title}>
            <h2>{title}</h2>
            <table className="report-table">
              <thead>
                <tr>
                  <td />
                  {hasRaw(rows) ? <th scope="col">{t('sponsorReport.rawShort')}</th> : null}
                  <th scope="col">{t('sponsorReport.humanShort')}</th>
                </tr>
              </thead>
              <tbody>
                {rows.map(({ value, raw, human }) => (
                  <tr key={value}>
                    <th scope="row">{name(value)}</th>
                    {hasRaw(rows) ? <td>{number(raw ?? 0)}</td> : null}
                    <td>
                      <b>{number(human)}</b>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        ),
      )}
    </>
  )
}

/** What was said by those who came through the link. */
export function Yes({ report: { yes, clicks }, t, number }: Counting) {
  if (!yes) return null
  const rows: [string, number][] = [
    [t('sponsorReport.opened'), clicks?.human ?? 0],
    [t('sponsorReport.said'), yes.said],
    [t('sponsorReport.confirmed'), yes.confirmed],
    [t('sponsorReport.undone'), yes.undone],
  ]
  return (
    <section>
      <h2>{t('sponsorReport.toYes')}</h2>
      <dl className="report-list">
        {rows.map(([name, count]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{number(count)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
