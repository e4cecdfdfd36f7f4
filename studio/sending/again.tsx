import { Alert, Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { listReasons, sendAgain } from '../../server/sending/contract.ts'
import type { RunningResult } from '../analytics/queries.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { usePublicationActions } from '../publications/use-publication-actions.tsx'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ConfirmDelete } from '../ui/confirm-delete.tsx'
import classes from './again.module.css'
import { useAnswerSentence } from './reason-sentences.ts'

type AgainState = 'failed' | 'deferred' | 'uncertain'

/** The answer that put off most copies of a sending, where most of them wait, with a button that tries all of them now. */
export function PutOff({ result }: { result: RunningResult }) {
  const { t } = useTranslation()
  const { may } = useNewsletter()
  const sentence = useAnswerSentence()
  const { deferred, intended } = result.counts
  const most = result.status === 'sending' && deferred * 2 > intended
  const { data } = useReasons(result, 'deferred', most)
  const said = sentence(data?.rows[0]?.answer ?? null, 'deferred')
  if (!most || !said) return null
  return (
    <Alert color="ocre" mb="md">
      <p>
        {t('publish.again.most')} {said.meaning} {said.words && <q>{said.words}</q>}
      </p>
      {may('publications.send') && <Again result={result} state="deferred" />}
    </Alert>
  )
}

function useReasons(result: RunningResult, state: AgainState, enabled = true) {
  const { id: newsletterId } = useNewsletter()
  // Reading the reasons costs more than counting, so it is not done anew with each copy of a sending that runs.
  const known = result.status === 'sending' ? null : result.counts[state]
  return useQuery({
    queryKey: [newsletterId, 'delivery-list', 'reasons', result.id, state, known],
    queryFn: () => call(listReasons, { params: { newsletterId, publicationId: result.id }, query: { state } }),
    enabled,
  })
}

/** Why copies did not arrive, most frequent first, each with a button that sends them again. */
export function SendAgain({ result, state }: { result: RunningResult; state: AgainState }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { may } = useNewsletter()
  const count = result.counts[state]
  const reasons = useReasons(result, state)
  if (!may('publications.send') || result.status === 'cancelled') return null
  const rows = reasons.data?.rows ?? []
  return (
    <section className={classes.again} aria-label={t('publish.again.title')}>
      <div className={classes.row}>
        <span>{t('publish.again.all', { count, n: format.number(count) })}</span>
        <Again result={result} state={state} />
      </div>
      {rows.length > 1 &&
        rows.map(({ reason, answer, count: n }) => (
          <div key={reason} className={classes.row}>
            <q>{answer}</q>
            <span className={classes.count}>{t('publish.again.count', { count: n, n: format.number(n) })}</span>
            <Again result={result} state={state} reason={reason} />
          </div>
        ))}
    </section>
  )
}

function Again({ result, state, reason }: { result: RunningResult; state: AgainState; reason?: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id: newsletterId } = useNewsletter()
  const { refresh } = usePublicationActions()
  const [asking, ask] = useDisclosure(false)
  const again = async () => {
    const params = { newsletterId, publicationId: result.id }
    const { queued } = await call(sendAgain, { params, body: { state, ...(reason !== undefined && { reason }) } })
    notifications.show({ message: t('publish.again.done', { count: queued, n: format.number(queued) }) })
    await refresh()
  }
  return (
    <>
      <Button size="xs" onClick={ask.open}>
        {t('publish.again.button')}
      </Button>
      <ConfirmDelete
        opened={asking}
        onClose={ask.close}
        title={t('publish.again.confirmTitle')}
        confirm={t('publish.again.button')}
        onConfirm={again}
      >
        {t('publish.again.confirmText')} {state === 'uncertain' && t('publish.again.uncertainText')}
      </ConfirmDelete>
    </>
  )
}
