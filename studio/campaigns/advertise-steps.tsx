import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { studioPaths } from '../../server/http/studio-paths.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { placementsQuery } from '../sponsorship/queries.ts'
import { FirstSteps, Way } from '../ui/first-steps.tsx'
import { campaignsQuery, lastLinksQuery } from './queries.ts'

/** From nothing to an address of one's own, a place that sponsors can have, and a question to readers. */
export function AdvertiseSteps() {
  const { t } = useTranslation()
  const { id, may } = useNewsletter()
  const links = useQuery(lastLinksQuery(id))
  const placements = useQuery({ ...placementsQuery(id), enabled: may('sponsorship.write') })
  const campaigns = useQuery({ ...campaignsQuery(id), enabled: may('campaigns.write') })
  if (!links.data || !placements.data || !campaigns.data) return null
  const done = {
    link: links.data.rows.length > 0,
    placement: placements.data.placements.length > 0,
    campaign: campaigns.data.rows.length > 0,
  }
  const paths = { link: studioPaths.links, placement: studioPaths.placements, campaign: studioPaths.campaigns }
  return (
    <FirstSteps
      steps={(['link', 'placement', 'campaign'] as const).map((step) => ({
        title: t(`advertise.steps.${step}.title`),
        text: t(`advertise.steps.${step}.text`),
        done: done[step],
        way: !done[step] && <Way to={paths[step]}>{t(`advertise.steps.${step}.action`)}</Way>,
      }))}
    />
  )
}
