import { Anchor, Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { studioPaths } from '../../server/http/studio-paths.ts'
import { MOST_NAMED } from '../../server/subscribers/bulk/contract.ts'
import { listSubscribers } from '../../server/subscribers/contract.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { HandleOffer } from '../newsletters/handle-offer.tsx'
import { useClient } from '../shell/client.tsx'
import { useNewsletter } from '../shell/newsletter.tsx'
import { CopyField } from '../ui/copy-field.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { IconUpload, IconUserPlus } from '../ui/icons.ts'
import { Loading } from '../ui/loading.tsx'
import { MoreRows } from '../ui/more-rows.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { usePagedRows } from '../ui/use-pages.ts'
import { AddSubscriber } from './add-subscriber.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { BulkProgress } from './bulk-progress.tsx'
import { ColumnChooser, useChosenColumns, useColumns } from './columns.tsx'
import { ExportMenu, type Part } from './export-menu.tsx'
import { FilterBar, OrderField } from './filters.tsx'
import { LostSubscribers, SuppressionGroups, useSuppressionGroups } from './lost-subscribers.tsx'
import { SubscriberDrawer } from './subscriber-drawer.tsx'
import { SubscriberTable } from './subscriber-table.tsx'
import classes from './subscribers.module.css'
import { useChoice } from './use-choice.ts'
import { useList } from './use-list.ts'
import { WhoCounts } from './who-counts.tsx'

/** All subscribers: search, filters, an order, columns to choose, acts on many of them; add one, restore those who were lost, export as CSV. */
export function SubscribersPage() {
  const { t } = useTranslation()
  const format = useFormat()
  const { id, may, subscribers } = useNewsletter()
  const { singleKeys } = useClient().profile
  const list = useList()
  const { filters, sort, direction } = list
  const chooser = useChoice(filters)
  const columns = useColumns()
  const [chosenColumns, chooseColumns] = useChosenColumns()
  const [adding, add] = useDisclosure(false)
  const { query, rows, first } = usePagedRows([id, 'subscribers', 'list', filters, sort, direction], (cursor, signal) =>
    call(listSubscribers, { params: { newsletterId: id }, query: { ...filters, sort, direction, cursor }, signal }),
  )
  const [restoring, restore] = useDisclosure(false)
  const groups = useSuppressionGroups(may('subscribers.write')).data?.groups ?? []
  const { ids, all } = chooser.choice
  const filtered = Object.values(filters).some((value) => value !== undefined)
  const shown: Part | null = filtered ? { which: 'shown', chosen: { matching: filters } } : null
  const areNamed = !all && ids.size > 0 && ids.size <= MOST_NAMED
  const exported: Part | null = areNamed ? { which: 'chosen', chosen: { ids: [...ids] } } : shown
  return (
    <>
      <PageTitle
        title={t('shell.nav.subscribers')}
        figure={
          <>
            {format.number(subscribers)} <WhoCounts />
          </>
        }
      >
        <ColumnChooser columns={columns} chosen={chosenColumns} choose={chooseColumns} sort={sort} />
        {may('subscribers.export') && <ExportMenu part={exported} />}
        {may('subscribers.import') && (
          <Button component={Link} to={studioPaths.imports} leftSection={<IconUpload size={15} stroke={1.6} />}>
            {t('imports.button')}
          </Button>
        )}
        {may('subscribers.write') && (
          <Button leftSection={<IconUserPlus size={15} stroke={1.6} />} onClick={add.open}>
            {t('subscribers.add')}
          </Button>
        )}
      </PageTitle>
      <LostSubscribers groups={groups} onSee={restore.open} />
      <div className={classes.over} data-chosen={all || ids.size > 0 || undefined}>
        <FilterBar list={list} />
        {may('subscribers.write') && (
          <BulkBar chooser={chooser} filters={filters} matching={first?.more ? undefined : first?.total} />
        )}
      </div>
      {filters.status === 'bounced' && groups.length > 0 && (
        <p className={classes.filters}>
          <Button onClick={restore.open}>{t('subscribers.restore.byAnswer')}…</Button>
        </p>
      )}
      <BulkProgress />
      {query.isError && <ErrorNotice error={query.error} retry={query.refetch} />}
      {(query.isPending || rows.length > 0) && (
        <div className={classes.total}>
          <p role="status">
            {first &&
              t(filtered ? 'subscribers.list.fit' : 'subscribers.list.everybody', {
                count: first.total,
                n: first.more ? t('subscribers.orMore', { total: first.total }) : format.number(first.total),
              })}
          </p>
          <OrderField list={list} />
        </div>
      )}
      {query.isPending && <Loading lines={10} row={46} />}
      {first && rows.length > 0 && (
        <>
          <SubscriberTable
            rows={rows}
            columns={columns.filter((column) => chosenColumns.includes(column.id) || column.sort === sort)}
            list={list}
            chooser={may('subscribers.write') ? chooser : null}
          />
          <p className={classes.keys}>
            {t(may('subscribers.write') ? 'subscribers.list.keys' : 'subscribers.list.keysToRead')}{' '}
            {singleKeys && t('subscribers.list.slash')}
          </p>
        </>
      )}
      {first && rows.length === 0 && (filtered ? <NoMatches /> : <NoSubscribers onAdd={add.open} />)}
      <MoreRows query={query} />
      <AddSubscriber opened={adding} onClose={add.close} />
      <SuppressionGroups opened={restoring} onClose={restore.close} />
      <SubscriberDrawer subscriberId={list.open} onClose={() => list.change({ open: null })} />
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
  const { may, mayMail, urls } = useNewsletter()
  return (
    <EmptyState
      title={t('subscribers.nobody')}
      action={
        <>
          <div className={classes.share}>
            <CopyField
              value={urls.subscribe}
              shown={
                <Anchor href={urls.subscribe} target="_blank" rel="noopener">
                  {urls.subscribe.replace(/^https?:\/\//, '')}
                </Anchor>
              }
            />
          </div>
          <HandleOffer />
          {may('subscribers.write') && <Button onClick={onAdd}>{t('subscribers.add')}</Button>}
        </>
      }
    >
      {mayMail ? may('subscribers.write') && t('subscribers.nobodyText') : t('subscribers.nobodyYet')}
    </EmptyState>
  )
}
