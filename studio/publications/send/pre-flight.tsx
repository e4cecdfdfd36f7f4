import { Alert } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { planDay } from '../../../server/publications/contract.ts'
import { AudienceChoice } from '../../../server/segments/contract.ts'
import { ApiError, call } from '../../api.ts'
import { type DomainChecks, domainChecksQuery } from '../../domains/queries.ts'
import { useFormat } from '../../format.ts'
import { segmentsQuery } from '../../segments/queries.ts'
import { useStopReason } from '../../sending/reason-sentences.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { sponsorshipKey } from '../../sponsorship/queries.ts'
import { useErrorToast } from '../../ui/error-toast.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { instantAt, isWholeDay, timeOn, timeToOffer, wallTimeOf } from '../../wall-clock.ts'
import { welcomesQuery } from '../../welcomes/queries.ts'
import { PLANNED_DAY } from '../publication-address.ts'
import {
  type PreFlightReport,
  type Publication,
  preFlightQuery,
  publicationQuery,
  reachQuery,
  slotsQuery,
} from '../queries.ts'
import { AudienceField } from './audience-field.tsx'
import { keepAudience, keepChoice, keptAudience, keptChoice } from './kept-choice.ts'
import { reachWarnings } from './link-lines.tsx'
import { isForLater, PreFlightChecks } from './pre-flight-checks.tsx'
import classes from './send.module.css'
import { SendButton } from './send-button.tsx'
import { slotWarnings } from './slot-lines.tsx'
import { SubjectField } from './subject-field.tsx'
import { type SendChoice, WhenField } from './when-field.tsx'

type Channel = 'everywhere' | 'web'

interface Props {
  publication: Publication
  /** When this page was opened, as an ISO 8601 instant: what goes out now goes out then. */
  opened: string
  /** Told when it would go out, whenever that changes. */
  setTime: (at: string) => void
}

export function PreFlight({ publication, opened, setTime }: Props) {
  const { t } = useTranslation()
  const newsletter = useNewsletter()
  const reason = useStopReason()
  const [audience, setAudience] = useState<AudienceChoice>(() => {
    const kept = keptAudience(publication)
    if (kept) return kept
    const planned = AudienceChoice.safeParse(publication.audience)
    return planned.success ? planned.data : { kind: 'everyone' }
  })
  const { data: welcomes = [] } = useQuery(welcomesQuery(newsletter.id))
  const isWelcome = welcomes.some((welcome) => welcome.publication.id === publication.id)
  const [channel, setChannel] = useState<Channel>('everywhere')
  const gone = useIsGone(audience)
  // The other checks go on. Nothing leaves before another audience is chosen.
  const asked = gone ? { kind: 'everyone' as const } : audience
  const check = useQuery(preFlightQuery(newsletter.id, publication.id, { audience: asked, channel }))
  const queries = useQueryClient()
  const isRefused = check.error instanceof ApiError && check.error.code === 'segment_not_found'
  useEffect(() => {
    if (isRefused) void queries.invalidateQueries({ queryKey: segmentsQuery(newsletter.id).queryKey })
  }, [isRefused, queries, newsletter.id])
  return (
    <section className={classes.preFlight}>
      <h1>{t('publish.send.title')}</h1>
      {publication.status === 'draft' && publication.stoppedBy && (
        <Alert color="ocre" my="md">
          {t('publish.send.stayed')} {reason(publication.stoppedBy)}
        </Alert>
      )}
      {isWelcome && (
        <Alert color="ocre" my="md">
          {t('welcomes.onSend')}
        </Alert>
      )}
      <QueryContent query={check}>
        {(data) => (
          <SendForm
            publication={publication}
            check={data}
            counting={check.isPlaceholderData || check.isError}
            audience={audience}
            gone={gone}
            chooseAudience={(chosen) => {
              keepAudience(publication.id, chosen)
              setAudience(chosen)
            }}
            channel={channel}
            setChannel={setChannel}
            opened={opened}
            setTime={setTime}
          />
        )}
      </QueryContent>
    </section>
  )
}

/** Whether the segment that was chosen is not there any more. */
function useIsGone(audience: AudienceChoice): boolean {
  const { id } = useNewsletter()
  const { data: segments } = useQuery(segmentsQuery(id))
  return audience.kind === 'segment' && segments?.every((segment) => segment.id !== audience.segmentId) === true
}

const channelOf = ({ kind }: Pick<SendChoice, 'kind'>): Channel => (kind === 'web' ? 'web' : 'everywhere')

interface SendFormProps extends Props {
  check: PreFlightReport
  /** The checks are those of the audience or channel that was chosen before. */
  counting: boolean
  audience: AudienceChoice
  /** Its segment was deleted meanwhile. */
  gone: boolean
  chooseAudience: (audience: AudienceChoice) => void
  /** That of the checks. */
  channel: Channel
  setChannel: (channel: Channel) => void
}

