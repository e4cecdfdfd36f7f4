import { useTranslation } from 'react-i18next'
import type { Comparison } from '../../../server/charge/payment-events/contract.ts'
import { useFormat } from '../../format.ts'
import classes from '../charge.module.css'
import { valueName, valueText } from './values.ts'

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
  const format = useFormat()
  return (
    <li>
      <code>{objectId}</code>
      {repairedAt && <> ({t('said.comparisons.mended')})</>}
      {Object.entries(changes).map(([name, [here, there]]) => (
        <small key={name}>
          {t('said.comparisons.change', {
            name: valueName(t, name),
            here: valueText({ t, format }, name, here),
            there: valueText({ t, format }, name, there),
          })}
        </small>
      ))}
      {problem && <small className={classes.bad}>{t(`said.comparisons.problem.${problem}`)}</small>}
    </li>
  )
}
