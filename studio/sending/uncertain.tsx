import { Anchor, Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { decideUncertainDeliveries } from '../../server/sending/contract.ts'
import type { RunningResult } from '../analytics/queries.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { usePublicationActions } from '../publications/use-publication-actions.tsx'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ConfirmDelete } from '../ui/confirm-delete.tsx'
import { useErrorToast } from '../ui/error-toast.tsx'
import { Section } from '../ui/section.tsx'
import classes from './uncertain.module.css'

/** Deliveries that may or may not have been sent: how many, why, and the buttons to decide about them. */
export function Uncertain({ result }: { result: RunningResult }) {
  const { t } = useTranslation()
  const format = useFormat()
  const count = result.counts.uncertain
  if (count === 0) return null
  return (
    <Section
      title={t('delivery.uncertain.title')}
      aside={
        <Anchor component={Link} to={`/publish/${result.id}/deliveries?state=uncertain`} size="sm">
          {t('delivery.uncertain.see')}
        </Anchor>
      }
    >
      <p className={classes.text}>{t('delivery.uncertain.text', { count, n: format.number(count) })}</p>
      <Decide result={result} />
    </Section>
  )
}

interface Props {
  result: RunningResult
  /** The subscribers whose deliveries are decided about. Empty: all of them. */
  chosen: string[]
  onDecided: () => void
}

/** The bar above the uncertain deliveries. It decides about the chosen ones, or about all. */
export function UncertainDecision({ result, chosen, onDecided }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const { may } = useNewsletter()
  if (!may('publications.send')) return null
  const { length } = chosen
  return (
    <div className={classes.decision}>
      <span aria-live="polite">
        {length === 0
          ? t('delivery.uncertain.all', { count: result.counts.uncertain, n: format.number(result.counts.uncertain) })
          : t('delivery.uncertain.chosen', { count: length, n: format.number(length) })}
      </span>
      <Decide result={result} chosen={chosen} onDecided={onDecided} />
    </div>
  )
}

/** Sends the uncertain deliveries again, or closes them as failed. */
function Decide({ result, chosen = [], onDecided }: Pick<Props, 'result'> & Partial<Props>) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id: newsletterId, may } = useNewsletter()
  const showError = useErrorToast()
  const { refresh } = usePublicationActions()
  const [asking, ask] = useDisclosure(false)
  if (!may('publications.send')) return null
  const decide = async (act: 'resend' | 'close') => {
    const params = { newsletterId, publicationId: result.id }
    const body = { act, ...(chosen.length > 0 && { subscriberIds: chosen }) }
    const { decided } = await call(decideUncertainDeliveries, { params, body })
    const resent = result.status === 'paused' ? 'resentLater' : 'resent'
    const said = act === 'resend' ? resent : 'closed'
    notifications.show({ message: t(`delivery.uncertain.${said}`, { count: decided, n: format.number(decided) }) })
    onDecided?.()
    await refresh()
  }
  const close = () => decide('close').catch(showError)
  return (
    <Group gap="xs">
      {result.status !== 'cancelled' && <Button onClick={ask.open}>{t('delivery.uncertain.resend')}</Button>}
      <Button variant="subtle" onClick={() => void close()}>
        {t('delivery.uncertain.close')}
      </Button>
      <ConfirmDelete
        opened={asking}
        onClose={ask.close}
        title={t('delivery.uncertain.resendTitle')}
        confirm={t('delivery.uncertain.resend')}
        keep={t('delivery.uncertain.wait')}
        onConfirm={() => decide('resend')}
      >
        {t('delivery.uncertain.resendText')}
      </ConfirmDelete>
    </Group>
  )
}
