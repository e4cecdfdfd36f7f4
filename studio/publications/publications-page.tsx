import { Button, Tabs, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useInfiniteQuery, useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { resultsQuery } from '../analytics/queries.ts'
import { useFormat } from '../format.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { IconPlus, IconSearch } from '../ui/icons.ts'
import { Loading } from '../ui/loading.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { DeletedList } from './deleted-list.tsx'
import { PublicationList } from './publication-list.tsx'
import classes from './publications.module.css'
import { deletedQuery, type PublicationStatus, publicationsQuery } from './queries.ts'
import { useAskedPublication, useNewPublication } from './use-new-publication.ts'

const tabsAlwaysShown: PublicationStatus[] = ['draft', 'scheduled', 'sent']
const tabsShownWhenFilled: PublicationStatus[] = ['sending', 'paused', 'cancelled']
const tabs = [...tabsAlwaysShown, 'web', 'off', 'caught', ...tabsShownWhenFilled, 'deleted'] as const
type Tab = (typeof tabs)[number]

/** What was caught has ended like what was sent, and is not called that; nor is what nobody was mailed. */
function filterOf(tab: Tab | undefined) {
  if (tab === 'web') return { status: 'sent', channel: 'web', offWeb: false } as const
  if (tab === 'off') return { offWeb: true } as const
  if (tab === 'caught') return { channel: 'everywhere', caught: true } as const
  if (tab === 'sent') return { status: 'sent', channel: 'everywhere', caught: false } as const
  return tab === 'deleted' ? {} : { status: tab }
}

/** Every publication of the newsletter: drafts, scheduled, sending, sent. */
export function PublicationsPage() {
  const { t } = useTranslation()
  const newsletter = useNewsletter()
  const [searchParams, setSearchParams] = useSearchParams()
  useAskedPublication(useNewPublication())
  const search = searchParams.get('q') ?? ''
  const tab = tabs.find((one) => one === searchParams.get('status'))
  const filter = filterOf(tab)
  const deleted = useInfiniteQuery({
    ...deletedQuery(newsletter.id, search),
    enabled: newsletter.may('publications.write'),
  })
  const list = useInfiniteQuery(publicationsQuery(newsletter.id, { ...filter, search }))
  const results = useQueries({
    queries: list.data?.pages.map(({ rows }) => resultsQuery(newsletter.id, rows)) ?? [],
  })
  const set = (name: string, value: string) =>
    setSearchParams(
      (before) => {
        const next = new URLSearchParams(before)
        if (value) next.set(name, value)
        else next.delete(name)
        return next
      },
      { replace: true },
    )
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? []
  const resultById = new Map(results.flatMap(({ data }) => data?.results ?? []).map((one) => [one.id, one]))
  const shown = (
    <>
      {list.isError && <ErrorNotice error={list.error} retry={list.refetch} />}
      {list.isPending && <Loading lines={6} row={54} />}
      {list.data && rows.length === 0 && <Nothing filtered={Boolean(search || tab)} />}
      <PublicationList rows={rows} results={resultById} />
      {list.hasNextPage && (
        <Button mt="lg" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('publish.list.more')}
        </Button>
      )}
    </>
  )
  return (
    <>
      <PageTitle title={t('shell.nav.publish')}>
        <SearchField search={search} set={(value) => set('q', value)} />
        <NewButton />
      </PageTitle>
      <Filters
        counts={list.data?.pages[0]}
        deleted={deleted.data?.pages[0]?.total ?? 0}
        tab={tab}
        set={(value) => set('status', value)}
      />
      {tab === 'deleted' ? <DeletedList list={deleted} filtered={search !== ''} /> : shown}
    </>
  )
}

function SearchField({ search, set }: { search: string; set: (value: string) => void }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(search)
  const later = useDebouncedCallback(set, 250)
  return (
    <TextInput
      type="search"
      w={240}
      className={classes.search}
      aria-label={t('publish.list.search')}
      placeholder={t('publish.list.search')}
      leftSection={<IconSearch size={15} stroke={1.6} aria-hidden="true" />}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        later(event.currentTarget.value.trim())
      }}
    />
  )
}

function NewButton() {
  const { t } = useTranslation()
  const { may } = useNewsletter()
  const begin = useNewPublication()
  if (!may('publications.write')) return null
  return (
    <Button
      variant="filled"
      color="encre"
      loading={begin.isPending}
      onClick={() => begin.mutate()}
      leftSection={<IconPlus size={15} stroke={1.6} aria-hidden="true" />}
    >
      {t('publish.new')}
    </Button>
  )
}

interface FilterProps {
  counts:
    | { totals: Record<PublicationStatus, number>; webOnly: number; offWeb: number; caught: number; mailed: number }
    | undefined
  deleted: number
  tab: Tab | undefined
  set: (tab: string) => void
}

const numbersOf = (
  { totals, webOnly, offWeb, caught, mailed }: NonNullable<FilterProps['counts']>,
  deleted: number,
): Record<Tab, number> => ({
  ...totals,
  sent: mailed,
  caught,
  web: webOnly,
  off: offWeb,
  deleted,
})

function Filters({ counts, deleted, tab, set }: FilterProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const countOf = (one: Tab) => counts && numbersOf(counts, deleted)[one]
  const shown = tabs.filter((one) => tabsAlwaysShown.some((always) => always === one) || countOf(one) || one === tab)
  const all = counts && Object.values(counts.totals).reduce((sum, count) => sum + count, 0)
  return (
    <Tabs
      value={tab ?? 'all'}
      onChange={(value) => set(value === 'all' || !value ? '' : value)}
      className={classes.tabs}
    >
      <Tabs.List aria-label={t('publish.list.filter')}>
        <Tabs.Tab value="all">
          {t('publish.list.all')} <Count n={all} format={format.number} />
        </Tabs.Tab>
        {shown.map((one) => (
          <Tabs.Tab key={one} value={one}>
            {t(`publish.list.tabs.${one}`)} <Count n={countOf(one)} format={format.number} />
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  )
}

const Count = ({ n, format }: { n: number | undefined; format: (n: number) => string }) =>
  n === undefined ? null : <span className={classes.count}>{format(n)}</span>

function Nothing({ filtered }: { filtered: boolean }) {
  const { t } = useTranslation()
  const { may } = useNewsletter()
  if (filtered) return <EmptyState title={t('publish.list.noneFound')}>{t('publish.list.noneFoundHow')}</EmptyState>
  return (
    <EmptyState title={t('publish.list.none')} action={<NewButton />}>
      {may('publications.write') && t('publish.list.noneHow')}
    </EmptyState>
  )
}
