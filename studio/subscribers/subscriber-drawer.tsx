import { Button, Drawer, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import {
  consentMeans,
  eraseSubscriber,
  getSubscriber,
  unsubscribeSubscriber,
} from '../../server/subscribers/contract.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { LabelsOfSubscriber } from '../segments/labels-of-subscriber.tsx'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ConfirmDelete } from '../ui/confirm-delete.tsx'
import { useErrorText } from '../ui/error-notice.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { Section } from '../ui/section.tsx'
import { StatusMark } from '../ui/status-mark.tsx'
import { RestoreDialog } from './restore-dialog.tsx'
import { StoppedMail } from './stopped-mail.tsx'
import { statusShape } from './subscriber-table.tsx'
import classes from './subscribers.module.css'

type Detail = Awaited<ReturnType<typeof fetchSubscriber>>

const fetchSubscriber = (newsletterId: string, subscriberId: string) =>
  call(getSubscriber, { params: { newsletterId, subscriberId } })

/** One subscriber: their consent receipts, what stopped their mail, what they received, and the buttons to restore, unsubscribe or erase them. */
export function SubscriberDrawer({ subscriberId, onClose }: { subscriberId: string | null; onClose: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id, may } = useNewsletter()
  const detail = useQuery({
    queryKey: [id, 'subscribers', 'one', subscriberId],
    queryFn: () => fetchSubscriber(id, subscriberId ?? ''),
    enabled: subscriberId !== null,
  })
  return (
    <Drawer opened={subscriberId !== null} onClose={onClose} title={t('subscribers.subscriber')}>
      <QueryContent query={detail}>
        {(subscriber) => (
          <>
            <h2 className={classes.name}>{subscriber.name || subscriber.email}</h2>
            <p className={classes.hint}>{subscriber.email}</p>
            <StatusMark shape={statusShape[subscriber.status]}>
              {t(`subscribers.state.${subscriber.status}`)}
            </StatusMark>
            {subscriber.pausedUntil && new Date(subscriber.pausedUntil) > new Date() && (
              <p className={classes.hint}>
                {t('subscribers.paused', { date: format.dayOfYear(subscriber.pausedUntil) })}
              </p>
            )}
            <StoppedMail suppressions={subscriber.suppressions} />
            <LabelsOfSubscriber subscriber={subscriber} className={classes.part} />
            <Receipts subscriber={subscriber} />
            <Deliveries deliveries={subscriber.deliveries} />
            {may('subscribers.write') && <Actions subscriber={subscriber} onGone={onClose} />}
          </>
        )}
      </QueryContent>
    </Drawer>
  )
}

/** How it reached us; older receipts may name means that are no longer in use. */
function meansText(t: TFunction, means: string): string {
  const known = consentMeans.find((one) => one === means)
  return known ? t(`subscribers.means.${known}`) : means
}

function Receipts({ subscriber: { id: subscriberId, receipts } }: { subscriber: Detail }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id, may } = useNewsletter()
  return (
    <Section title={t('subscribers.receipts')} className={classes.part}>
      <ul className={classes.receipts}>
        {receipts.map((receipt) => (
          <li key={receipt.at + receipt.act}>
            <b>{t(`subscribers.act.${receipt.act}`)}</b>
            <q lang={receipt.language}>{receipt.wording}</q>
            <small>
              {[
                format.dayOfYear(receipt.at),
                format.time(receipt.at),
                meansText(t, receipt.means),
                receipt.wordingVersion,
                receipt.network,
              ]
                .filter(Boolean)
                .join(' · ')}
            </small>
          </li>
        ))}
      </ul>
      {may('subscribers.export') && receipts.length > 0 && (
        <a href={`/api/newsletters/${id}/subscribers/${subscriberId}/receipts`} download="receipts.json">
          {t('subscribers.downloadReceipts')}
        </a>
      )}
    </Section>
  )
}

function Deliveries({ deliveries }: Pick<Detail, 'deliveries'>) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Section title={t('subscribers.received')} className={classes.part}>
      {deliveries.length === 0 && <p className={classes.hint}>{t('subscribers.nothingReceived')}</p>}
      <ul className={classes.deliveries}>
        {deliveries.map((delivery) => (
          <li key={delivery.publicationId}>
            <span>
              {delivery.title}
              <small>
                {t(`subscribers.delivery.${delivery.state}` as 'subscribers.delivery.accepted', {
                  defaultValue: delivery.state,
                })}
                {delivery.openedAt && `, ${t('subscribers.opened')}`}
                {delivery.clicks > 0 && `, ${t('subscribers.clicks', { count: delivery.clicks })}`}
              </small>
            </span>
            <time dateTime={delivery.at}>{format.day(delivery.at)}</time>
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Who left by themselves, and who complained, comes back by themselves. */
const mayRestore = ({ status, suppressions: [latest] }: Detail): boolean =>
  latest?.lifted === null && latest.reason !== 'complained' && (status === 'bounced' || status === 'active')

function Actions({ subscriber, onGone }: { subscriber: Detail; onGone: () => void }) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const queries = useQueryClient()
  const errorText = useErrorText()
  const [asking, { open, close }] = useDisclosure(false)
  const [restoring, restore] = useDisclosure(false)
  const params = { newsletterId: id, subscriberId: subscriber.id }
  const refresh = () => queries.invalidateQueries({ queryKey: [id, 'subscribers'] })
  const unsubscribe = useMutation({
    mutationFn: () => call(unsubscribeSubscriber, { params }),
    onSuccess: refresh,
    onError: (error) => notifications.show({ message: errorText(error), color: 'rouge' }),
  })
  return (
    <Group gap="sm" className={classes.part}>
      {(subscriber.status === 'active' || subscriber.status === 'pending') && (
        <Button loading={unsubscribe.isPending} onClick={() => unsubscribe.mutate()}>
          {t('subscribers.unsubscribe')}
        </Button>
      )}
      {mayRestore(subscriber) && <Button onClick={restore.open}>{t('subscribers.restore.one')}…</Button>}
      <RestoreDialog subscriber={subscriber} opened={restoring} onClose={restore.close} />
      <Button variant="subtle" color="rouge" onClick={open}>
        {t('subscribers.erase')}…
      </Button>
      <ConfirmDelete
        opened={asking}
        onClose={close}
        title={t('subscribers.eraseAsk', { email: subscriber.email })}
        confirm={t('subscribers.erase')}
        onConfirm={async () => {
          await call(eraseSubscriber, { params })
          onGone()
          await refresh()
        }}
      >
        {t('subscribers.eraseText')}
      </ConfirmDelete>
    </Group>
  )
}
