import { Anchor, Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { removeWelcome, setWelcome } from '../../server/welcomes/contract.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { useStopReason } from '../sending/reason-sentences.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ConfirmDelete } from '../ui/confirm-delete.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { shownTitle } from '../ui/shown-title.ts'
import { StatusMark } from '../ui/status-mark.tsx'
import { type Welcome, welcomesQuery } from './queries.ts'
import classes from './welcomes.module.css'

const shapes = { on: 'sending', preparing: 'scheduled', paused: 'paused', stopped: 'stopped' } as const

/** Whether a welcome goes on, whom it has reached, and the buttons that hold and end it. */
export function WelcomeState({ welcome }: { welcome: Welcome }) {
  const { t } = useTranslation()
  const format = useFormat()
  const reason = useStopReason()
  const { counts, paused, preparing, stoppedBy, publication, earlier } = welcome
  const state = paused ? (stoppedBy ? 'stopped' : 'paused') : preparing ? 'preparing' : 'on'
  const others = (['caught', 'failed', 'uncertain'] as const).filter((kind) => counts[kind] > 0)
  return (
    <div className={classes.state}>
      <div className={classes.head}>
        <StatusMark shape={shapes[state]}>{t(`welcomes.state.${state}`)}</StatusMark>
        <b>{shownTitle(publication.title, t)}</b>
        <Anchor component={Link} to={`/publish/${publication.id}/deliveries`}>
          {t('welcomes.deliveries')}
        </Anchor>
      </div>
      {preparing && <p className={classes.lead}>{t('welcomes.preparing')}</p>}
      {state === 'paused' && <p className={classes.lead}>{t('welcomes.held')}</p>}
      {stoppedBy && (
        <p className={classes.stopped}>
          {t('welcomes.stoppedText')} {reason(stoppedBy)} {t('welcomes.held')}
        </p>
      )}
      <dl className={classes.counts}>
        {(['accepted', 'waiting', ...others] as const).map((kind) => (
          <div key={kind}>
            <dt>{t(`welcomes.${kind}`)}</dt>
            <dd>{format.number(counts[kind])}</dd>
          </div>
        ))}
      </dl>
      {earlier.waiting > 0 && (
        <p className={classes.lead}>
          {t('welcomes.earlier', { count: earlier.waiting, n: format.number(earlier.waiting) })}
          {earlier.stoppedBy && ` ${reason(earlier.stoppedBy)}`}
          {earlier.paused && ` ${t('welcomes.earlierPaused', { button: t('welcomes.resume') })}`}
        </p>
      )}
      <Acts welcome={welcome} />
    </div>
  )
}

function Acts({ welcome }: { welcome: Welcome }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id, may } = useNewsletter()
  const [ending, ask] = useDisclosure(false)
  const queries = useQueryClient()
  const params = { newsletterId: id }
  const refresh = () => queries.invalidateQueries({ queryKey: welcomesQuery(id).queryKey })
  const { segment, publication, delayDays, paused, counts, earlier } = welcome
  const set = useMutation({
    mutationFn: (change: { paused: boolean }) =>
      call(setWelcome, {
        params,
        body: { segmentId: segment?.id ?? null, publicationId: publication.id, delayDays, ...change },
      }),
    onSettled: refresh,
  })
  const end = async () => {
    await call(removeWelcome, { params: { ...params, welcomeId: welcome.id } })
    notifications.show({ message: t('welcomes.ended') })
    await refresh()
  }
  if (!may('publications.send')) return null
  return (
    <>
      <ErrorNotice error={set.error} />
      <div className={classes.acts}>
        {(paused || earlier.paused) && (
          <Button size="xs" loading={set.isPending} onClick={() => set.mutate({ paused: false })}>
            {t('welcomes.resume')}
          </Button>
        )}
        {!paused && (
          <Button size="xs" loading={set.isPending} onClick={() => set.mutate({ paused: true })}>
            {t('welcomes.pause')}
          </Button>
        )}
        <Button size="xs" variant="subtle" color="rouge" onClick={ask.open}>
          {t('welcomes.end')}
        </Button>
      </div>
      <ConfirmDelete
        opened={ending}
        onClose={ask.close}
        title={t('welcomes.endAsk')}
        confirm={t('welcomes.end')}
        onConfirm={end}
      >
        {t('welcomes.endText', { count: counts.waiting, n: format.number(counts.waiting) })}
      </ConfirmDelete>
    </>
  )
}
