import { Button } from '@mantine/core'
import { useSessionStorage } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type BulkChange,
  listBulkChanges,
  stopBulkChange,
  undoBulkChange,
} from '../../server/subscribers/bulk/contract.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { ProgressBar } from '../ui/progress-bar.tsx'
import classes from './bulk.module.css'

const isUnderWay = ({ state }: BulkChange): boolean => state === 'running' || state === 'undoing'

/**
 * The newest change of many subscribers: how far it is, what came of it, and the buttons that stop it or take it back. What was over before the
 * page was opened is shown to whoever can still take it back.
 */
export function BulkProgress() {
  const { id, may } = useNewsletter()
  const queries = useQueryClient()
  const [hidden, hide] = useSessionStorage<string>({ key: `hidden change of ${id}`, defaultValue: '' })
  const { data: changes = [], isFetched } = useQuery({
    queryKey: [id, 'bulk'],
    queryFn: async () => (await call(listBulkChanges, { params: { newsletterId: id } })).changes,
    // Live events tell of each batch; this is for when they do not come through.
    refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? 5_000 : false),
  })
  const [newest] = changes
  const key = newest ? `${newest.id} ${newest.state}` : ''
  const [before, setBefore] = useState<string | null>(null)
  if (before === null && isFetched) setBefore(key)
  const underWay = newest !== undefined && isUnderWay(newest)
  const wasUnderWay = useRef(underWay)
  useEffect(() => {
    if (wasUnderWay.current && !underWay) {
      void queries.invalidateQueries({ queryKey: [id, 'subscribers'] })
      void queries.invalidateQueries({ queryKey: [id, 'segments'] })
    }
    wasUnderWay.current = underWay
  }, [underWay, queries, id])
  if (!newest || hidden === key) return null
  if (underWay) return <UnderWay change={newest} />
  const canBeUndone = newest.undoUntil !== null && may('subscribers.write')
  return key === before && !canBeUndone ? null : <Over change={newest} onHide={() => hide(key)} />
}

function useAct(endpoint: typeof stopBulkChange | typeof undoBulkChange) {
  const { id } = useNewsletter()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (bulkChangeId: string) => call(endpoint, { params: { newsletterId: id, bulkChangeId } }),
    onSettled: () => queries.invalidateQueries({ queryKey: [id, 'bulk'] }),
  })
}

const tagName = (t: TFunction, { tag }: BulkChange): string => tag?.name ?? t('subscribers.bulk.gone')

function UnderWay({ change }: { change: BulkChange }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { may } = useNewsletter()
  const stop = useAct(stopBulkChange)
  const undoing = change.state === 'undoing'
  const [done, total] = undoing ? [change.undone, change.changed] : [change.done, change.total]
  const what = undoing
    ? t('subscribers.bulk.undoing')
    : t(`subscribers.bulk.running.${change.act}`, { tag: tagName(t, change) })
  return (
    <div className={classes.progress} role="status">
      <p>
        <b>{what}</b>{' '}
        <span>{t('subscribers.bulk.progress', { done: format.number(done), total: format.number(total) })}</span>{' '}
        <small>{t('subscribers.bulk.closable')}</small>
      </p>
      {!undoing && may('subscribers.write') && (
        <Button size="xs" loading={stop.isPending} onClick={() => stop.mutate(change.id)}>
          {t('subscribers.bulk.stop')}
        </Button>
      )}
      <ProgressBar value={done} of={total} label={what} />
      <ErrorNotice error={stop.error} />
    </div>
  )
}

function Over({ change, onHide }: { change: BulkChange; onHide: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { may } = useNewsletter()
  const undo = useAct(undoBulkChange)
  const { act, state, total, done, changed, restored, undoUntil } = change
  const [n, of] = [format.number(changed), format.number(total)]
  const rest = done - changed
  const sentences =
    state === 'undone'
      ? [
          changed === 1 && restored === 1
            ? t('subscribers.bulk.undoneOne')
            : t('subscribers.bulk.undone', { restored: format.number(restored), changed: n }),
          restored < changed && t('subscribers.bulk.stayed'),
        ]
      : [
          state === 'stopped' &&
            t(change.askerLostRight ? 'subscribers.bulk.askerLostRight' : 'subscribers.bulk.stopped'),
          t(`subscribers.bulk.${changed === 1 && total === 1 ? 'doneOne' : 'done'}.${act}`, {
            ...{ tag: tagName(t, change), changed: n, total: of },
          }),
          rest > 0 && t(`subscribers.bulk.rest.${act}`, { count: rest, n: format.number(rest) }),
        ]
  return (
    <div className={classes.progress} role="status">
      <p>{sentences.filter(Boolean).join(' ')}</p>
      {undoUntil !== null && may('subscribers.write') && (
        <Button size="xs" loading={undo.isPending} onClick={() => undo.mutate(change.id)}>
          {t('subscribers.bulk.undo')}
        </Button>
      )}
      <Button size="xs" variant="subtle" onClick={onHide}>
        {t('subscribers.bulk.dismiss')}
      </Button>
      <ErrorNotice error={undo.error} />
    </div>
  )
}
