import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { useNewsletter } from '../shell/newsletter.tsx'
import { isToBegin } from '../shell/way-back.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { IconPlus } from '../ui/icons.ts'
import { PageTitle } from '../ui/page-title.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { CampaignList } from './campaign-list.tsx'
import { NewCampaignDialog } from './new-campaign-dialog.tsx'
import { OffersSection } from './offers-section.tsx'
import { campaignsQuery } from './queries.ts'

/** All opt-in campaigns, and what other newsletters offer to this one. */
export function CampaignsPage() {
  const { t } = useTranslation()
  const { id, may } = useNewsletter()
  const query = useQuery(campaignsQuery(id))
  const { state } = useLocation()
  const [isMaking, making] = useDisclosure(isToBegin(state))
  const add = may('campaigns.write') && (
    <Button variant="filled" color="encre" leftSection={<IconPlus size={16} stroke={1.6} />} onClick={making.open}>
      {t('campaigns.add')}
    </Button>
  )
  return (
    <>
      <PageTitle title={t('shell.titles.campaigns')} lead={t('campaigns.lead')}>
        {add}
      </PageTitle>
      <QueryContent query={query}>
        {({ rows }) =>
          rows.length === 0 ? (
            <EmptyState title={t('campaigns.none')} action={add}>
              {add && t('campaigns.noneText')}
            </EmptyState>
          ) : (
            <CampaignList rows={rows} />
          )
        }
      </QueryContent>
      <OffersSection />
      <NewCampaignDialog opened={isMaking} onClose={making.close} />
    </>
  )
}
