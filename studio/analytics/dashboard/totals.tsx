import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../format.ts'
import { ClickDefinition } from '../../links/counts.tsx'
import type { Dashboard } from '../queries.ts'
import { Difference } from './difference.tsx'
import { Sparkline } from './sparkline.tsx'
import classes from './totals.module.css'

type Figures = Dashboard['figures']
type Counted = Pick<Figures, 'accepted' | 'failed' | 'opens' | 'clicks' | 'unsubscribes'>

/** The copies that a relay took or refused for good. */
const answered = ({ accepted, failed }: Counted): number => accepted + failed

/** The figures under the chart: of all publications that began to go out in the range, each beside the range before. */
export function Totals({ data, aside }: { data: Dashboard; aside: ReactNode }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { figures, figuresBefore, engagement } = data
  if (figures.accepted === 0 && !figuresBefore?.accepted) return null
  const cards = [
    {
      name: t('dashboard.opens'),
      of: (of: Counted): number | null => of.opens,
      note: t(figures.opens === null ? 'ui.opensNotKept' : 'dashboard.estimate'),
    },
    {
      name: t('dashboard.humanClicks'),
      of: ({ clicks }: Counted) => clicks.people,
      note: [
        t('ui.clicks.ofRaw', {
          count: figures.clicks.raw,
          human: format.number(figures.clicks.human),
          raw: format.number(figures.clicks.raw),
        }),
        figures.clicks.people === null && t('ui.clicks.notKept'),
      ]
        .filter(Boolean)
        .join('. '),
    },
    {
      name: t('dashboard.unsubscribes'),
      of: ({ unsubscribes }: Counted) => unsubscribes,
      note: t('dashboard.ofPublications', {
        count: figures.mailed,
        number: format.number(figures.mailed),
      }),
    },
    {
      name: t('dashboard.failed'),
      of: ({ failed }: Counted) => failed,
      outOf: answered,
      note: t('dashboard.ofAnswered', {
        count: answered(figures),
        number: format.number(answered(figures)),
      }),
    },
  ]
  const days = engagement.filter(({ accepted }) => accepted > 0)
  return (
    <>
      <dl className={classes.totals}>
        {cards.map(({ name, of, outOf = ({ accepted }: Counted) => accepted, note }) => {
          const share = (counted: Counted | null) => {
            const part = counted && of(counted)
            return part !== null && counted && outOf(counted) > 0 ? part / outOf(counted) : null
          }
          return (
            <div key={name}>
              <dt>{name}</dt>
              <dd className={classes.value}>
                {format.rate(share(figures))}{' '}
                {of(figures) !== null && <Sparkline values={days.map((day) => share(day) ?? 0)} />}
              </dd>
              <dd>{note}</dd>
              {data.before && of(figures) !== null && (
                <dd className={classes.before}>
                  <Difference now={share(figures)} before={share(figuresBefore)} of="rates" />
                </dd>
              )}
            </div>
          )
        })}
      </dl>
      <p className={classes.file}>
        <small>{t('dashboard.ofWhatWentOut')}</small>
        <ClickDefinition began={(data.before ?? data.range).from} />
        <span>{aside}</span>
      </p>
    </>
  )
}
