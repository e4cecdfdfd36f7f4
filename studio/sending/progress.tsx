import { Anchor, Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { RunningResult } from '../analytics/queries.ts'
import { useFormat } from '../format.ts'
import type { Publication } from '../publications/queries.ts'
import { type SendingAction, usePublicationActions } from '../publications/use-publication-actions.tsx'
import { newestMailPath } from '../relays/outbox/mail-path.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { AnimatedNumber } from '../ui/animated-number.tsx'
import { ConfirmDelete } from '../ui/confirm-delete.tsx'
import { IconPlayerPause, IconPlayerPlay } from '../ui/icons.ts'
import { Section } from '../ui/section.tsx'
import { meaningOf, wordsOf } from './answer-meaning.ts'
import { fewRetries, finishedCount, isAllCaught, tabOf, toldStates } from './delivery-states.ts'
import classes from './progress.module.css'
import { useStopReason } from './reason-sentences.ts'
import { doneCount, SendingStrip, stripState, useLost } from './sending-strip.tsx'

interface Props {
  publication: Publication
  result: RunningResult
}

/** The progress of a sending: deliveries accepted, rate, time left, and the buttons to pause or cancel. */
export function SendingProgress({ publication, result }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const { may } = useNewsletter()
  const done = finishedCount(result.counts)
  const isRetrying = fewRetries(publication, result.counts) > 0
  const lost = useLost()
  const shown = {
    done: format.number(doneCount(publication, result.counts)),
    of: format.number(result.counts.intended),
  }
  return (
    <Section
      title={t(`publish.press.title.${isRetrying ? 'retrying' : stripState(publication)}`)}
      aside={
        <Anchor component={Link} to={`/publish/${publication.id}/deliveries`} size="sm">
          {t('publish.deliveries.every')}
        </Anchor>
      }
    >
      <div className={classes.summary}>
        <Left counts={result.counts} />
        <p className={classes.text}>
          <LeftSentence counts={result.counts} />
          {result.asWelcome > 0 && <small>{t('delivery.asWelcome', { n: format.number(result.asWelcome) })}</small>}
          {result.counts.caught > 0 && may('outbox.read') && (
            <>
              {' '}
              <Anchor component={Link} to={newestMailPath(publication.title)} inherit>
                {t('publish.press.readCaught')}
              </Anchor>
            </>
          )}
          <SendingRate publication={publication} result={result} />
        </p>
        <SendingControls publication={publication} waiting={result.counts.intended - done} isRetrying={isRetrying} />
      </div>
      <SendingStrip
        of={publication}
        counts={result.counts}
        label={t('publish.press.of', shown) + lost(publication, result.counts)}
        height={22}
      />
      {publication.stoppedBy && <Stopped by={publication.stoppedBy} answer={publication.stoppedAnswer} />}
      <Counts publicationId={publication.id} counts={result.counts} />
    </Section>
  )
}

/** What a relay accepted, or what was caught where none has accepted anything. */
function Left({ counts }: Pick<RunningResult, 'counts'>) {
  const format = useFormat()
  return <AnimatedNumber value={isAllCaught(counts) ? counts.caught : counts.accepted} format={format.number} />
}

function LeftSentence({ counts }: Pick<RunningResult, 'counts'>) {
  const { t } = useTranslation()
  const format = useFormat()
  const { intended, caught } = counts
  const of = { count: intended, of: format.number(intended) }
  if (isAllCaught(counts)) return t('publish.press.caught', of)
  return (
    <>
      {t('publish.press.accepted', of)}
      {caught > 0 && <small>{t('publish.press.caughtToo', { count: caught, n: format.number(caught) })}</small>}
    </>
  )
}

/** Whether a refusal was of the mail or its sender: then no address is wrong. */
function isAboutUs(answer: string | null): boolean {
  const meaning = answer && meaningOf(answer)
  return ['content', 'policy', 'unsigned', 'login', 'ourAddress'].some((one) => one === meaning)
}

/** The rate and the time left, where they are known, and how many deliveries wait for another attempt. */
function SendingRate({ publication, result: { progress, counts } }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const { perSecond, secondsLeft, later, held } = progress
  const waits = counts.queued + counts.claimed > 0
  const sending = publication.status === 'sending'
  return (
    <small aria-live="off">
      {sending && waits && (held ? <HeldReason held={held} /> : <RateSentence perSecond={perSecond} />)}
      {sending && secondsLeft !== null && (
        <> {t('publish.press.until', { time: format.soon(new Date(Date.now() + secondsLeft * 1000)) })}</>
      )}
      {later && sending && (
        <>
          {' '}
          {t('publish.press.later', {
            count: later.count,
            n: format.number(later.count),
            time: format.soon(later.until),
          })}
        </>
      )}
    </small>
  )
}

function HeldReason({ held: { reason, until } }: { held: NonNullable<RunningResult['progress']['held']> }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <>
      {t(`publish.press.heldBy.${reason}`, { time: format.soon(until) })} <RelaysLink />
    </>
  )
}

function RelaysLink() {
  const { t } = useTranslation()
  const { may } = useNewsletter()
  if (!may('relays.read')) return null
  return (
    <Anchor component={Link} to="/settings/relays" inherit>
      {t('publish.press.lookAtRelays')}
    </Anchor>
  )
}

