import { useTranslation } from 'react-i18next'
import { type Recommendation, recommendationLimits } from '../../../server/campaigns/recommendations/contract.ts'
import { useFormat } from '../../format.ts'
import classes from './recommendations.module.css'

/** So much two clocks may differ before anybody is told. */
const UNNOTICED_S = 3_600

/** Says when the clock of another server and that of this one are apart. */
export function ClockNote({ signedAt, readAt }: { signedAt: string; readAt: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const ahead = (Date.parse(signedAt) - Date.parse(readAt)) / 1000
  if (Math.abs(ahead) <= UNNOTICED_S) return null
  const time = format.lasting(Math.abs(ahead))
  return <p>{t(ahead > 0 ? 'recommendations.remote.clockAhead' : 'recommendations.remote.clockBehind', { time })}</p>
}

/** Of a newsletter of another server: whether its clock is right, and why what was read last does not count. */
export function RemoteClock({ row: { remote, state } }: { row: Recommendation }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (!remote || remote.isDemo) return null
  const { refused, signedAt, renewedAt } = remote
  const until = new Date(Date.parse(renewedAt) + recommendationLimits.remoteDays * 86_400_000)
  return (
    <div className={classes.notes}>
      <ClockNote {...remote} />
      {refused && (
        <p>
          {t(`recommendations.remote.refused.${refused}`, { date: format.momentOfYear(signedAt) })}{' '}
          {state === 'shown' && t('recommendations.remote.shownUntil', { date: format.momentOfYear(until) })}
        </p>
      )}
    </div>
  )
}
