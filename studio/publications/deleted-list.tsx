import { Button, Group } from '@mantine/core'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import type { listDeleted } from '../../server/publications/contract.ts'
import { useFormat } from '../format.ts'
import { ConfirmDelete } from '../ui/confirm-delete.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { shownTitle } from '../ui/shown-title.ts'
import classes from './publications.module.css'
import type { DeletedPublication } from './queries.ts'
import { usePublicationActions } from './use-publication-actions.tsx'

interface Props {
  list: UseInfiniteQueryResult<InfiniteData<z.infer<typeof listDeleted.reply>>>
  /** Whether words are searched for. */
  filtered: boolean
}

/** What was deleted: to be restored, or removed at once. */
export function DeletedList({ list, filtered }: Props) {
  const { t } = useTranslation()
  return (
    <QueryContent query={list}>
      {({ pages }) => {
        const rows = pages.flatMap((page) => page.rows)
        if (rows.length === 0)
          return filtered ? (
            <EmptyState title={t('publish.list.noneFound')}>{t('publish.list.noneFoundHow')}</EmptyState>
          ) : (
            <EmptyState title={t('publish.deleted.none')}>{t('publish.deleted.noneHow')}</EmptyState>
          )
        return (
          <>
            <p className={classes.deletedText}>{t('publish.deleted.text')}</p>
            <ul aria-label={t('publish.list.tabs.deleted')}>
              {rows.map((row) => (
                <DeletedRow key={row.id} row={row} />
              ))}
            </ul>
            {list.hasNextPage && (
              <Button mt="lg" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                {t('publish.list.more')}
              </Button>
            )}
          </>
        )
      }}
    </QueryContent>
  )
}

function DeletedRow({ row }: { row: DeletedPublication }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { restore, removeForGood } = usePublicationActions()
  const [busy, setBusy] = useState(false)
  const [asking, setAsking] = useState(false)
  const title = shownTitle(row.title, t)
  return (
    <li className={classes.deleted}>
      <div className={classes.name}>
        <span lang={row.language}>{title}</span>
        <small>
          {t('publish.deleted.when', { when: format.agoInWords(row.deletedAt) })} ·{' '}
          {t('publish.deleted.until', { day: format.day(row.keptUntil) })}
        </small>
      </div>
      <Group gap="xs">
        <Button
          size="xs"
          loading={busy}
          aria-label={t('publish.deleted.restoreNamed', { title })}
          onClick={() => {
            setBusy(true)
            void restore(row.id).finally(() => setBusy(false))
          }}
        >
          {t('publish.deleted.restore')}
        </Button>
        <Button
          size="xs"
          variant="subtle"
          color="rouge"
          aria-label={t('publish.deleted.removeNamed', { title })}
          onClick={() => setAsking(true)}
        >
          {t('publish.deleted.remove')}
        </Button>
      </Group>
      <ConfirmDelete
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('publish.deleted.ask.title', { title })}
        confirm={t('publish.deleted.ask.confirm')}
        onConfirm={() => removeForGood(row.id)}
      >
        {t('publish.deleted.ask.text')}
      </ConfirmDelete>
    </li>
  )
}
