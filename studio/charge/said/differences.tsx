import { useTranslation } from 'react-i18next'
import type { Comparison } from '../../../server/charge/payment-events/contract.ts'
import { useFormat } from '../../format.ts'
import classes from '../charge.module.css'

type Difference = Comparison['shown'][number]

/** What differs, object by object, when it is asked for. */
export function Differences({ comparison: { differences, shown } }: { comparison: Comparison }) {
  const { t } = useTranslation()
  const format = useFormat()
  const rest = differences - shown.length
  return (
    <details className={classes.differences}>
      <summary>{t('said.comparisons.show')}</summary>
      <ul>
        {shown.map((difference) => (
          <One key={difference.objectId} difference={difference} />
        ))}
      </ul>
      {rest > 0 && (
        <p className={classes.small}>{t('said.comparisons.more', { count: rest, n: format.number(rest) })}</p>
      )}
    </details>
  )
}

function One({ difference: { objectId, changes, repairedAt, problem } }: { difference: Difference }) {
  const { t } = useTranslation()
  const written = useWritten()
  return (
    <li>
      <code>{objectId}</code>
      {repairedAt && <> ({t('said.comparisons.mended')})</>}
      {Object.entries(changes).map(([name, [here, there]]) => (
        <small key={name}>
          {t('said.comparisons.change', {
            name: t(`said.comparisons.value.${name}` as `said.comparisons.value.status`, { defaultValue: name }),
            here: written(here),
            there: written(there),
          })}
        </small>
      ))}
      {problem && <small className={classes.bad}>{t(`said.comparisons.problem.${problem}`)}</small>}
    </li>
  )
}

/** A value of a row in words: states and times as they are written elsewhere. */
function useWritten() {
  const { t } = useTranslation()
  const format = useFormat()
  return (value: unknown): string => {
    if (value === null || value === undefined) return t('said.comparisons.nothing')
    if (typeof value === 'boolean') return t(value ? 'said.comparisons.yes' : 'said.comparisons.no')
    if (typeof value !== 'string') return String(value)
    if (/^\d{4}-\d\d-\d\dT/.test(value)) return format.momentOfYear(value)
    return t(`plans.state.${value}` as 'plans.state.active', { defaultValue: value })
  }
}
