import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { studioPaths } from '../../server/http/studio-paths.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { placementsQuery } from '../sponsorship/queries.ts'
import { FirstSteps, Way } from '../ui/first-steps.tsx'
import { campaignsQuery, lastLinksQuery } from './queries.ts'

/** From nothing to an address of one's own, a place that sponsors can have, and a question to readers: those that somebody may do. */
export function AdvertiseSteps() {
  const { t } = useTranslation()
  const { id, may } = useNewsletter()
  const mayDo = {
    link: may('links.write'),
    placement: may('sponsorship.write'),
    campaign: may('campaigns.write'),
  }
  const links = useQuery({ ...lastLinksQuery(id), enabled: mayDo.link })
  const placements = useQuery({ ...placementsQuery(id), enabled: mayDo.placement })
  const campaigns = useQuery({ ...campaignsQuery(id), enabled: mayDo.campaign })
  const made = {
    link: links.data?.rows.length,
    placement: placements.data?.placements.length,
    campaign: campaigns.data?.rows.length,
  }
  const paths = { link: studioPaths.links, placement: studioPaths.placements, campaign: studioPaths.campaigns }
  const steps = (['link', 'placement', 'campaign'] as const).filter((step) => mayDo[step])
  if (steps.some((step) => made[step] === undefined)) return null
  return (
    <FirstSteps
      steps={steps.map((step) => ({
        title: t(`advertise.steps.${step}.title`),
        text: t(`advertise.steps.${step}.text`),
        done: made[step] !== 0,
        way: made[step] === 0 && (
          <Way to={paths[step]} begins>
            {t(`advertise.steps.${step}.action`)}
          </Way>
        ),
      }))}
    />
  )
}
