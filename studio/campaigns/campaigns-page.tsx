import { Button, Group, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { createOptInCampaign } from '../../server/campaigns/opt-in/contract.ts'
import { call } from '../api.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { IconPlus } from '../ui/icons.ts'
import { PageTitle } from '../ui/page-title.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { useServerForm } from '../ui/server-form.ts'
import { CampaignList } from './campaign-list.tsx'
import { OffersSection } from './offers-section.tsx'
import { campaignPath, campaignsKey, campaignsQuery } from './queries.ts'

/** All opt-in campaigns, and what other newsletters offer to this one. */
export function CampaignsPage() {
  const { t } = useTranslation()
  const { id, may } = useNewsletter()
  const query = useQuery(campaignsQuery(id))
  const [isMaking, making] = useDisclosure(false)
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
              {t('campaigns.noneText')}
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

function NewCampaignDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const { id: newsletterId } = useNewsletter()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { form, error, busy, submit } = useServerForm({ initialValues: { name: '' } }, async (body) => {
    const made = await call(createOptInCampaign, { params: { newsletterId }, body })
    await queries.invalidateQueries({ queryKey: campaignsKey(newsletterId) })
    await navigate(`${campaignPath(made.id)}/edit`)
  })
  return (
    <Dialog opened={opened} onClose={onClose} title={t('campaigns.add')}>
      <form noValidate onSubmit={submit}>
        <ErrorNotice error={error} />
        <TextInput
          label={t('campaigns.name')}
          description={t('campaigns.nameHint')}
          required
          maxLength={120}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Group justify="flex-end" mt="md">
          <Button type="submit" variant="filled" color="encre" loading={busy}>
            {t('campaigns.begin')}
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}
