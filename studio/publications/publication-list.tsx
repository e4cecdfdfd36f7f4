import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { holdMarks } from '../../i18n/french-spaces.ts'
import { countOf, shareOf } from '../analytics/accepted.ts'
import type { PublicationResult } from '../analytics/queries.ts'
import { momentIn, useFormat } from '../format.ts'
import { HumanOfRaw } from '../links/counts.tsx'
import { fewRetries, finishedCount } from '../sending/delivery-states.ts'
import { SendingStrip, useLost } from '../sending/sending-strip.tsx'
import { useNewsletter } from '../shell/newsletter.tsx'
import { IconPlayerPause, IconPlayerPlay } from '../ui/icons.ts'
import { shownTitle } from '../ui/shown-title.ts'
import { welcomesQuery } from '../welcomes/queries.ts'
import { audienceText, isForSome } from './audience-text.ts'
import { addressFor } from './publication-address.ts'
import { PublicationMenu } from './publication-menu.tsx'
import { PublicationStatusMark } from './publication-status.tsx'
import classes from './publications.module.css'
import type { PublicationStatus, PublicationSummary } from './queries.ts'
import { usePublicationActions } from './use-publication-actions.tsx'

/** The keys of `publish.list.groups`, in the order on the screen. */
const groups: {
  name: 'press' | 'retrying' | 'ready' | 'drafts' | 'caught' | 'sent' | 'web' | 'off' | 'cancelled'
  holds: PublicationStatus[]
}[] = [
  { name: 'press', holds: ['sending', 'paused'] },
  { name: 'retrying', holds: ['sending'] },
  { name: 'ready', holds: ['scheduled'] },
  { name: 'drafts', holds: ['draft'] },
  { name: 'caught', holds: ['sent'] },
  { name: 'sent', holds: ['sent'] },
  { name: 'web', holds: ['sent'] },
  { name: 'off', holds: ['sent'] },
  { name: 'cancelled', holds: ['cancelled'] },
]

/** Publications in groups by status, each under its own heading. */
export function PublicationList({
  rows,
  results,
}: {
  rows: PublicationSummary[]
  results: Map<string, PublicationResult>
}) {
  const { t } = useTranslation()
  return groups.map(({ name, holds }) => {
    const isHere = (row: PublicationSummary) => {
      if (row.status === 'sent') return endOf(row) === name
      return row.status !== 'sending' || fewRetries(row, results.get(row.id)?.counts) > 0 === (name === 'retrying')
    }
    const inGroup = rows.filter((row) => holds.includes(row.status) && isHere(row))
    if (inGroup.length === 0) return null
    return (
      <section key={name} className={classes.group} aria-labelledby={`group-${name}`}>
        <div className={classes.groupHead}>
          <h2 id={`group-${name}`}>{t(`publish.list.groups.${name}`)}</h2>
          {name === 'sent' && (
            <div className={classes.figures} aria-hidden="true">
              <span title={t('publish.list.opensHint')}>{t('publish.list.opens')}</span>
              <span>{t('publish.list.clicks')}</span>
              <span>{t('publish.list.unsubs')}</span>
            </div>
          )}
        </div>
        <ul>
          {inGroup.map((row) => (
            <Row key={row.id} row={row} result={results.get(row.id)} />
          ))}
        </ul>
      </section>
    )
  })
}

/** The group of what has ended. What was caught is not called sent, nor is what nobody was mailed; what was on the web only may be off it. */
function endOf({ caught, channel, offWebAt }: PublicationSummary) {
  if (channel === 'web') return offWebAt ? 'off' : 'web'
  return caught ? 'caught' : 'sent'
}

