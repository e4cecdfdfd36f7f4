import { Button, Select } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { listSubscribers, SubscriberStatus } from '../../server/subscribers/contract.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { IconUserPlus } from '../ui/icons.ts'
import { Loading } from '../ui/loading.tsx'
import { MoreRows } from '../ui/more-rows.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { usePagedRows } from '../ui/use-pages.ts'
import { AddSubscriber } from './add-subscriber.tsx'
import { ExportMenu } from './export-menu.tsx'
import { LostSubscribers, SuppressionGroups, useSuppressionGroups } from './lost-subscribers.tsx'
import { SubscriberDrawer } from './subscriber-drawer.tsx'
import { SubscriberTable } from './subscriber-table.tsx'
import classes from './subscribers.module.css'

type Status = z.infer<typeof SubscriberStatus>

/** All subscribers: search, filter by state, add one, restore those who were lost, download them. */
export function SubscribersPage() {
  const { t } = useTranslation()
  const format = useFormat()
  const { id, may } = useNewsletter()
  const [status, setStatus] = useState<Status | null>(null)
  const [search, setSearch] = useState('')
  const [shown, setShown] = useState<string | null>(null)
  const [adding, add] = useDisclosure(false)
  const { query, rows, first } = usePagedRows([id, 'subscribers', status, search], (cursor, signal) =>
    call(listSubscribers, {
      params: { newsletterId: id },
      query: { cursor, search: search || undefined, status: status ?? undefined },
      signal,
    }),
  )
  const [restoring, restore] = useDisclosure(false)
  const groups = useSuppressionGroups(may('subscribers.write')).data?.groups ?? []
  const filtered = status !== null || search !== ''
  return (
    <>
      <PageTitle
        title={t('shell.nav.subscribers')}
        figure={first && (first.more ? t('subscribers.orMore', { total: first.total }) : format.number(first.total))}
      >
        {may('subscribers.export') && <ExportMenu shown={{ search, status: status ?? undefined }} />}
        {may('subscribers.write') && (
          <Button leftSection={<IconUserPlus size={15} stroke={1.6} />} onClick={add.open}>
            {t('subscribers.add')}
          </Button>
        )}
      </PageTitle>
      <LostSubscribers groups={groups} onSee={restore.open} />
      <div className={classes.filters}>
        <SearchField label={t('subscribers.search')} onSearch={setSearch} />
        <Select
          aria-label={t('subscribers.status')}
          placeholder={t('subscribers.everyStatus')}
          clearable
          data={SubscriberStatus.options.map((value) => ({ value, label: t(`subscribers.state.${value}`) }))}
          value={status}
          onChange={(value) => setStatus(value)}
        />
        {status === 'bounced' && groups.length > 0 && (
          <Button onClick={restore.open}>{t('subscribers.restore.byAnswer')}…</Button>
        )}
      </div>
      {query.isError && <ErrorNotice error={query.error} retry={query.refetch} />}
      {query.isPending && <Loading lines={10} row={46} />}
      {first && rows.length > 0 && <SubscriberTable rows={rows} onOpen={setShown} />}
      {first && rows.length === 0 && (filtered ? <NoMatches /> : <NoSubscribers onAdd={add.open} />)}
      <MoreRows query={query} />
      <AddSubscriber opened={adding} onClose={add.close} />
      <SuppressionGroups opened={restoring} onClose={restore.close} />
      <SubscriberDrawer subscriberId={shown} onClose={() => setShown(null)} />
    </>
  )
}

function NoMatches() {
  const { t } = useTranslation()
  return (
    <p className={classes.none} role="status">
      {t('subscribers.nobodyFits')}
    </p>
  )
}

function NoSubscribers({ onAdd }: { onAdd: () => void }) {
  const { t } = useTranslation()
  const { may } = useNewsletter()
  return (
    <EmptyState
      title={t('subscribers.nobody')}
      action={may('subscribers.write') && <Button onClick={onAdd}>{t('subscribers.add')}</Button>}
    >
      {t('subscribers.nobodyText')}
    </EmptyState>
  )
}
