import { Anchor, Button, Table } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { pausePublication, resumePublication } from '../../../server/publications/contract.ts'
import { call } from '../../api.ts'
import { useFormat } from '../../format.ts'
import { HumanOfRaw } from '../../links/counts.tsx'
import { fewRetries, finishedCount } from '../../sending/delivery-states.ts'
import { SendingStrip, useLost } from '../../sending/sending-strip.tsx'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { useErrorToast } from '../../ui/error-toast.tsx'
import { IconPlayerPause, IconPlayerPlay } from '../../ui/icons.ts'
import { Section } from '../../ui/section.tsx'
import { shownTitle } from '../../ui/shown-title.ts'
import { StatusMark } from '../../ui/status-mark.tsx'
import { countOf, shareOf } from '../accepted.ts'
import type { AskedRange, Dashboard, PublicationResult } from '../queries.ts'
import { ChartFile } from './chart-file.tsx'
import classes from './latest-publications.module.css'

type Running = Dashboard['running'][number]

/** The sendings that run now, and the results of the last publications. */
export function LatestPublications({ data, asked }: { data: Dashboard; asked: AskedRange }) {
  const { t } = useTranslation()
  return (
    <Section
      className={classes.section}
      title={t('dashboard.latest')}
      aside={
        <span className={classes.aside}>
          <ChartFile chart="publications" asked={asked} />
          <Anchor component={Link} to="/publish">
            {t('dashboard.all')}
          </Anchor>
        </span>
      }
    >
      {data.running.map((one) => (
        <RunningSending key={one.id} publication={one} />
      ))}
      {data.publications.length > 0 ? (
        <Results results={data.publications} />
      ) : (
        data.running.length === 0 && <p className={classes.empty}>{t('dashboard.noneSent')}</p>
      )}
    </Section>
  )
}

/** A sending that stopped by itself looks different from one that somebody paused. */
function stateOf({ status, stoppedBy }: Running): 'sending' | 'paused' | 'stopped' {
  if (status !== 'paused') return 'sending'
  return stoppedBy ? 'stopped' : 'paused'
}

function RunningSending({ publication }: { publication: Running }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { may } = useNewsletter()
  const state = stateOf(publication)
  const { intended } = publication.counts
  const done = { count: intended, done: format.number(finishedCount(publication.counts)), of: format.number(intended) }
  const lost = useLost()
  const copies = t('dashboard.copies', done) + lost(publication, publication.counts)
  const { secondsLeft } = publication.progress
  const retries = fewRetries(publication, publication.counts)
  const minutes = secondsLeft === null ? null : Math.max(1, Math.round(secondsLeft / 60))
  return (
    <div className={classes.running}>
      <div>
        <span className={classes.number}>{publication.number ?? ''}</span>
        <Link to={`/publish/${publication.id}`} className={classes.title}>
          {shownTitle(publication.title, t)}
        </Link>
        {retries > 0 ? (
          <StatusMark shape="sent">
            {t('publish.status.retrying', { count: retries, n: format.number(retries) })}
          </StatusMark>
        ) : (
          <StatusMark shape={state}>{t(`dashboard.state.${state}`)}</StatusMark>
        )}
        <span className={classes.progress} aria-live="off">
          {copies}
          {state === 'sending' && minutes !== null && t('dashboard.minutesLeft', { count: minutes })}
        </span>
        {may('publications.send') && <PauseButton publication={publication} />}
      </div>
      <SendingStrip of={publication} counts={publication.counts} height={16} label={copies} />
    </div>
  )
}

function PauseButton({ publication }: { publication: Running }) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const queries = useQueryClient()
  const showError = useErrorToast()
  const paused = publication.status === 'paused'
  const act = useMutation({
    mutationFn: () =>
      call(paused ? resumePublication : pausePublication, {
        params: { newsletterId: id, publicationId: publication.id },
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: [id] }),
    onError: showError,
  })
  const Icon = paused ? IconPlayerPlay : IconPlayerPause
  return (
    <Button
      size="xs"
      loading={act.isPending}
      onClick={() => act.mutate()}
      leftSection={<Icon size={14} stroke={1.6} />}
    >
      {t(paused ? 'dashboard.resume' : 'dashboard.stop')}
    </Button>
  )
}

/** What was caught is said beside it, and alone where no relay accepted anything. */
function Accepted({ counts: { intended, accepted, caught } }: Pick<PublicationResult, 'counts'>) {
  const { t } = useTranslation()
  const format = useFormat()
  const said = caught > 0 && t('dashboard.caught', { count: caught, number: format.number(caught) })
  if (said && accepted === 0) return said
  if (intended === 0) return '—'
  return (
    <>
      {format.number(accepted)}
      {said && <small>{said}</small>}
    </>
  )
}

function Results({ results }: { results: PublicationResult[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <div className={classes.table}>
      <Table style={{ '--row': '40px' }}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={34}>{t('dashboard.no')}</Table.Th>
            <Table.Th>{t('dashboard.title')}</Table.Th>
            <Table.Th>{t('dashboard.sent')}</Table.Th>
            <Table.Th ta="right">{t('dashboard.accepted')}</Table.Th>
            <Table.Th ta="right">{t('dashboard.failed')}</Table.Th>
            <Table.Th ta="right">{t('dashboard.opens')}</Table.Th>
            <Table.Th ta="right">{t('dashboard.humanClicks')}</Table.Th>
            <Table.Th ta="right">{t('dashboard.unsubs')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {results.map((result) => (
            <Table.Tr key={result.id}>
              <Table.Td c="var(--tirage-ink3)">{result.number ?? ''}</Table.Td>
              <Table.Td>
                <Link to={`/publish/${result.id}`} className={classes.title}>
                  {shownTitle(result.title, t)}
                </Link>
              </Table.Td>
              <Table.Td
                c="var(--tirage-ink3)"
                data-column={t(result.channel === 'web' ? 'dashboard.out' : 'dashboard.sent')}
              >
                {format.day(result.at)}
                {result.channel === 'web' && <small>{t('publish.when.web')}</small>}
              </Table.Td>
              <Table.Td data-right data-column={t('dashboard.accepted')}>
                <Accepted counts={result.counts} />
              </Table.Td>
              <Table.Td data-right data-column={t('dashboard.failed')}>
                {result.counts.intended === 0 ? '—' : format.number(result.counts.failed)}
              </Table.Td>
              <Table.Td data-right data-column={t('dashboard.opens')}>
                {shareOf(result.opens, result.counts.accepted, format)}
              </Table.Td>
              <Table.Td data-right data-column={t('dashboard.humanClicks')}>
                {shareOf(result.clicks.people, result.counts.accepted, format)}
                <HumanOfRaw clicks={result.clicks} />
              </Table.Td>
              <Table.Td data-right data-column={t('dashboard.unsubs')}>
                {countOf(result.unsubscribes, result.counts.accepted, format)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <p className={classes.note}>{t('dashboard.opensNote')}</p>
    </div>
  )
}
