import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { BulkAct, MOST_NAMED } from '../../server/subscribers/bulk/contract.ts'
import { countSubscribers } from '../../server/subscribers/contract.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import classes from './bulk.module.css'
import { BulkDialog } from './bulk-dialog.tsx'
import type { Chooser } from './use-choice.ts'
import type { Filters } from './use-list.ts'

interface Props {
  chooser: Chooser
  filters: Filters
  /** How many match, where they are counted to the last one. */
  matching: number | undefined
}

/** What can be done with those who are chosen. With all who match, they are counted to the last one first. */
export function BulkBar({ chooser, filters, matching }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id } = useNewsletter()
  const [act, setAct] = useState<BulkAct | null>(null)
  const { ids, all } = chooser.choice
  const counted = useQuery({
    queryKey: [id, 'subscribers', 'count', filters],
    queryFn: ({ signal }) => call(countSubscribers, { params: { newsletterId: id }, query: filters, signal }),
    enabled: all,
    staleTime: 0,
  })
  if (!all && ids.size === 0) return null
  const count = all ? counted.data?.total : ids.size
  const n = format.number(count)
  const tooMany = !all && ids.size > MOST_NAMED
  return (
    <section className={classes.bar} aria-label={t('subscribers.bulk.selected', { count: count ?? 0, n })}>
      <b aria-live="polite">
        {all && count !== undefined && t('subscribers.bulk.everyMatch', { count, n })}
        {!all && t('subscribers.bulk.selected', { count: ids.size, n })}
      </b>
      {!all && ids.size !== matching && (
        <Button size="xs" variant="subtle" onClick={chooser.all}>
          {t('subscribers.bulk.selectMatching')}
        </Button>
      )}
      <Button size="xs" variant="subtle" onClick={chooser.none}>
        {t('subscribers.bulk.unselect')}
      </Button>
      <span className={classes.acts}>
        {BulkAct.options.map((one) => (
          <Button
            key={one}
            size="xs"
            {...(one === 'erase' && { variant: 'subtle', color: 'rouge' })}
            disabled={!count || tooMany}
            onClick={() => setAct(one)}
          >
            {t(`subscribers.bulk.act.${one}`)}…
          </Button>
        ))}
      </span>
      {tooMany && <p role="status">{t('subscribers.bulk.tooMany', { most: format.number(MOST_NAMED) })}</p>}
      {all && counted.isError && <ErrorNotice error={counted.error} retry={counted.refetch} />}
      {act !== null && count !== undefined && (
        <BulkDialog
          act={act}
          count={count}
          chosen={all ? { matching: filters } : { ids: [...ids] }}
          onClose={() => setAct(null)}
          onStarted={chooser.none}
        />
      )}
    </section>
  )
}
