import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Recommendation } from '../../../server/campaigns/recommendations/contract.ts'
import { acceptRemoteChange } from '../../../server/campaigns/recommendations/remote/contract.ts'
import { call } from '../../api.ts'
import { useNewsletter } from '../../shell/newsletter.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { recommendationsKey } from './queries.ts'
import classes from './recommendations.module.css'

/** The name or key that a newsletter of another server has now, until the owner accepts it. */
export function RemoteChange({ row }: { row: Recommendation }) {
  const { t } = useTranslation()
  const { id, may } = useNewsletter()
  const queries = useQueryClient()
  const changed = row.remote?.changed ?? null
  const accept = useMutation({
    mutationFn: (body: { name: string; key: string }) =>
      call(acceptRemoteChange, { params: { newsletterId: id, recommendationId: row.id }, body }),
    onSettled: () => queries.invalidateQueries({ queryKey: recommendationsKey(id) }),
  })
  if (!changed) return null
  return (
    <div className={classes.changed}>
      {changed.key !== row.remote?.key && <p>{t('recommendations.remote.changedKey', { key: changed.key })}</p>}
      {changed.name !== row.name && <p>{t('recommendations.remote.changedName', { name: changed.name })}</p>}
      <ErrorNotice error={accept.error} />
      {may('campaigns.write') && (
        <Button
          size="xs"
          loading={accept.isPending}
          aria-label={t('recommendations.remote.acceptOne', { other: row.name })}
          onClick={() => accept.mutate(changed)}
        >
          {t('recommendations.remote.accept')}
        </Button>
      )}
    </div>
  )
}
