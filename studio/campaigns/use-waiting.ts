import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { studioPaths } from '../../server/http/studio-paths.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { offersQuery } from './queries.ts'
import { recommendersQuery } from './recommendations/queries.ts'

/** What other newsletters wait for: an answer to a campaign that they offer, or to their recommendation. */
export function useWaiting(): { key: string; to: string; text: string }[] {
  const { t } = useTranslation()
  const { id, may } = useNewsletter()
  const enabled = may('campaigns.read')
  const offers = useQuery({ ...offersQuery(id), enabled })
  const recommenders = useQuery({ ...recommendersQuery(id, 'quarter'), enabled })
  const asked = (offers.data?.offers ?? []).filter(({ waits }) => waits)
  const recommending = (recommenders.data?.rows ?? []).filter(({ state }) => state === 'waiting')
  return [
    ...asked.map(({ campaignId, name, from }) => ({
      ...{ key: campaignId, to: studioPaths.campaigns },
      text: t('dashboard.dueOffer', { newsletter: from, campaign: name }),
    })),
    ...recommending.map((row) => ({
      ...{ key: row.id, to: studioPaths.recommendations },
      text: t('dashboard.dueRecommender', { newsletter: row.newsletter.name }),
    })),
  ]
}
