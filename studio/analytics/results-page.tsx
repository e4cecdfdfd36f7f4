import { Alert, Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Navigate, useParams } from 'react-router'
import { studioPaths } from '../../server/http/studio-paths.ts'
import { dateFormat } from '../../server/languages.ts'
import { Bounces } from '../feedback/bounces.tsx'
import { useFormat } from '../format.ts'
import { ClickDefinition } from '../links/counts.tsx'
import { LinkClicks } from '../links/link-clicks.tsx'
import { audienceText } from '../publications/audience-text.ts'
import { PublicationStatusMark } from '../publications/publication-status.tsx'
import { livePublicationQuery, type Publication } from '../publications/queries.ts'
import { TakeBack } from '../publications/send/take-back.tsx'
import { TakeOffDialog } from '../publications/take-off-dialog.tsx'
import { usePublicationActions } from '../publications/use-publication-actions.tsx'
import { PutOff } from '../sending/again.tsx'
import { SendingProgress } from '../sending/progress.tsx'
import { useStopReason } from '../sending/reason-sentences.ts'
import { Uncertain } from '../sending/uncertain.tsx'
import { useNewsletter } from '../shell/newsletter.tsx'
import { IconBan, IconCopy, IconExternalLink, IconPencil, IconWorld } from '../ui/icons.ts'
import { Loading } from '../ui/loading.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { Section } from '../ui/section.tsx'
import { shownTitle } from '../ui/shown-title.ts'
import { countOf, shareOf } from './accepted.ts'
import { type RunningResult, resultQuery } from './queries.ts'
import classes from './results.module.css'

const REFRESH_MS = 5_000
const TAKE_BACK_REFRESH_MS = 2_000

/** The results of a publication, live while its sending runs. */
export function ResultsPage() {
  const { t } = useTranslation()
  const { publicationId = '' } = useParams()
  const newsletter = useNewsletter()
  const publication = useQuery({
    ...livePublicationQuery(newsletter.id, publicationId),
    refetchOnMount: 'always',
    // The seconds are counted here, and what became of them is the server’s to say.
    refetchInterval: ({ state }) => typeof state.data?.takeBackSeconds === 'number' && TAKE_BACK_REFRESH_MS,
  })
  return (
    <QueryContent query={publication} list={{ to: studioPaths.publish, label: t('shell.nav.publish') }}>
      {(data) => {
        if (data.status !== 'draft') return <Results of={data} asOf={publication.dataUpdatedAt} />
        // What is remembered of it may be from before it was sent.
        return publication.isFetchedAfterMount ? <Navigate to={`/publish/create/${data.id}`} replace /> : <Loading />
      }}
    </QueryContent>
  )
}

interface ResultsProps {
  of: Publication
  /** When the server said it, by the clock of this browser. */
  asOf: number
}

function Results({ of: publication, asOf }: ResultsProps) {
  const { t } = useTranslation()
  const newsletter = useNewsletter()
  const reason = useStopReason()
  const result = useQuery({
    ...resultQuery(newsletter.id, publication.id),
    // The live stream is silent when nothing changes, so a stalled sending would never show.
    refetchInterval: publication.status === 'sending' && REFRESH_MS,
  })
  // One that is on the web only may have been mailed as a welcome.
  const hasCopies = publication.channel === 'everywhere' || (result.data?.counts.intended ?? 0) > 0
  const mailed = hasCopies && publication.status !== 'scheduled'
  return (
    <>
      <PageTitle isName title={shownTitle(publication.title, t)} lead={<Lead of={publication} />}>
        <Actions of={publication} />
      </PageTitle>
      {publication.status === 'scheduled' && publication.stoppedBy && (
        <Alert color="ocre" mb="md">
          {/* That something went wrong here is for the last try: until then it may pass. */}
          {t('publish.send.late')} {publication.stoppedBy !== 'internal' && reason(publication.stoppedBy)}
        </Alert>
      )}
      {publication.takeBackSeconds !== null && (
        <TakeBack publicationId={publication.id} leavesAt={asOf + publication.takeBackSeconds * 1000} />
      )}
      {publication.status === 'scheduled' && publication.takeBackSeconds === null && <Scheduled of={publication} />}
      {mailed && (
        <QueryContent query={result}>
          {(data) => (
            <>
              <SendingProgress publication={publication} result={data} />
              <PutOff result={data} />
              <Uncertain result={data} />
              <Outcome result={data} />
              <Bounces result={data} />
            </>
          )}
        </QueryContent>
      )}
      {result.data && !mailed && publication.status !== 'scheduled' && (
        <p className={classes.note}>
          {t(publication.offWebAt ? 'delivery.results.webOnlyOff' : 'delivery.results.webOnly')}
        </p>
      )}
      {publication.status !== 'scheduled' && <LinkClicks of={publication} raw={result.data?.clicks.raw} />}
    </>
  )
}

function Lead({ of: publication }: { of: Publication }) {
  const { t } = useTranslation()
  return (
    <span className={classes.status}>
      <PublicationStatusMark of={publication} />
      {publication.number !== null && <span>{t('publish.no', { number: publication.number })}</span>}
      <span>{audienceText(t, publication)}</span>
      <Times of={publication} />
    </span>
  )
}

