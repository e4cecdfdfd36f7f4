import { Button, Group } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import {
  acceptCampaignOffer,
  declineCampaignOffer,
  type listCampaignOffers,
} from '../../server/campaigns/opt-in/contract.ts'
import type { Language } from '../../server/languages.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { useLanguage } from '../language.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Section } from '../ui/section.tsx'
import classes from './campaigns.module.css'
import { campaignsKey, offersQuery } from './queries.ts'

type Offer = z.output<typeof listCampaignOffers.reply>['offers'][number]

/** The words in a language, else in any. */
const inLanguage = (words: Offer['words'], language: Language) => words[language] ?? Object.values(words)[0]

/** Campaigns of other newsletters that want to give this one subscribers: none comes before its owner agrees. */
export function OffersSection() {
  const { t } = useTranslation()
  const format = useFormat()
  const language = useLanguage()
  const { id: newsletterId, may } = useNewsletter()
  const queries = useQueryClient()
  const { data } = useQuery(offersQuery(newsletterId))
  const answer = useMutation({
    mutationFn: ({ campaignId, version, accepts }: { campaignId: string; version: number; accepts: boolean }) =>
      accepts
        ? call(acceptCampaignOffer, { params: { newsletterId, campaignId }, body: { version } })
        : call(declineCampaignOffer, { params: { newsletterId, campaignId } }),
    // Words that changed meanwhile are shown with the refusal.
    onSettled: () => queries.invalidateQueries({ queryKey: campaignsKey(newsletterId) }),
  })
  const isBusy = (campaignId: string, accepts: boolean) =>
    answer.isPending && answer.variables.campaignId === campaignId && answer.variables.accepts === accepts
  if (!data || data.offers.length === 0) return null
  return (
    <Section title={t('campaigns.offers.title')}>
      <p className={classes.quiet}>{t('campaigns.offers.lead')}</p>
      <ErrorNotice error={answer.error} />
      <ul className={classes.list}>
        {data.offers.map(({ campaignId, name, from, version, words, agreedTo, acceptedAt, passed }) => (
          <li key={campaignId}>
            <span>
              <b>{t('campaigns.offers.one', { campaign: name, newsletter: from })}</b>
              <small>{inLanguage(words, language)?.question}</small>
              {!acceptedAt && <small>{inLanguage(words, language)?.offer}</small>}
              {agreedTo && (
                <small>
                  {t('campaigns.offers.changed')}{' '}
                  {t('campaigns.offers.before', { question: inLanguage(agreedTo, language)?.question ?? '—' })}
                </small>
              )}
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
                    onClick={() => answer.mutate({ campaignId, version, accepts: true })}
                  >
                    {t('campaigns.offers.accept')}
                  </Button>
                )}
                <Button
                  size="xs"
                  variant="subtle"
                  color="rouge"
                  loading={isBusy(campaignId, false)}
                  onClick={() => answer.mutate({ campaignId, version, accepts: false })}
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