function SendForm({ publication, check, counting, opened, setTime, ...chosen }: SendFormProps) {
  const { audience, chooseAudience, channel, setChannel } = chosen
  const { t } = useTranslation()
  const format = useFormat()
  const { id: newsletterId, timezone } = useNewsletter()
  const domain = useDomainChecks(check, channel)
  const onDay = (day: string): SendChoice => {
    const chosen = publication.scheduledAt ? new Date(publication.scheduledAt) : null
    const last = check.lastMailAt ? new Date(check.lastMailAt) : null
    return { kind: 'at', wall: timeOn({ day, chosen, last, timezone, now: new Date() }) }
  }
  const [search] = useSearchParams()
  const asked = search.get(PLANNED_DAY)
  const { keepDay, isAnswered } = useKeptDay(publication)
  const [choice, setChoice] = useState<SendChoice>(() => {
    const kept = keptChoice(publication)
    const { scheduledAt, plannedDay } = publication
    const isAhead = !scheduledAt && plannedDay !== null && plannedDay >= wallTimeOf(new Date(), timezone).date
    const day = asked ?? (isAhead && (isAnswered || !kept) ? plannedDay : null)
    // An hour that was chosen in this tab stays. Another day was chosen by somebody since, unless the server has still to answer this tab.
    if (kept && (!day || dayOf(kept) === day)) return kept
    if (day) return onDay(day)
    const wall = scheduledAt ? wallTimeOf(new Date(scheduledAt), timezone) : timeToOffer(new Date(), timezone)
    return { kind: publication.status === 'scheduled' ? 'at' : 'now', wall }
  })
  useEffect(() => setChannel(channelOf(choice)), [choice, setChannel])
  const gone = chosen.gone && choice.kind !== 'web'
  const blocking = check.problems.filter(({ blocks }) => blocks).length + (gone ? 1 : 0)
  const doubtful = domain !== null && domain.overall.state !== 'ready'
  const others = [check.mailIsCaught && choice.kind !== 'web', doubtful].filter(Boolean).length
  const moment = choice.kind === 'at' ? instantAt(choice.wall, timezone) : null
  const at = moment?.instant.toISOString() ?? opened
  useEffect(() => setTime(at), [at, setTime])
  useEffect(() => keepChoice(publication.id, choice), [publication.id, choice])
  const choose = (next: SendChoice) => {
    setChoice(next)
    if (next.kind !== 'at' || isWholeDay(next.wall.date)) keepDay(dayOf(next))
  }
  useEffect(() => {
    if (asked) keepDay(asked)
  }, [asked, keepDay])
  const slots = useSlots(publication, choice.kind, at)
  const reach = useQuery(reachQuery(newsletterId, publication))
  const warnings =
    check.problems.filter((problem) => !problem.blocks && !isForLater(problem, check)).length +
    others +
    (slots === null ? 0 : slotWarnings(slots)) +
    (reach.data ? reachWarnings(reach.data) : 0)
  return (
    <>
      <p className={classes.summary}>
        {blocking > 0
          ? t('publish.send.blocked', { count: blocking })
          : t('publish.send.clear', { count: warnings, n: format.number(warnings) })}
      </p>
      <PreFlightChecks
        {...{ publication, check, audience, domain, slots, reach, gone }}
        webOnly={choice.kind === 'web'}
        plan={(day) => choose(onDay(day))}
      />
      {choice.kind !== 'web' && (
        <>
          <SubjectField publication={publication} />
          <AudienceField audience={audience} gone={gone} choose={chooseAudience} />
        </>
      )}
      <WhenField {...{ choice, moment }} change={choose} receive={chosen.gone ? null : check.audience.receive} />
      <SendButton
        publication={publication}
        choice={choice}
        moment={moment}
        audience={audience}
        receive={check.audience.receive}
        blocked={blocking > 0}
        counting={counting}
      />
    </>
  )
}

const dayOf = (choice: SendChoice): string | null => (choice.kind === 'at' ? choice.wall.date || null : null)

/**
 * Keeps the day that somebody chose with the draft: a colleague, and the same person on another device, see it too. Until the server has
 * answered, the draft that is known has an older one.
 */
function useKeptDay({ id: publicationId, status, plannedDay }: Publication) {
  const { id: newsletterId, may } = useNewsletter()
  const queries = useQueryClient()
  const showError = useErrorToast()
  const mutationKey = ['plan', publicationId]
  const [isAnswered] = useState(() => queries.isMutating({ mutationKey }) === 0)
  const { mutate } = useMutation({
    mutationKey,
    // One after the other: the server must end with the day that was chosen last.
    scope: { id: `plan ${publicationId}` },
    mutationFn: (day: string | null) => call(planDay, { params: { newsletterId, publicationId }, body: { day } }),
    onSuccess: (_, day) => {
      const { queryKey } = publicationQuery(newsletterId, publicationId)
      queries.setQueryData(queryKey, (known) => known && { ...known, plannedDay: day })
      void queries.invalidateQueries({ queryKey })
      return queries.invalidateQueries({ queryKey: sponsorshipKey(newsletterId) })
    },
    onError: showError,
  })
  const known = useRef(isAnswered ? plannedDay : undefined)
  const isKept = status === 'draft' && may('publications.write')
  const keepDay = useCallback(
    (day: string | null) => {
      if (!isKept || known.current === day) return
      known.current = day
      mutate(day)
    },
    [isKept, mutate],
  )
  return { keepDay, isAnswered }
}

/** What its sponsor slots carry at the moment that is chosen; null until it is known. */
function useSlots({ id: publicationId }: Publication, kind: SendChoice['kind'], at: string) {
  const { id } = useNewsletter()
  const { data } = useQuery(slotsQuery(id, publicationId, { at, channel: channelOf({ kind }) }))
  return data ?? null
}

/** Null when no mail will leave, because it is caught or there is no sender address whose domain could be checked. */
function useDomainChecks({ mailIsCaught, problems }: PreFlightReport, channel: Channel): DomainChecks | null {
  const { id, may } = useNewsletter()
  const mailed = channel === 'everywhere' && !mailIsCaught && !problems.some(({ code }) => code === 'no_sender')
  const { data } = useQuery({ ...domainChecksQuery(id), enabled: mailed && may('domains.read') })
  return (mailed && data) || null
}
