import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useFormat } from '../format.ts'
import { LabelsOfSubscriber } from '../segments/labels-of-subscriber.tsx'
import { useNewsletter } from '../shell/newsletter.tsx'
import { Drawer } from '../ui/dialog.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { StatusMark } from '../ui/status-mark.tsx'
import { statusShape } from './columns.tsx'
import { StoppedMail } from './stopped-mail.tsx'
import { Actions, Deliveries, Receipts, subscriberQuery } from './subscriber-parts.tsx'
import classes from './subscribers.module.css'

/** One subscriber beside the list: their consent receipts, what stopped their mail, what they received, and the way to their own page. */
export function SubscriberDrawer({ subscriberId, onClose }: { subscriberId: string | null; onClose: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id, may } = useNewsletter()
  const detail = useQuery({ ...subscriberQuery(id, subscriberId ?? ''), enabled: subscriberId !== null })
  return (
    <Drawer opened={subscriberId !== null} onClose={onClose} title={t('shell.titles.subscriber')}>
      <QueryContent query={detail}>
        {(subscriber) => (
          <>
            <h2 className={classes.name}>{subscriber.name || subscriber.email}</h2>
            {subscriber.name && <p className={classes.hint}>{subscriber.email}</p>}
            <StatusMark shape={statusShape[subscriber.status]}>
              {t(`subscribers.state.${subscriber.status}`)}
            </StatusMark>
            {subscriber.pausedUntil && new Date(subscriber.pausedUntil) > new Date() && (
              <p className={classes.hint}>
                {t('subscribers.paused', { date: format.dayOfYear(subscriber.pausedUntil) })}
              </p>
            )}
            <p>
              <Anchor component={Link} to={`/subscribers/${subscriber.id}`} size="sm">
                {t('subscribers.detail.open')}
              </Anchor>
            </p>
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
