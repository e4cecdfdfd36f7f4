import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { makeOptInListLink, revokeOptInListLink } from '../../server/campaigns/opt-in/contract.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Section } from '../ui/section.tsx'
import classes from './campaigns.module.css'
import { type Campaign, campaignsKey } from './queries.ts'

const DAYS = 30

/** The addresses at which the sponsor downloads those who confirmed. */
export function ListLinksSection({ campaign: { id: campaignId, listLinks, beneficiary } }: { campaign: Campaign }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id: newsletterId, may } = useNewsletter()
  const queries = useQueryClient()
  const [error, setError] = useState<unknown>(null)
  if (!may('subscribers.export')) return null
  const refresh = () => queries.invalidateQueries({ queryKey: campaignsKey(newsletterId) })
  const params = { newsletterId, campaignId }
  const make = () => call(makeOptInListLink, { params, body: { days: DAYS } }).then(refresh)
  const revoke = (listLinkId: number) => call(revokeOptInListLink, { params: { ...params, listLinkId } }).then(refresh)
  const open = listLinks.filter(({ revokedAt, expiresAt }) => !revokedAt && new Date(expiresAt) > new Date())
  return (
    <Section title={t('campaigns.list.title')}>
      <p className={classes.quiet}>{t('campaigns.list.lead', { sponsor: beneficiary.sponsor?.name ?? '' })}</p>
      <ErrorNotice error={error} />
      {open.map(({ id, url, expiresAt }) => (
        <div key={id} className={classes.shared}>
          <CopyField value={url} mono />
          <small>{t('campaigns.list.until', { date: format.dayOfYear(expiresAt) })}</small>
          <Button size="xs" variant="subtle" color="rouge" onClick={() => void revoke(id).catch(setError)}>
            {t('campaigns.list.revoke')}
          </Button>
        </div>
      ))}
      <Button size="xs" mt="xs" onClick={() => void make().catch(setError)}>
        {t('campaigns.list.make', { count: DAYS })}
      </Button>
    </Section>
  )
}
