import { useTranslation } from 'react-i18next'
import type { Finding } from '../../server/domains/contract.ts'
import { StatusMark, type StatusShape } from '../ui/status-mark.tsx'
import classes from './domain.module.css'
import { RecordToSet } from './record.tsx'

const shapes: Record<Finding['state'], StatusShape> = {
  good: 'sent',
  missing: 'paused',
  wrong: 'stopped',
  unknown: 'draft',
}

/** Each check with its state, its explanation, the records found in DNS, and the records to set. */
export function Findings({ findings }: { findings: Finding[] }) {
  return (
    <ul className={classes.findings}>
      {findings.map((finding) => (
        <Line key={finding.check} finding={finding} />
      ))}
    </ul>
  )
}

function Line({ finding }: { finding: Finding }) {
  const { t } = useTranslation()
  const { check, state, reason, values, ofServer, found, set } = finding
  // The records of keys are shown with the keys.
  const records = check === 'dkim' ? [] : set
  const none = ofServer !== null ? 'spf_none_ofServer' : set.length > 0 ? 'spf_none_set' : 'spf_none'
  const words = reason === 'spf_none' ? none : reason
  const shown = check === 'dkim' && state === 'good' ? [] : found
  return (
    <li>
      <StatusMark shape={shapes[state]}>{t(`domain.state.${state}`)}</StatusMark>
      <div>
        <h3>{t(`domain.check.${check}`)}</h3>
        <p>{t(`domain.reason.${words}`, values)}</p>
        {ofServer !== null && state !== 'good' && <p>{t('domain.ofServer', { domain: ofServer })}</p>}
        {shown.length > 0 && (
          <div className={classes.part}>
            <h4>{t('domain.found')}</h4>
            {shown.map(({ name, type, value }) => (
              <code key={`${name} ${value}`} className={classes.found}>
                <span>
                  {name} {type}
                </span>{' '}
                {value}
              </code>
            ))}
          </div>
        )}
        {records.map((record) => (
          <div key={record.name} className={classes.part}>
            <h4>{t(ofServer === null ? 'domain.set' : 'domain.toPassOn')}</h4>
            <RecordToSet record={record} />
          </div>
        ))}
      </div>
    </li>
  )
}
