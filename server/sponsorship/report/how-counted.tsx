import { exclusionRules } from '../../links/human.ts'
import { type Counting, ruleWords } from './counted.tsx'

/** How each number is counted, and every rule by which a click does not count. */
export function HowCounted({ report: { clicks, yes, copies }, t, times, report }: Counting) {
  return (
    <section className="report-notes" aria-labelledby="how">
      <h2 id="how">{t('sponsorReport.how')}</h2>
      {copies ? <p>{t('sponsorReport.howAccepted')}</p> : null}
      {copies?.hiddenFromPaid ? <p>{t('sponsorReport.hiddenFromPaid')}</p> : null}
      <p>{t('sponsorReport.howOpens')}</p>
      {clicks ? <p>{t('sponsorReport.howClicks', { hour: times.hour(report.ranAt), version: clicks.rules })}</p> : null}
      {clicks && clicks.devices.length > 0 ? <p>{t('sponsorReport.howDevices')}</p> : null}
      {yes ? <p>{t('sponsorReport.howYes')}</p> : null}
      {clicks ? (
        <details>
          <summary>{t('sponsorReport.rules', { version: clicks.rules })}</summary>
          <dl>
            {exclusionRules.map((rule) => (
              <div key={rule} id={`rule-${rule}`}>
                <dt>{ruleWords(t, rule).name}</dt>
                <dd>{ruleWords(t, rule).text}</dd>
              </div>
            ))}
          </dl>
        </details>
      ) : null}
    </section>
  )
}
