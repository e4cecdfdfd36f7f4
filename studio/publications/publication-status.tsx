import { useTranslation } from 'react-i18next'
import { useFormat } from '../format.ts'
import { StatusMark, type StatusShape } from '../ui/status-mark.tsx'
import type { PublicationStatus, PublicationSummary } from './queries.ts'

const shapes: Record<PublicationStatus, StatusShape> = {
  draft: 'draft',
  scheduled: 'scheduled',
  sending: 'sending',
  paused: 'paused',
  sent: 'sent',
  cancelled: 'stopped',
}

interface Props {
  of: Pick<PublicationSummary, 'status' | 'stoppedBy' | 'channel' | 'takeBackSeconds' | 'caught' | 'offWebAt'>
  /** How many copies are still tried, once everybody else has had theirs. */
  retries?: number
}

/** The status of a publication, and whether it was taken off the web. */
export function PublicationStatusMark({ of, retries = 0 }: Props) {
  const { t } = useTranslation()
  const isNothingElse = of.status === 'sent' && of.channel === 'web'
  if (!of.offWebAt) return <Status of={of} retries={retries} />
  return (
    <>
      {!isNothingElse && <Status of={of} retries={retries} />}
      <StatusMark shape="paused">{t('publish.status.offWeb')}</StatusMark>
    </>
  )
}

/** One that stopped by itself looks different from one that somebody paused; one that was caught was not sent. */
function Status({ of, retries = 0 }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  if (retries > 0) {
    return (
      <StatusMark shape="sent">
        {t('publish.status.retrying', { count: retries, n: format.number(retries) })}
      </StatusMark>
    )
  }
  if (of.status === 'paused' && of.stoppedBy) {
    return <StatusMark shape="stopped">{t('publish.status.stopped')}</StatusMark>
  }
  if (of.status === 'draft' && of.stoppedBy) {
    return <StatusMark shape="stopped">{t('publish.status.stayed')}</StatusMark>
  }
  if (of.status === 'scheduled' && of.stoppedBy) {
    return <StatusMark shape="stopped">{t('publish.status.late')}</StatusMark>
  }
  if (of.takeBackSeconds !== null) return <StatusMark shape="scheduled">{t('publish.status.leaving')}</StatusMark>
  if (of.status === 'sent' && of.channel === 'web') {
    return <StatusMark shape="sent">{t('publish.status.web')}</StatusMark>
  }
  if (of.caught) {
    return <StatusMark shape="paused">{t('publish.status.caught')}</StatusMark>
  }
  return <StatusMark shape={shapes[of.status]}>{t(`publish.status.${of.status}`)}</StatusMark>
}
