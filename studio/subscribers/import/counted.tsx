import { useTranslation } from 'react-i18next'
import type { Counts } from '../../../server/subscribers/import/contract.ts'
import { useFormat } from '../../format.ts'
import classes from './import.module.css'

const kinds = ['added', 'here', 'keptAway', 'leftOut', 'twins', 'refused'] as const

/** By how many subscribers the newsletter grows: those who are new, and those who were here and had not confirmed yet. */
export const growth = ({ added, confirmed }: Counts): number => added + confirmed

/** How many lines there are of each kind: as one bar, and as figures. */
export function Counted({ counts }: { counts: Counts }) {
  const { t } = useTranslation()
  const format = useFormat()
  const confirmed = { count: counts.confirmed, n: format.number(counts.confirmed) }
  return (
    <>
      <div className={classes.bar} aria-hidden="true">
        {kinds.map((kind) => counts[kind] > 0 && <i key={kind} data-kind={kind} style={{ flexGrow: counts[kind] }} />)}
      </div>
      <dl className={classes.counts}>
        {kinds.map((kind) => (
          <div key={kind} data-zero={counts[kind] === 0 || undefined}>
            <dt data-kind={kind}>{t(`imports.count.${kind}`)}</dt>
            <dd>
              {format.number(counts[kind])}
              <small>
                {kind === 'here' && counts.confirmed > 0
                  ? t('imports.count.confirmed', confirmed)
                  : t(`imports.count.${kind}Text`)}
              </small>
            </dd>
          </div>
        ))}
      </dl>
    </>
  )
}