function Row({ row, result }: { row: PublicationSummary; result: PublicationResult | undefined }) {
  const { t } = useTranslation()
  const isRunning = row.status === 'sending' || row.status === 'paused'
  const { id } = useNewsletter()
  const { data: welcomes = [] } = useQuery(welcomesQuery(id))
  const sentTo = audienceText(t, row)
  const isWelcome = welcomes.some(({ publication }) => publication.id === row.id)
  const audience = [row.status !== 'draft' && sentTo, isWelcome && t('welcomes.mark')].filter(Boolean).join(' · ')
  const isSpecial = isWelcome || (row.status !== 'draft' && isForSome(row))
  return (
    <li className={classes.row} data-status={row.status}>
      <span className={classes.number}>{row.number !== null && t('publish.no', { number: row.number })}</span>
      <div className={classes.name}>
        <Link to={addressFor(row)}>{shownTitle(row.title, t)}</Link>
        {row.subtitle && <small>{holdMarks(row.subtitle)}</small>}
      </div>
      {!isRunning && (
        <span className={classes.audience} data-special={isSpecial || undefined} title={audience}>
          {audience}
        </span>
      )}
      <span className={classes.language}>{row.language.toUpperCase()}</span>
      {isRunning ? <RunningState row={row} result={result} /> : <StatusAndFigures row={row} result={result} />}
      <PublicationMenu row={row} />
    </li>
  )
}

function StatusAndFigures({ row, result }: { row: PublicationSummary; result: PublicationResult | undefined }) {
  return (
    <>
      <span className={classes.state}>
        <PublicationStatusMark of={row} />
      </span>
      <span className={classes.when}>
        <When row={row} />
      </span>
      {row.status === 'sent' && row.channel === 'everywhere' && !row.caught && <Figures result={result} />}
    </>
  )
}

function When({ row }: { row: PublicationSummary }): ReactNode {
  const { t } = useTranslation()
  const format = useFormat()
  const { timezone } = useNewsletter()
  if (row.status === 'scheduled') return momentIn({ locale: format.locale, timeZone: timezone }, row.scheduledAt)
  if (row.status === 'draft') return t('publish.list.edited', { when: format.agoInWords(row.editedAt) })
  return format.day(row.startedAt ?? row.publishedAt ?? row.editedAt)
}

function Figures({ result }: { result: PublicationResult | undefined }) {
  const { t } = useTranslation()
  const format = useFormat()
  const accepted = result?.counts.accepted ?? 0
  const share = (part: number | null) => shareOf(part, accepted, format)
  return (
    <dl className={classes.figures}>
      <div>
        <dt>{t('publish.list.opens')}</dt>
        <dd title={t('publish.list.opensHint')}>
          {result && accepted > 0 && result.opens !== null ? t('publish.estimate', { rate: share(result.opens) }) : '—'}
        </dd>
      </div>
      <div>
        <dt>{t('publish.list.clicks')}</dt>
        <dd>
          {result ? share(result.clicks.people) : '—'}
          {result && <HumanOfRaw clicks={result.clicks} />}
        </dd>
      </div>
      <div>
        <dt>{t('publish.list.unsubs')}</dt>
        <dd>{result ? countOf(result.unsubscribes, accepted, format) : '—'}</dd>
      </div>
    </dl>
  )
}

function RunningState({ row, result }: { row: PublicationSummary; result: PublicationResult | undefined }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { may } = useNewsletter()
  const { run } = usePublicationActions()
  const [busy, setBusy] = useState(false)
  const paused = row.status === 'paused'
  const finished = finishedCount(result?.counts)
  const retries = fewRetries(row, result?.counts)
  const intended = result?.counts.intended ?? 0
  const lost = useLost()
  const progress =
    t('publish.press.of', { done: format.number(finished), of: format.number(intended) }) + lost(row, result?.counts)
  const pauseOrResume = async () => {
    setBusy(true)
    await run(paused ? 'resume' : 'pause', row.id)
    setBusy(false)
  }
  return (
    <div className={classes.running}>
      <PublicationStatusMark of={row} retries={retries} />
      <div className={classes.progress}>
        <SendingStrip of={row} counts={result?.counts} label={progress} />
        <span>{progress}</span>
      </div>
      {may('publications.send') && (
        <Button
          size="xs"
          loading={busy}
          onClick={() => void pauseOrResume()}
          leftSection={paused ? <IconPlayerPlay size={14} stroke={1.6} /> : <IconPlayerPause size={14} stroke={1.6} />}
        >
          {t(paused ? 'publish.press.resume' : retries > 0 ? 'publish.press.stopRetries' : 'publish.press.stop')}
        </Button>
      )}
    </div>
  )
}
