import { Button, Group } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
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
  const { data } = useQuery(offersQuery(newsletterId))
  const answer = useMutation({
    mutationFn: ({ campaignId, accepts }: { campaignId: string; accepts: boolean }) =>
      call(accepts ? acceptCampaignOffer : declineCampaignOffer, { params: { newsletterId, campaignId } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: campaignsKey(newsletterId) }),
  })
  const isBusy = (campaignId: string, accepts: boolean) =>
    answer.isPending && answer.variables.campaignId === campaignId && answer.variables.accepts === accepts
  if (!data || data.offers.length === 0) return null
  return (
    <Section title={t('campaigns.offers.title')}>
      <p className={classes.quiet}>{t('campaigns.offers.lead')}</p>
      <ErrorNotice error={answer.error} />
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
                  <Button
                    size="xs"
                    loading={isBusy(campaignId, true)}
                    onClick={() => answer.mutate({ campaignId, accepts: true })}
                  >
                    {t('campaigns.offers.accept')}
                  </Button>
                )}
                <Button
                  size="xs"
                  variant="subtle"
                  color="rouge"
                  loading={isBusy(campaignId, false)}
                  onClick={() => answer.mutate({ campaignId, accepts: false })}
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
