import { Anchor, Button, Tabs } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams, useSearchParams } from 'react-router'
import { studioPaths } from '../../server/http/studio-paths.ts'
import { exportDeliveries } from '../../server/sending/contract.ts'
import { type RunningResult, resultQuery } from '../analytics/queries.ts'
import { addressOf } from '../api.ts'
import { useFormat } from '../format.ts'
import { useLanguage } from '../language.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { IconDownload } from '../ui/icons.ts'
import { Loading } from '../ui/loading.tsx'
import { MoreRows } from '../ui/more-rows.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { shownTitle } from '../ui/shown-title.ts'
import { SendAgain } from './again.tsx'
import classes from './deliveries.module.css'
import { countIn, type Tab, tabs } from './delivery-states.ts'
import { DeliveryTable } from './delivery-table.tsx'
import { deliveriesQuery } from './queries.ts'
import { UncertainDecision } from './uncertain.tsx'

const REFRESH_MS = 4_000

/** Every delivery of a publication: the address, its state, and the relay's answer. */
export function DeliveriesPage() {
  const { t } = useTranslation()
  const { publicationId = '' } = useParams()
  const newsletter = useNewsletter()
  const result = useQuery(resultQuery(newsletter.id, publicationId))
  return (
    <QueryContent query={result} list={{ to: studioPaths.publish, label: t('shell.nav.publish') }}>
      {(data) => <Deliveries result={data} />}
    </QueryContent>
  )
}

function Deliveries({ result }: { result: RunningResult }) {
  const { t } = useTranslation()
  const sheet = useLanguage()
  const format = useFormat()
  const newsletter = useNewsletter()
  const [address, setAddress] = useSearchParams()
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<string[]>([])
  const tab = tabs.find((one) => one === address.get('state'))
  const list = useDeliveries(newsletter.id, result, { state: tab, search: search || undefined })
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? []
  const returned = list.data?.pages.at(-1)?.returned ?? 0
  const params = { newsletterId: newsletter.id, publicationId: result.id }
  return (
    <>
      <PageTitle
        title={t('publish.deliveries.title')}
        figure={format.number(result.counts.intended)}
        lead={
          <Anchor component={Link} to={`/publish/${result.id}`} inherit>
            {shownTitle(result.title, t)}
          </Anchor>
        }
      >
        <div className={classes.tools}>
          <SearchField label={t('publish.deliveries.search')} onSearch={setSearch} />
          <Button
            component="a"
            href={addressOf(exportDeliveries, params, { state: tab, search, sheet })}
            download
            leftSection={<IconDownload size={15} stroke={1.6} aria-hidden="true" />}
          >
            {t('publish.deliveries.csv')}
          </Button>
        </div>
      </PageTitle>
      <Filters
        counts={result.counts}
        returned={returned}
        tab={tab}
        set={(value) => {
          setChosen([])
          setAddress(value ? { state: value } : {}, { replace: true })
        }}
      />
      {tab && <p className={classes.hint}>{t(`publish.deliveries.hint.${tab}`)}</p>}
      {tab === 'uncertain' && result.counts.uncertain > 0 && (
        <UncertainDecision result={result} chosen={chosen} onDecided={() => setChosen([])} />
      )}
      {(tab === 'failed' || tab === 'deferred') && result.counts[tab] > 0 && <SendAgain result={result} state={tab} />}
      {list.isError && <ErrorNotice error={list.error} retry={list.refetch} />}
      {list.isPending && <Loading lines={10} row={46} />}
      {list.data && rows.length === 0 && (
        <p className={classes.empty} role="status">
          {t(search ? 'publish.deliveries.noneFound' : 'publish.deliveries.none')}
        </p>
      )}
      {rows.length > 0 && (
        <DeliveryTable
          rows={rows}
          {...(tab === 'uncertain' && newsletter.may('publications.send') && { choice: { chosen, setChosen } })}
        />
      )}
      <MoreRows query={list} />
    </>
  )
}

/**
 * The rows, refreshed at intervals while the sending runs, and once when it has stopped; at once when something comes back, whose count is
 * read with them.
 */
function useDeliveries(
  newsletterId: string,
  result: RunningResult,
  filter: { state: Tab | undefined; search: string | undefined },
) {
  const running = result.status === 'sending'
  const list = useInfiniteQuery({
    ...deliveriesQuery(newsletterId, result.id, filter),
    refetchInterval: (query) => running && (query.state.data?.pages.length ?? 0) < 4 && REFRESH_MS,
  })
  const { refetch } = list
  const cameBack = result.bounces + result.complaints
  useEffect(() => {
    if (!running || cameBack > 0) void refetch()
  }, [running, cameBack, refetch])
  return list
}

interface FilterProps {
  counts: RunningResult['counts']
  returned: number
  tab: Tab | undefined
  set: (tab: string) => void
}

function Filters({ counts, returned, tab, set }: FilterProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const list = useRef<HTMLDivElement>(null)
  // On a phone not all tabs fit, so the open one is scrolled into view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new count makes its tab longer
  useEffect(() => {
    const open = list.current?.querySelector(`[data-tab="${tab ?? 'all'}"]`)
    open?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [tab, returned])
  const shown = tabs.filter((one) => one === 'accepted' || one === tab || countIn(counts, returned, one) > 0)
  return (
    <Tabs
      value={tab ?? 'all'}
      onChange={(value) => set(value === 'all' || !value ? '' : value)}
      className={classes.tabs ?? ''}
    >
      <Tabs.List ref={list} aria-label={t('publish.deliveries.filter')}>
        <Tabs.Tab value="all" data-tab="all">
          {t('publish.deliveries.all')} <span className={classes.count}>{format.number(counts.intended)}</span>
        </Tabs.Tab>
        {shown.map((one) => (
          <Tabs.Tab key={one} value={one} data-tab={one}>
            {t(`publish.deliveries.tabs.${one}`)}{' '}
            <span className={classes.count}>{format.number(countIn(counts, returned, one))}</span>
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  )
}
