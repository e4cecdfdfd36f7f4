import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { studioPaths } from '../../server/http/studio-paths.ts'
import { NewLinkDialog } from '../links/new-link-dialog.tsx'
import { linkPath } from '../links/queries.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { sponsorPagePath } from '../sponsorship/booking-path.ts'
import { placementsQuery } from '../sponsorship/queries.ts'
import { IconExternalLink, IconLink, IconPencil, IconPlus } from '../ui/icons.ts'
import { NewCampaignDialog } from './new-campaign-dialog.tsx'

/** What is begun most often, for whoever may: a short link, a campaign. The page for sponsors opens while it is on, or else where it is switched on. */
export function AdvertiseActions() {
  const { may } = useNewsletter()
  return (
    <>
      {may('sponsorship.read') && <OpenSponsorPage />}
      {may('links.write') && <AddLink />}
      {may('campaigns.write') && <AddCampaign />}
    </>
  )
}

function OpenSponsorPage() {
  const { t } = useTranslation()
  const { id, handle } = useNewsletter()
  const { data } = useQuery(placementsQuery(id))
  if (!data) return null
  if (data.settings.page === 'closed')
    return (
      <Button
        component={Link}
        to={studioPaths.placements}
        leftSection={<IconPencil size={16} stroke={1.6} aria-hidden="true" />}
      >
        {t('sponsorship.page.title')}
      </Button>
    )
  return (
    <Button
      component="a"
      href={sponsorPagePath({ id, handle })}
      target="_blank"
      rel="noopener"
      leftSection={<IconExternalLink size={16} stroke={1.6} />}
    >
      {t('sponsorship.page.title')}
    </Button>
  )
}

function AddLink() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [isMaking, making] = useDisclosure(false)
  return (
    <>
      <Button leftSection={<IconLink size={16} stroke={1.6} />} onClick={making.open}>
        {t('links.add')}
      </Button>
      <NewLinkDialog opened={isMaking} onClose={making.close} onMade={(link) => navigate(linkPath(link.id))} />
    </>
  )
}

function AddCampaign() {
  const { t } = useTranslation()
  const [isMaking, making] = useDisclosure(false)
  return (
    <>
      <Button variant="filled" color="encre" leftSection={<IconPlus size={16} stroke={1.6} />} onClick={making.open}>
        {t('campaigns.add')}
      </Button>
      <NewCampaignDialog opened={isMaking} onClose={making.close} />
    </>
  )
}
