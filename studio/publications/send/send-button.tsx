import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { dateFormat } from '../../../server/languages.ts'
import { sendPublication } from '../../../server/publications/contract.ts'
import { AudienceChoice } from '../../../server/segments/contract.ts'
import { call } from '../../api.ts'
import { useFormat } from '../../format.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { IconRubberStamp } from '../../ui/icons.ts'
import type { SendTime } from '../../wall-clock.ts'
import type { Publication } from '../queries.ts'
import { usePublicationActions } from '../use-publication-actions.tsx'
import classes from './send.module.css'
import { isTooFar, type SendChoice } from './when-field.tsx'

interface Props {
  publication: Publication
  choice: SendChoice
  moment: SendTime | null
  audience: AudienceChoice
  receive: number
  blocked: boolean
  /** The checks of what was chosen last are not there yet. */
  counting: boolean
}

/** The button that sends or schedules, beside a sentence that says what it will do. */
export function SendButton({ publication, choice, moment, audience, receive, blocked, counting }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const { timezone, takeBackSeconds } = useNewsletter()
  const { run } = usePublicationActions()
  const waits = blocked || counting
  const unready = choice.kind === 'at' && (moment === null || moment.instant.getTime() <= Date.now())
  const count = { count: receive, n: format.number(receive) }
  const clock = dateFormat(format.locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: timezone })
  const when = moment ? clock.format(moment.instant) : '—'
  const before = publication.scheduledAt ? clock.format(new Date(publication.scheduledAt)) : ''
  const { busy, error, send } = useSend({ publication, choice, moment, audience, when, before })
  const words = {
    now: t('publish.pass.now', count),
    at: unready
      ? t(isTooFar(choice.wall) ? 'publish.when.later' : 'publish.pass.noTime')
      : t('publish.pass.at', { ...count, when }),
    web: t('publish.pass.web'),
  }
  return (
    <>
      <ErrorNotice error={error} />
      <div className={classes.send}>
        <Button
          size="lg"
          h={40}
          variant="filled"
          color="encre"
          disabled={waits || unready}
          loading={busy}
          aria-describedby="pass-words"
          leftSection={<IconRubberStamp size={17} stroke={1.6} aria-hidden="true" />}
          onClick={() => void send()}
        >
          {t('publish.pass.button')}
        </Button>
        <p id="pass-words">
          {blocked ? t('publish.pass.blocked') : counting ? t('publish.pass.counting') : words[choice.kind]}
          {!waits && choice.kind !== 'at' && takeBackSeconds > 0 && (
            <> {t('publish.pass.takeBack', { count: takeBackSeconds })}</>
          )}
          {!waits && choice.kind === 'now' && takeBackSeconds === 0 && <> {t('publish.pass.stop')}</>}
        </p>
        {publication.status === 'scheduled' && (
          <Button variant="subtle" onClick={() => void run('unschedule', publication.id)}>
            {t('publish.takeBack.button')}
          </Button>
        )}
      </div>
    </>
  )
}

interface SendOptions extends Pick<Props, 'publication' | 'choice' | 'moment' | 'audience'> {
  /** The scheduled time as text. */
  when: string
  /** The time for which it is scheduled until now, as text. */
  before: string
}

function useSend({ publication, choice, moment, audience, when, before }: SendOptions) {
  const newsletter = useNewsletter()
  const navigate = useNavigate()
  const { refresh, notifyScheduled } = usePublicationActions()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const send = async () => {
    setBusy(true)
    setError(null)
    try {
      const sent = await call(sendPublication, {
        params: { newsletterId: newsletter.id, publicationId: publication.id },
        body: {
          channel: choice.kind === 'web' ? 'web' : 'everywhere',
          audience,
          at: choice.kind === 'at' && moment ? moment.instant.toISOString() : null,
        },
      })
      await refresh()
      const waits = sent.status === 'scheduled' && sent.takeBackSeconds === null
      if (waits) {
        const at = publication.scheduledAt
        notifyScheduled(sent.id, when, at === null ? null : { when: before, body: { ...orderOf(publication), at } })
      }
      await navigate(waits ? '/publish' : `/publish/${sent.id}`)
    } catch (refusal) {
      setError(refusal)
    } finally {
      setBusy(false)
    }
  }
  return { busy, error, send }
}

/** To whom and by which channel it is scheduled. */
function orderOf({ channel, audience }: Publication) {
  const planned = AudienceChoice.safeParse(audience)
  return { channel, ...(planned.success && { audience: planned.data }) }
}
