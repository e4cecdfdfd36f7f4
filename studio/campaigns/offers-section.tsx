import { Button, Group } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { acceptCampaignOffer, declineCampaignOffer } from '../../server/campaigns/opt-in/contract.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { useLanguage } from '../language.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Section } from '../ui/section.tsx'
import classes from './campaigns.module.css'
import { campaignsKey, offersQuery } from './queries.ts'

/** Campaigns of other newsletters that want to give this one subscribers: none comes before its owner agrees. */
export function OffersSection() {
  const { t } = useTranslation()
  const format = useFormat()
  const language = useLanguage()
  const { id: newsletterId, may } = useNewsletter()
  const queries = useQueryClient()
  const [error, setError] = useState<unknown>(null)
  const { data } = useQuery(offersQuery(newsletterId))
  if (!data || data.offers.length === 0) return null
  const answer = async (campaignId: string, accepts: boolean) => {
    const endpoint = accepts ? acceptCampaignOffer : declineCampaignOffer
    await call(endpoint, { params: { newsletterId, campaignId } })
    await queries.invalidateQueries({ queryKey: campaignsKey(newsletterId) })
  }
  return (
    <Section title={t('campaigns.offers.title')}>
      <p className={classes.quiet}>{t('campaigns.offers.lead')}</p>
      <ErrorNotice error={error} />
      <ul className={classes.list}>
        {data.offers.map(({ campaignId, name, from, words, acceptedAt, passed }) => (
          <li key={campaignId}>
            <span>
              <b>{t('campaigns.offers.one', { campaign: name, newsletter: from })}</b>
              <small>{(words[language] ?? Object.values(words)[0])?.question}</small>
            </span>
            <span className={classes.figure}>
              {acceptedAt ? t('campaigns.offers.came', { count: passed, n: format.number(passed) }) : null}
            </span>
            {may('newsletter.write') && (
              <Group gap={6}>
                {!acceptedAt && (
                  <Button size="xs" onClick={() => void answer(campaignId, true).catch(setError)}>
                    {t('campaigns.offers.accept')}
                  </Button>
                )}
                <Button
                  size="xs"
                  variant="subtle"
                  color="rouge"
                  onClick={() => void answer(campaignId, false).catch(setError)}
                >
                  {t(acceptedAt ? 'campaigns.offers.end' : 'campaigns.offers.decline')}
                </Button>
              </Group>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}
