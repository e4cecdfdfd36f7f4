import { ActionIcon, Button, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isLanguage } from '../../server/languages.ts'
import { listSources, paces, SubscriberOrder, SubscriberStatus } from '../../server/subscribers/contract.ts'
import { call } from '../api.ts'
import { digestsQuery } from '../digests/queries.ts'
import { useLanguageChoices } from '../language.ts'
import { segmentsQuery, tagsQuery } from '../segments/queries.ts'
import { useClient } from '../shell/client.tsx'
import { useNewsletter } from '../shell/newsletter.tsx'
import { IconSearch, IconSwitchHorizontal } from '../ui/icons.ts'
import { usePageHotkey } from '../ui/page-hotkey.ts'
import { firstDirection } from './subscriber-table.tsx'
import classes from './subscribers.module.css'
import type { List } from './use-list.ts'
import { useSourceName } from './use-source-name.ts'

/** What the list is narrowed by. Everything stands in the address. */
export function FilterBar({ list }: { list: List }) {
  const { t } = useTranslation()
  const sourceName = useSourceName()
  const newsletter = useNewsletter()
  const { id } = newsletter
  const languages = useLanguageChoices()
  const { data: tags = [] } = useQuery(tagsQuery(id))
  const { data: segments = [] } = useQuery(segmentsQuery(id))
  const { data: sources = [] } = useQuery({
    queryKey: [id, 'subscribers', 'sources'],
    queryFn: async () => (await call(listSources, { params: { newsletterId: id } })).sources,
    staleTime: 60_000,
  })
  const { data: digests = [] } = useQuery(digestsQuery(newsletter))
  const isPaced = digests.some(({ subscribers }) => subscribers > 0)
  const { filters, change } = list
  const { search, ...others } = filters
  const statuses = SubscriberStatus.options.map((value) => ({ value, label: t(`subscribers.state.${value}`) }))
  const isFiltered = Object.values(others).some((value) => value !== undefined) || search !== undefined
  return (
    <search className={classes.filters} aria-label={t('subscribers.list.filters')}>
      <Search search={search ?? ''} onSearch={(words) => change({ search: words })} />
      <Select
        aria-label={t('subscribers.status')}
        placeholder={t('subscribers.everyStatus')}
        clearable
        data={[
          { group: t('subscribers.list.listed'), items: statuses.filter(({ value }) => value !== 'campaign_only') },
          { group: t('subscribers.list.apart'), items: statuses.filter(({ value }) => value === 'campaign_only') },
        ]}
        // All of them are seen at once.
        maxDropdownHeight={340}
        value={filters.status ?? null}
        onChange={(status) => change({ status })}
      />
      {segments.length > 0 && (
        <Select
          aria-label={t('subscribers.list.segment')}
          placeholder={t('subscribers.list.everySegment')}
          clearable
          searchable
          data={segments.map((segment) => ({ value: String(segment.id), label: segment.name }))}
          value={filters.segmentId ? String(filters.segmentId) : null}
          onChange={(value) => change({ segmentId: value ? Number(value) : null })}
        />
      )}
      {tags.length > 0 && (
        <Select
          aria-label={t('subscribers.list.tag')}
          placeholder={t('subscribers.list.everyTag')}
          clearable
          searchable
          data={tags.map((tag) => ({ value: String(tag.id), label: tag.name }))}
          value={filters.tagId ? String(filters.tagId) : null}
          onChange={(value) => change({ tagId: value ? Number(value) : null })}
        />
      )}
      <Select
        aria-label={t('subscribers.language')}
        placeholder={t('subscribers.list.everyLanguage')}
        clearable
        data={languages}
        value={filters.language ?? null}
        onChange={(value) => change({ language: isLanguage(value) ? value : null })}
      />
      {(isPaced || filters.pace !== undefined) && (
        <Select
          aria-label={t('digests.column')}
          placeholder={t('digests.anyPace')}
          clearable
          data={paces.map((value) => ({ value, label: t(`digests.pace.${value}`) }))}
          value={filters.pace ?? null}
          onChange={(pace) => change({ pace })}
        />
      )}
      {(sources.length > 1 || filters.source !== undefined) && (
        <Select
          aria-label={t('subscribers.source')}
          placeholder={t('subscribers.list.everySource')}
          clearable
          data={[...new Set([...sources, ...(filters.source ? [filters.source] : [])])].map((value) => ({
            value,
            label: sourceName(value),
          }))}
          value={filters.source ?? null}
          onChange={(source) => change({ source })}
        />
      )}
      {isFiltered && (
        <Button
          variant="subtle"
          onClick={() =>
            change({
              status: null,
              search: null,
              tagId: null,
              segmentId: null,
              language: null,
              pace: null,
              source: null,
            })
          }
        >
          {t('subscribers.list.clear')}
        </Button>
      )}
    </search>
  )
}

/** In which order they stand, above the rows. It stands in the address too. */
export function OrderField({ list }: { list: List }) {
  const { t } = useTranslation()
  const { change } = list
  return (
    <span className={classes.order}>
      <Select
        aria-label={t('subscribers.list.sort')}
        allowDeselect={false}
        data={SubscriberOrder.options.map((value) => ({ value, label: t(`subscribers.list.sorts.${value}`) }))}
        value={list.sort}
        onChange={(sort) => change({ sort: sort === 'newest' ? null : sort, direction: null })}
      />
      <ActionIcon
        aria-label={t('subscribers.list.reverse')}
        title={t('subscribers.list.reverse')}
        onClick={() => change({ direction: opposite(list) })}
      >
        <IconSwitchHorizontal size={15} stroke={1.6} style={{ rotate: '90deg' }} />
      </ActionIcon>
    </span>
  )
}

/** Null is the direction in which the order begins by itself. */
function opposite({ sort, direction }: List): 'asc' | 'desc' | null {
  if (direction !== undefined && direction !== firstDirection(sort)) return null
  return firstDirection(sort) === 'asc' ? 'desc' : 'asc'
}

/** Searches when the typing pauses. The key / leads to it. */
function Search({ search, onSearch }: { search: string; onSearch: (words: string) => void }) {
  const { t } = useTranslation()
  const field = useRef<HTMLInputElement>(null)
  const [words, setWords] = useState(search)
  const [asked, setAsked] = useState(search)
  const [addressed, setAddressed] = useState(search)
  const ask = useDebouncedCallback((typed: string) => {
    setAsked(typed)
    onSearch(typed)
  }, 250)
  // The address follows what is typed a moment later. What it says by itself, when filters were cleared or somebody went back, is shown.
  if (search !== addressed) {
    setAddressed(search)
    if (search !== asked) setWords(search)
  }
  const { singleKeys } = useClient().profile
  usePageHotkey('/', () => field.current?.focus())
  const label = t('subscribers.search')
  return (
    <TextInput
      ref={field}
      type="search"
      aria-label={label}
      aria-keyshortcuts={singleKeys ? '/' : undefined}
      placeholder={label}
      maxLength={200}
      leftSection={<IconSearch size={16} stroke={1.6} />}
      value={words}
      onChange={(event) => {
        setWords(event.currentTarget.value)
        ask(event.currentTarget.value.trim())
      }}
      className={classes.search}
    />
  )
}
