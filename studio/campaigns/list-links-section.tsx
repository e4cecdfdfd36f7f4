import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
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
  const params = { newsletterId, campaignId }
  const onSuccess = () => queries.invalidateQueries({ queryKey: campaignsKey(newsletterId) })
  const make = useMutation({ mutationFn: () => call(makeOptInListLink, { params, body: { days: DAYS } }), onSuccess })
  const revoke = useMutation({
    mutationFn: (listLinkId: number) => call(revokeOptInListLink, { params: { ...params, listLinkId } }),
    onSuccess,
  })
  if (!may('subscribers.export')) return null
  const open = listLinks.filter(({ revokedAt, expiresAt }) => !revokedAt && new Date(expiresAt) > new Date())
  return (
    <Section title={t('campaigns.list.title')}>
      <p className={classes.quiet}>{t('campaigns.list.lead', { sponsor: beneficiary.sponsor?.name ?? '' })}</p>
      <ErrorNotice error={make.error ?? revoke.error} />
      {open.map(({ id, url, expiresAt }) => (
        <div key={id} className={classes.shared}>
          <CopyField value={url} mono />
          <small>{t('campaigns.list.until', { date: format.dayOfYear(expiresAt) })}</small>
          <Button
            size="xs"
            variant="subtle"
            color="rouge"
            loading={revoke.isPending && revoke.variables === id}
            onClick={() => revoke.mutate(id)}
          >
            {t('campaigns.list.revoke')}
          </Button>
        </div>
      ))}
      <Button size="xs" mt="xs" loading={make.isPending} onClick={() => make.mutate()}>
        {t('campaigns.list.make', { count: DAYS })}
      </Button>
    </Section>
  )
}
