import { Button } from '@mantine/core'
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

type AgainState = 'failed' | 'deferred' | 'uncertain'

/** Why copies did not arrive, most frequent first, each with a button that sends them again. */
export function SendAgain({ result, state }: { result: RunningResult; state: AgainState }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id: newsletterId, may } = useNewsletter()
  const count = result.counts[state]
  // Reading the reasons costs more than counting, so it is not done anew with each copy of a sending that runs.
  const known = result.status === 'sending' ? null : count
  const reasons = useQuery({
    queryKey: [newsletterId, 'delivery-list', 'reasons', result.id, state, known],
    queryFn: () => call(listReasons, { params: { newsletterId, publicationId: result.id }, query: { state } }),
  })
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
