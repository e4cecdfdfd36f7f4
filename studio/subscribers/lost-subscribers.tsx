import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { holdMarks } from '../../i18n/french-spaces.ts'
import { liftSuppressions, listSuppressionGroups, type SuppressionGroup } from '../../server/subscribers/contract.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { RestoreForm } from './restore-form.tsx'
import { useRestored } from './restored.ts'
import classes from './subscribers.module.css'

type Group = z.infer<typeof SuppressionGroup>

/** So many subscribers with one answer that is not about their addresses are no accident. */
const NOTICED = 5

export function useSuppressionGroups(enabled: boolean) {
  const { id } = useNewsletter()
  return useQuery({
    queryKey: [id, 'subscribers', 'groups'],
    queryFn: () => call(listSuppressionGroups, { params: { newsletterId: id }, query: {} }),
    enabled,
  })
}

/** Says that many subscribers were lost to an answer that was not about their addresses, and leads to their restoration. */
export function LostSubscribers({ groups, onSee }: { groups: Group[]; onSee: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const lost = groups.filter(({ answer, gone, subscribers }) => answer !== '' && !gone && subscribers >= NOTICED)
  const [largest] = lost
  if (!largest) return null
  const count = lost.reduce((sum, { subscribers }) => sum + subscribers, 0)
  return (
    <div className={classes.lost} role="note">
      <div>
        <p>
          <b>{t('subscribers.restore.notice', { count, n: format.number(count) })}</b>
        </p>
        <q>{largest.answer}</q>
        <p>{t('subscribers.restore.noticeText')}</p>
      </div>
      <Button onClick={onSee}>{t('subscribers.restore.see')}</Button>
    </div>
  )
}

/** All groups of bounced subscribers by the answer that suppressed them, each with a button that restores it. */
export function SuppressionGroups({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const query = useSuppressionGroups(opened)
  return (
    <Dialog opened={opened} onClose={onClose} title={t('subscribers.restore.title')} size="lg">
      <QueryContent query={query}>
        {({ groups }) =>
          groups.length === 0 ? (
            <p className={classes.hint}>{t('subscribers.restore.none')}</p>
          ) : (
            <>
              <p className={classes.hint}>{t('subscribers.restore.intro')}</p>
              <ul className={classes.groups}>
                {groups
                  .toSorted((a, b) => Number(a.gone) - Number(b.gone))
                  .map((group) => (
                    <GroupItem key={`${group.publication?.id} ${group.answer}`} group={group} />
                  ))}
              </ul>
            </>
          )
        }
      </QueryContent>
    </Dialog>
  )
}

function GroupItem({ group }: { group: Group }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [asking, setAsking] = useState(false)
  const restore = useRestoreGroup(group)
  const { answer, publication, subscribers, from, to, gone } = group
  const days = [...new Set([format.dayOfYear(from), format.dayOfYear(to)])].join(' – ')
  const n = format.number(subscribers)
  return (
    <li>
      <div>
        <p>{answer ? <q>{answer}</q> : t('subscribers.restore.noWords')}</p>
        <small>
          {[t('subscribers.restore.subscribers', { count: subscribers, n }), holdMarks(publication?.title ?? ''), days]
            .filter(Boolean)
            .join(' · ')}
        </small>
        {gone && <small>{t('subscribers.restore.gone')}</small>}
      </div>
      {asking ? (
        <RestoreForm
          example={t('subscribers.restore.reasonOfGroup')}
          confirm={t('subscribers.restore.many', { count: subscribers, n })}
          onCancel={() => setAsking(false)}
          onRestore={restore}
        />
      ) : (
        <Button size="xs" variant={gone ? 'subtle' : 'default'} onClick={() => setAsking(true)}>
          {t('subscribers.restore.one')}…
        </Button>
      )}
    </li>
  )
}

function useRestoreGroup({ answer, publication }: Group) {
  const { id } = useNewsletter()
  const queries = useQueryClient()
  const restored = useRestored()
  return async (reason: string) => {
    const body = { reason, answer, publicationId: publication?.id ?? null }
    const lifted = await call(liftSuppressions, { params: { newsletterId: id }, body })
    notifications.show({ message: restored(lifted) })
    await queries.invalidateQueries({ queryKey: [id, 'subscribers'] })
  }
}
