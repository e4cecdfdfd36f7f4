import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { restoreSubscriber } from '../../server/subscribers/contract.ts'
import { call } from '../api.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { RestoreForm } from './restore-form.tsx'
import { useRestored } from './restored.ts'

interface Props {
  subscriber: { id: string; email: string }
  opened: boolean
  onClose: () => void
}

/** Asks why mail shall go to one subscriber again, and restores them. */
export function RestoreDialog({ subscriber, opened, onClose }: Props) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const queries = useQueryClient()
  const restored = useRestored()
  const restore = async (reason: string) => {
    const params = { newsletterId: id, subscriberId: subscriber.id }
    const lifted = await call(restoreSubscriber, { params, body: { reason } })
    notifications.show({ message: restored(lifted) })
    onClose()
    await queries.invalidateQueries({ queryKey: [id, 'subscribers'] })
  }
  return (
    <Dialog opened={opened} onClose={onClose} title={t('subscribers.restore.ask', { email: subscriber.email })}>
      <Text size="sm" c="var(--tirage-ink2)" mb="md">
        {t('subscribers.restore.text')}
      </Text>
      <RestoreForm
        example={t('subscribers.restore.reasonExample')}
        confirm={t('subscribers.restore.one')}
        onCancel={onClose}
        onRestore={restore}
      />
    </Dialog>
  )
}
