import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { studioPaths } from '../../server/http/studio-paths.ts'
import { SubscriptionsOfSubscriber } from '../charge/outside/subscriptions-of-subscriber.tsx'
import { PaceOf } from '../digests/pace-of.tsx'
import { useFormat } from '../format.ts'
import { useLanguageChoices } from '../language.ts'
import { LabelsOfSubscriber } from '../segments/labels-of-subscriber.tsx'
import { useNewsletter } from '../shell/newsletter.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { StatusMark } from '../ui/status-mark.tsx'
import { dropUnsaved, LeaveGuard } from '../ui/unsaved.tsx'
import { ClickedLinks } from './clicked-links.tsx'
import { statusShape } from './columns.tsx'
import { Notes } from './notes.tsx'
import { Reading } from './reading.tsx'
import { StoppedMail } from './stopped-mail.tsx'
import classes from './subscriber-page.module.css'
import { Actions, Deliveries, type Detail, Receipts, subscriberQuery } from './subscriber-parts.tsx'
import { Timeline } from './timeline.tsx'
import { useSourceName } from './use-source-name.ts'

/** All that is known of one subscriber: what happened, what they received and clicked, their receipts, tags, fields, and members’ notes. */
export function SubscriberPage() {
  const { subscriberId = '' } = useParams()
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const detail = useQuery(subscriberQuery(id, subscriberId))
  return (
    <QueryContent query={detail} list={{ to: studioPaths.subscribers, label: t('shell.nav.subscribers') }}>
      {(subscriber) => <Page subscriber={subscriber} />}
    </QueryContent>
  )
}

function Page({ subscriber }: { subscriber: Detail }) {
  const { may } = useNewsletter()
  const navigate = useNavigate()
  const leave = () => {
    dropUnsaved()
    return navigate(studioPaths.subscribers)
  }
  return (
    <>
      <LeaveGuard />
      <PageTitle
        isName
        title={subscriber.name || subscriber.email}
        lead={subscriber.name ? subscriber.email : undefined}
      >
        {may('subscribers.write') && <Actions subscriber={subscriber} onGone={leave} />}
      </PageTitle>
      <Facts subscriber={subscriber} />
      <Reading deliveries={subscriber.deliveries} />
      <div className={classes.columns}>
        <div>
          <SubscriptionsOfSubscriber subscriberId={subscriber.id} />
          <Timeline subscriberId={subscriber.id} />
        </div>
        <div>
          <StoppedMail suppressions={subscriber.suppressions} />
          <Deliveries deliveries={subscriber.deliveries} />
          <ClickedLinks subscriberId={subscriber.id} />
        </div>
        <div>
          <LabelsOfSubscriber subscriber={subscriber} />
          <Notes subscriberId={subscriber.id} />
          <Receipts subscriber={subscriber} />
        </div>
      </div>
    </>
  )
}

const enteredByMember = new Set(['hand', 'by_hand', 'by-hand', 'api'])

function Facts({ subscriber }: { subscriber: Detail }) {
  const { t } = useTranslation()
  const sourceName = useSourceName()
  const format = useFormat()
  const languages = useLanguageChoices()
  const { status, source, language, createdAt, confirmedAt, leftAt, leftReason, pausedUntil, pace } = subscriber
  const joined = confirmedAt ?? createdAt
  const asked = format.dayOfYear(createdAt)
  // Whose address a member entered has asked for nothing.
  const askedBefore = createdAt < joined && asked !== format.dayOfYear(joined) && !enteredByMember.has(source)
  const isPaused = pausedUntil !== null && new Date(pausedUntil) > new Date()
  return (
    <dl className={classes.facts} aria-label={t('subscribers.detail.facts')}>
      <div>
        <dt>{t('subscribers.status')}</dt>
        <dd>
          <StatusMark shape={statusShape[status]}>{t(`subscribers.state.${status}`)}</StatusMark>
          {isPaused && <small>{t('subscribers.paused', { date: format.dayOfYear(pausedUntil) })}</small>}
          {leftAt && status !== 'active' && <small>{format.dayOfYear(leftAt)}</small>}
          {leftReason && <small>{t(`subscribers.leftReason.${leftReason}`)}</small>}
        </dd>
      </div>
      <div>
        <dt>{t('subscribers.list.arrived')}</dt>
        <dd>
          {format.dayOfYear(joined)}
          {askedBefore && <small>{t('subscribers.askedOn', { date: asked })}</small>}
        </dd>
      </div>
      <div>
        <dt>{t('subscribers.language')}</dt>
        <dd>{languages.find(({ value }) => value === language)?.label ?? language}</dd>
      </div>
      {/* Whoever gets nothing gets it at no pace. */}
      {(status === 'active' || status === 'pending') && (
        <div>
          <dt>{t('digests.column')}</dt>
          <dd>
            <PaceOf pace={pace} />
          </dd>
        </div>
      )}
      <div>
        <dt>{t('subscribers.source')}</dt>
        <dd>{sourceName(source)}</dd>
      </div>
    </dl>
  )
}
