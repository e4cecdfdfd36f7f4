import { Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { type Query, queryOptions, useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { DeliveryState } from '../../server/sending/contract.ts'
import {
  consentMeans,
  eraseSubscriber,
  getSubscriber,
  unsubscribeSubscriber,
} from '../../server/subscribers/contract.ts'
import { call } from '../api.ts'
import { EndsWithSubscriber } from '../charge/outside/subscriptions-of-subscriber.tsx'
import { useFormat } from '../format.ts'
import { knownCode } from '../known-code.ts'
import { whileDeleting } from '../live-queries.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ConfirmDelete } from '../ui/confirm-delete.tsx'
import { Section } from '../ui/section.tsx'
import { shownTitle } from '../ui/shown-title.ts'
import { RestoreDialog } from './restore-dialog.tsx'
import classes from './subscribers.module.css'

export type Detail = z.output<typeof getSubscriber.reply>

export const subscriberQuery = (newsletterId: string, subscriberId: string) =>
  queryOptions({
    queryKey: [newsletterId, 'subscribers', 'one', subscriberId],
    queryFn: () => call(getSubscriber, { params: { newsletterId, subscriberId } }),
  })

/** How it reached us; older receipts may name means that are no longer in use. */
export function meansText(t: TFunction, means: string): string {
  const known = knownCode(consentMeans, means)
  return t(`subscribers.means.${known ?? 'other'}`)
}

/** Which words somebody read: ours by their day, a campaign's by their number. A person's own have neither. */
function wordsText(t: TFunction, version: string, day: (named: string) => string): string | null {
  if (/^\d{4}-\d{2}-\d{2}$/.test(version)) return t('subscribers.detail.wordsOf', { day: day(version) })
  return /^\d+$/.test(version) ? t('subscribers.detail.wordsVersion', { version }) : null
}

type Delivery = Detail['deliveries'][number]

/** What became of a delivery. */
export const deliveryText = (t: TFunction, { state, returned }: Pick<Delivery, 'state' | 'returned'>): string =>
  returned
    ? t(`subscribers.returned.${returned}`)
    : t(`subscribers.delivery.${knownCode(DeliveryState.options, state) ?? 'other'}`)

export function Receipts({ subscriber: { id: subscriberId, receipts } }: { subscriber: Detail }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id, may } = useNewsletter()
  return (
    <Section title={t('subscribers.receipts')} className={classes.part}>
      <ul className={classes.receipts}>
        {receipts.map((receipt) => (
          <li key={receipt.at + receipt.act}>
            <b>
              {t(`subscribers.act.${receipt.act}`)}
              {receipt.toCampaign && ` · ${t('subscribers.detail.toCampaign')}`}
            </b>
            <span lang={receipt.language}>{t('subscribers.detail.quote', { words: receipt.wording })}</span>
            <small>
              {[
                ...(receipt.means === 'import'
                  ? [
                      t('subscribers.imported.noted', { date: format.momentOfYear(receipt.at) }),
                      receipt.dated
                        ? t(`subscribers.imported.dated.${receipt.act}`, {
                            day: format.calendarDayInWords(receipt.dated),
                          })
                        : t(`subscribers.imported.undated.${receipt.act}`),
                    ]
                  : [format.dayOfYear(receipt.at), format.time(receipt.at), meansText(t, receipt.means)]),
                wordsText(t, receipt.wordingVersion, format.calendarDayOfYear),
                receipt.network,
                receipt.position === null
                  ? t('subscribers.detail.waiting')
                  : t('subscribers.detail.position', { n: format.number(receipt.position) }),
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

export function Deliveries({ deliveries }: Pick<Detail, 'deliveries'>) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Section title={t('subscribers.received')} className={classes.part}>
      {deliveries.length === 0 && <p className={classes.hint}>{t('subscribers.nothingReceived')}</p>}
      <ul className={classes.deliveries}>
        {deliveries.map((delivery) => (
          <li key={delivery.publicationId}>
            <span>
              {shownTitle(delivery.title, t)}
              <small>
                {deliveryText(t, delivery)}
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

/** The buttons to restore, unsubscribe or erase them. */
export function Actions({ subscriber, onGone }: { subscriber: Detail; onGone: () => unknown }) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const queries = useQueryClient()
  const [unsubscribing, unsubscribe] = useDisclosure(false)
  const [erasing, erase] = useDisclosure(false)
  const [restoring, restore] = useDisclosure(false)
  const params = { newsletterId: id, subscriberId: subscriber.id }
  const { email } = subscriber
  const isAboutThem = ({ queryKey }: Query) => queryKey.includes(subscriber.id)
  return (
    <Group gap="sm" className={classes.part}>
      {(subscriber.status === 'active' || subscriber.status === 'pending') && (
        <Button onClick={unsubscribe.open}>{t('subscribers.unsubscribe')}…</Button>
      )}
      {mayRestore(subscriber) && <Button onClick={restore.open}>{t('subscribers.restore.one')}…</Button>}
      <RestoreDialog subscriber={subscriber} opened={restoring} onClose={restore.close} />
      <Button variant="subtle" color="rouge" onClick={erase.open}>
        {t('subscribers.erase')}…
      </Button>
      <ConfirmDelete
        opened={unsubscribing}
        onClose={unsubscribe.close}
        title={t('subscribers.unsubscribeAsk', { email })}
        confirm={t('subscribers.unsubscribe')}
        keep={t('ui.cancel')}
        onConfirm={async () => {
          await call(unsubscribeSubscriber, { params })
          notifications.show({ message: t('subscribers.unsubscribeDone', { email }) })
          await queries.invalidateQueries({ queryKey: [id, 'subscribers'] })
        }}
      >
        {t('subscribers.unsubscribeText')}
      </ConfirmDelete>
      <ConfirmDelete
        opened={erasing}
        onClose={erase.close}
        title={t('subscribers.eraseAsk', { email })}
        confirm={t('subscribers.erase')}
        onConfirm={async () => {
          await whileDeleting(subscriber.id, () => call(eraseSubscriber, { params }))
          notifications.show({ message: t('subscribers.eraseDone') })
          await onGone()
          queries.removeQueries({ predicate: isAboutThem, type: 'inactive' })
          // Until their page is left, what it shows would be asked for again, and is there no more.
          await queries.invalidateQueries({ queryKey: [id, 'subscribers'], predicate: (one) => !isAboutThem(one) })
        }}
      >
        {t('subscribers.eraseText')}
        {erasing && <EndsWithSubscriber subscriberId={subscriber.id} />}
      </ConfirmDelete>
    </Group>
  )
}
