import { Button, Group, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { createOptInCampaign } from '../../server/campaigns/opt-in/contract.ts'
import { call } from '../api.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { useServerForm } from '../ui/server-form.ts'
import { campaignPath, campaignsKey } from './queries.ts'

/** Asks for the name of an opt-in campaign, begins it, and opens the page on which it is written. */
export function NewCampaignDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
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