/** When it went out, and when its sending ended, where that was later. */
function Times({ of: { status, startedAt, finishedAt, publishedAt } }: { of: Publication }) {
  const { t } = useTranslation()
  const format = useFormat()
  const said = (what: 'began' | 'ended' | 'cancelled' | 'published', at: string) => (
    <span>{t(`delivery.${what}`, { when: format.moment(at) })}</span>
  )
  if (!startedAt) return publishedAt && said('published', publishedAt)
  const endedLater = finishedAt && format.moment(finishedAt) !== format.moment(startedAt)
  return (
    <>
      {said('began', startedAt)}
      {endedLater && said(status === 'cancelled' ? 'cancelled' : 'ended', finishedAt)}
    </>
  )
}

function Actions({ of: publication }: { of: Publication }) {
  const { t } = useTranslation()
  const { may } = useNewsletter()
  const { duplicate } = usePublicationActions()
  return (
    <>
      {publication.url && publication.publishedAt && (
        <Button
          component="a"
          href={publication.url}
          target="_blank"
          rel="noopener"
          leftSection={<IconExternalLink size={15} stroke={1.6} aria-hidden="true" />}
        >
          {t('publish.menu.web')}
        </Button>
      )}
      {may('publications.write') && (
        <>
          {publication.status !== 'sending' && publication.takeBackSeconds === null && (
            <Button
              component={Link}
              to={`/publish/create/${publication.id}`}
              leftSection={<IconPencil size={15} stroke={1.6} aria-hidden="true" />}
            >
              {t('publish.menu.edit')}
            </Button>
          )}
          <Button
            onClick={() => void duplicate(publication.id)}
            leftSection={<IconCopy size={15} stroke={1.6} aria-hidden="true" />}
          >
            {t('publish.menu.duplicate')}
          </Button>
        </>
      )}
      {may('publications.send') && <OnWeb of={publication} />}
    </>
  )
}

/** Takes the page off the web, or puts it back. It is one button, so that the keyboard stays where it was. */
function OnWeb({ of: publication }: { of: Publication }) {
  const { t } = useTranslation()
  const { putBack } = usePublicationActions()
  const [asking, ask] = useDisclosure(false)
  const [isBusy, setBusy] = useState(false)
  const back = async () => {
    setBusy(true)
    await putBack(publication.id)
    setBusy(false)
  }
  const Sign = publication.offWebAt ? IconWorld : IconBan
  return (
    <>
      {(publication.url || publication.offWebAt) && (
        <Button
          loading={isBusy}
          onClick={() => (publication.offWebAt ? void back() : ask.open())}
          leftSection={<Sign size={15} stroke={1.6} aria-hidden="true" />}
        >
          {t(publication.offWebAt ? 'publish.offWeb.putBack' : 'publish.offWeb.take')}
        </Button>
      )}
      <TakeOffDialog of={publication} opened={asking} onClose={ask.close} />
    </>
  )
}

function Scheduled({ of: publication }: { of: Publication }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { may, timezone } = useNewsletter()
  const { run } = usePublicationActions()
  const when = dateFormat(format.locale, { dateStyle: 'full', timeStyle: 'short', timeZone: timezone })
  return (
    <Section title={t('delivery.results.scheduled')}>
      <p className={classes.scheduledTime}>
        {publication.scheduledAt && when.format(new Date(publication.scheduledAt))}
      </p>
      <p className={classes.note}>{timezone}</p>
      {may('publications.send') && (
        <Button mt="md" onClick={() => void run('unschedule', publication.id)}>
          {t('publish.takeBack.button')}
        </Button>
      )}
    </Section>
  )
}

/** Opens (estimates) and clicks (of people) as shares of the accepted deliveries, bounces and unsubscribes as counts. */
function Outcome({ result }: { result: RunningResult }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { openPrivacy } = useNewsletter()
  const { accepted } = result.counts
  const share = (part: number | null) => shareOf(part, accepted, format)
  const number = (part: number) => countOf(part, accepted, format)
  const figures = [
    {
      name: t('delivery.results.opens'),
      value: share(result.opens),
      note:
        result.opens === null
          ? t('ui.opensNotKept')
          : t(openPrivacy === 'counted' ? 'delivery.results.loadsNote' : 'delivery.results.opensNote', {
              count: result.opens,
              n: format.number(result.opens),
            }),
    },
    {
      name: t('delivery.results.clicks'),
      value: share(result.clicks.people),
      note: [
        t('delivery.results.clicksNote', {
          human: format.number(result.clicks.human),
          raw: format.number(result.clicks.raw),
        }),
        result.clicks.people === null && t('ui.clicks.notKept'),
      ]
        .filter(Boolean)
        .join('. '),
    },
    {
      name: t('delivery.results.returned'),
      value: number(result.bounces),
      note: t('delivery.results.returnedNote', {
        count: result.complaints,
        n: format.number(result.complaints),
        rate: share(result.complaints),
      }),
    },
    { name: t('delivery.results.unsubs'), value: number(result.unsubscribes), note: share(result.unsubscribes) },
  ]
  return (
    <Section title={t('delivery.results.title')}>
      <dl className={classes.figures}>
        {figures.map(({ name, value, note }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <b>{value}</b>
              {accepted > 0 && <small>{note}</small>}
            </dd>
          </div>
        ))}
      </dl>
      <p className={classes.note}>{result.at && <ClickDefinition began={result.at} />}</p>
    </Section>
  )
}