function RateSentence({ perSecond }: { perSecond: number | null }) {
  const { t } = useTranslation()
  const format = useFormat()
  if (perSecond === null) return t('publish.press.starting')
  const perMinute = perSecond * 60
  if (perMinute < 0.5) return t('publish.press.still')
  if (perSecond >= 10) return t('publish.press.perSecond', { n: format.number(Math.round(perSecond)) })
  const shown = Math.round(perMinute)
  return t('publish.press.perMinute', { count: shown, n: format.number(shown) })
}

/** Why the sending stopped by itself: a sentence, the relay's own words, and what to do. */
function Stopped({ by, answer }: { by: string; answer: string | null }) {
  const { t } = useTranslation()
  const format = useFormat()
  const reason = useStopReason()
  const meaning = answer && meaningOf(answer)
  const words = answer && wordsOf(answer)
  if (by === 'too_many_complaints') {
    const [complaints = 0, accepted = 0] = (answer ?? '').split('/').map(Number)
    return (
      <div className={classes.stopped} role="alert">
        <p>{reason(by)}</p>
        <p>
          {t('publish.press.complaints', {
            count: complaints,
            n: format.number(complaints),
            of: format.number(accepted),
            rate: format.rate(accepted > 0 ? complaints / accepted : null),
          })}
        </p>
      </div>
    )
  }
  return (
    <div className={classes.stopped} role="alert">
      <p>{reason(by)}</p>
      {answer && (
        <p>
          {meaning && t(`publish.meaning.${meaning}`)}
          {words && (
            <>
              {' '}
              {t('publish.press.relaySaid')} <q>{words}</q>
            </>
          )}
        </p>
      )}
      <p>
        {t(by === 'too_many_refusals' ? 'publish.press.refusals' : 'publish.press.stoppedBy')}{' '}
        {(by.startsWith('relay_') || by === 'too_many_refusals') && <RelaysLink />}
      </p>
    </div>
  )
}

interface ControlsProps {
  publication: Publication
  waiting: number
  /** Only a few copies are still tried. */
  isRetrying: boolean
}

function SendingControls({ publication, waiting, isRetrying }: ControlsProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { may } = useNewsletter()
  const { run } = usePublicationActions()
  const [busy, setBusy] = useState(false)
  const [asking, ask] = useDisclosure(false)
  const [trusting, trust] = useDisclosure(false)
  const { status } = publication
  if (!may('publications.send') || (status !== 'sending' && status !== 'paused')) return null
  const runAction = async (verb: SendingAction) => {
    setBusy(true)
    await run(verb, publication.id)
    setBusy(false)
  }
  const paused = status === 'paused'
  return (
    <div className={classes.controls}>
      <Button
        {...(paused && { variant: 'filled', color: 'encre' })}
        loading={busy}
        onClick={() => void runAction(paused ? 'resume' : 'pause')}
        leftSection={paused ? <IconPlayerPlay size={15} stroke={1.6} /> : <IconPlayerPause size={15} stroke={1.6} />}
      >
        {t(paused ? 'publish.press.resume' : isRetrying ? 'publish.press.stopRetries' : 'publish.press.stop')}
      </Button>
      {publication.stoppedBy === 'too_many_refusals' && !isAboutUs(publication.stoppedAnswer) && (
        <Button onClick={trust.open}>{t('publish.press.trust')}</Button>
      )}
      <Button variant="subtle" color="rouge" onClick={ask.open}>
        {t('publish.press.cancel')}
      </Button>
      <ConfirmDelete
        opened={trusting}
        onClose={trust.close}
        title={t('publish.press.trustTitle')}
        confirm={t('publish.press.trustConfirm')}
        onConfirm={() => run('trust', publication.id)}
      >
        {t('publish.press.trustText')}
      </ConfirmDelete>
      <ConfirmDelete
        opened={asking}
        onClose={ask.close}
        title={t('publish.press.cancelTitle')}
        confirm={t('publish.press.cancelConfirm')}
        onConfirm={() => run('cancel', publication.id)}
      >
        {t('publish.press.cancelText', { count: waiting, n: format.number(waiting) })}
      </ConfirmDelete>
    </div>
  )
}

/** Deliveries by state; what is left out is nothing, so they always add up to the intended ones. Each count links to its deliveries. */
function Counts({ publicationId, counts }: { publicationId: string; counts: RunningResult['counts'] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const deliveries = `/publish/${publicationId}/deliveries`
  return (
    <dl className={classes.counts}>
      <div data-sum="">
        <dt>{t('publish.press.intended')}</dt>
        <dd>
          <Link to={deliveries}>{format.number(counts.intended)}</Link>
        </dd>
      </div>
      {toldStates(counts).map((state) => (
        <div key={state} data-zero={counts[state] === 0 || undefined}>
          <dt title={t(`publish.state.hint.${state}`)}>{t(`publish.state.${state}`)}</dt>
          <dd>
            {counts[state] === 0 ? (
              format.number(0)
            ) : (
              <Link to={`${deliveries}?state=${tabOf(state)}`}>{format.number(counts[state])}</Link>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
