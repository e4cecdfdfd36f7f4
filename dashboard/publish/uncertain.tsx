import { Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { decideUncertainDeliveries } from '../../server/delivery/contract.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ConfirmDelete } from '../ui/confirm-delete.tsx'
import { useErrorText } from '../ui/error-notice.tsx'
import { Section } from '../ui/section.tsx'
import type { Publication } from './editor/draft.ts'
import classes from './results.module.css'
import { useActs } from './use-acts.tsx'

/** Copies of which nobody knows whether they arrived: an editor sends them once more or leaves it at that. */
export function Uncertain({ publication, count }: { publication: Publication; count: number }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id: newsletterId, role } = useNewsletter()
  const errorText = useErrorText()
  const { refresh } = useActs()
  const [asking, ask] = useDisclosure(false)
  if (count === 0) return null
  const decide = async (act: 'resend' | 'close') => {
    const params = { newsletterId, publicationId: publication.id }
    const { decided } = await call(decideUncertainDeliveries, { params, body: { act } })
    const said = act === 'resend' ? 'resent' : 'closed'
    notifications.show({ message: t(`publish.uncertain.${said}`, { count: decided, n: format.number(decided) }) })
    await refresh()
  }
  const close = () =>
    decide('close').catch((error: unknown) => {
      notifications.show({ message: errorText(error), color: 'rouge', role: 'alert' })
    })
  return (
    <Section title={t('publish.uncertain.title')}>
      <p className={classes.quiet}>{t('publish.uncertain.text', { count, n: format.number(count) })}</p>
      {role !== 'analyst' && (
        <Group mt="md" gap="xs">
          {publication.status !== 'cancelled' && <Button onClick={ask.open}>{t('publish.uncertain.resend')}</Button>}
          <Button variant="subtle" onClick={() => void close()}>
            {t('publish.uncertain.close')}
          </Button>
        </Group>
      )}
      <ConfirmDelete
        opened={asking}
        onClose={ask.close}
        title={t('publish.uncertain.resendTitle')}
        confirm={t('publish.uncertain.resend')}
        keep={t('publish.uncertain.wait')}
        onConfirm={() => decide('resend')}
      >
        {t('publish.uncertain.resendText')}
      </ConfirmDelete>
    </Section>
  )
}
