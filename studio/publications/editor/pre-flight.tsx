import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type DomainChecks, domainChecksQuery } from '../../domains/queries.ts'
import { useFormat } from '../../format.ts'
import { useStopReason } from '../../sending/reasons.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { QueryContent } from '../../ui/query-content.tsx'
import { type Check, checkQuery, type Problem } from '../queries.ts'
import { instantOf, nextHour, wallTimeOf } from '../wall-clock.ts'
import { Checks } from './checks.tsx'
import type { Publication } from './draft.ts'
import classes from './send.module.css'
import { SendButton } from './send-button.tsx'
import { SubjectField } from './subject-field.tsx'
import { type Choice, WhenField } from './when-field.tsx'

/** What stands in the way of a mail does not stand in the way of the web. */
const ofMailOnly: Problem['code'][] = ['no_subscribers', 'no_sender', 'no_postal_address', 'owner_unconfirmed']

const blockers = ({ problems }: Check, choice: Choice['kind']): Problem[] =>
  problems.filter(({ code, blocks }) => blocks && !(choice === 'web' && ofMailOnly.includes(code)))

export function PreFlight({ publication }: { publication: Publication }) {
  const { t } = useTranslation()
  const newsletter = useNewsletter()
  const reason = useStopReason()
  const check = useQuery(checkQuery(newsletter.id, publication.id))
  return (
    <section className={classes.flight}>
      <h1>{t('publish.send.title')}</h1>
      {publication.status === 'draft' && publication.stoppedBy && (
        <Alert color="ocre" mb="md">
          {t('publish.send.stayed')} {reason(publication.stoppedBy)}
        </Alert>
      )}
      <QueryContent query={check}>{(data) => <Decision publication={publication} check={data} />}</QueryContent>
    </section>
  )
}

function Decision({ publication, check }: { publication: Publication; check: Check }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { timezone } = useNewsletter()
  const domain = useDomainLook(check)
  const [choice, setChoice] = useState<Choice>(() => ({
    kind: publication.status === 'scheduled' ? 'at' : 'now',
    wall: wallTimeOf(publication.scheduledAt ? new Date(publication.scheduledAt) : nextHour(new Date()), timezone),
  }))
  const blocking = blockers(check, choice.kind)
  const doubtful = domain !== null && domain.overall.state !== 'ready'
  const others = [check.mailIsCaught, doubtful].filter(Boolean).length
  const warnings = check.problems.filter(({ blocks }) => !blocks).length + others
  const moment = choice.kind === 'at' ? instantOf(choice.wall, timezone) : null
  return (
    <>
      <p className={classes.lead}>
        {blocking.length > 0
          ? t('publish.send.blocked', { count: blocking.length })
          : t('publish.send.clear', { count: warnings, n: format.number(warnings) })}
      </p>
      <Checks publication={publication} check={check} domain={domain} />
      <SubjectField publication={publication} />
      <WhenField choice={choice} change={setChoice} moment={moment} check={check} />
      <SendButton
        publication={publication}
        choice={choice}
        moment={moment}
        receive={check.audience.receive}
        blocked={blocking.length > 0}
      />
    </>
  )
}

/** Nothing leaves while mail is caught, and without a sender address there is no domain to ask about. */
function useDomainLook({ mailIsCaught, problems }: Check): DomainChecks | null {
  const { id, role } = useNewsletter()
  const mailed = !mailIsCaught && !problems.some(({ code }) => code === 'no_sender')
  const { data } = useQuery({ ...domainChecksQuery(id), enabled: mailed && role !== 'analyst' })
  return (mailed && data) || null
}
