import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { z } from 'zod'
import type { listOptInCampaigns } from '../../server/campaigns/opt-in/contract.ts'
import { useFormat } from '../format.ts'
import { StatusMark } from '../ui/status-mark.tsx'
import classes from './campaigns.module.css'
import { campaignPath } from './queries.ts'

export type CampaignRow = z.output<typeof listOptInCampaigns.reply>['rows'][number]

export const campaignShape = {
  draft: 'draft',
  scheduled: 'scheduled',
  waiting: 'paused',
  running: 'sending',
  full: 'sent',
  ended: 'sent',
  withdrawn: 'stopped',
} as const

/** Campaigns with their state and their yeses. */
export function CampaignList({ rows }: { rows: CampaignRow[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <ul className={`${classes.list} ${classes.states}`}>
      {rows.map(({ id, name, state, endsAt, cap, counts }) => (
        <li key={id}>
          <span>
            <Link to={campaignPath(id)}>{name}</Link>
            {endsAt && state !== 'ended' && <small>{t('campaigns.until', { date: format.day(endsAt) })}</small>}
          </span>
          <StatusMark shape={campaignShape[state]}>{t(`campaigns.state.${state}`)}</StatusMark>
          <span className={classes.figure}>
            <b>{format.number(counts.confirmed)}</b>{' '}
            {cap === null
              ? t('campaigns.yeses', { count: counts.confirmed })
              : t('campaigns.ofCap', { count: cap, cap: format.number(cap) })}
          </span>
        </li>
      ))}
    </ul>
  )
}
