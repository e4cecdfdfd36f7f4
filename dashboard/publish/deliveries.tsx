import { Button, Select, Table, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../format.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Loading } from '../ui/loading.tsx'
import { Section } from '../ui/section.tsx'
import { StatusMark, type StatusShape } from '../ui/status-mark.tsx'
import { states } from './counts.ts'
import { type DeliveryState, deliveriesQuery } from './queries.ts'
import { useAnswerText } from './reasons.ts'
import classes from './results.module.css'

const shapes: Record<DeliveryState, StatusShape> = {
  queued: 'draft',
  claimed: 'printing',
  accepted: 'sent',
  deferred: 'paused',
  failed: 'stopped',
  suppressed: 'paused',
  uncertain: 'stopped',
}

/** Every copy: to whom, what became of it, and what the relay answered. */
export function Deliveries({ publicationId }: { publicationId: string }) {
  const { t } = useTranslation()
  const newsletter = useNewsletter()
  const [state, setState] = useState<DeliveryState | null>(null)
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 250)
  const list = useInfiniteQuery(deliveriesQuery(newsletter.id, publicationId, { state: state ?? undefined, search }))
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? []
  return (
    <Section title={t('publish.deliveries.title')}>
      <div className={classes.filters}>
        <Select
          size="xs"
          w={200}
          aria-label={t('publish.deliveries.filter')}
          placeholder={t('publish.deliveries.all')}
          clearable
          data={states.map((value) => ({ value, label: t(`publish.state.${value}`) }))}
          value={state}
          onChange={(value) => setState(value as DeliveryState | null)}
        />
        <TextInput
          size="xs"
          w={240}
          type="search"
          aria-label={t('publish.deliveries.search')}
          placeholder={t('publish.deliveries.search')}
          leftSection={<IconSearch size={14} stroke={1.6} aria-hidden="true" />}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </div>
      {list.isError && <ErrorNotice error={list.error} retry={list.refetch} />}
      {list.isPending && <Loading lines={4} />}
      {list.data && rows.length === 0 && <p className={classes.quiet}>{t('publish.deliveries.none')}</p>}
      {rows.length > 0 && <DeliveryTable rows={rows} />}
      {list.hasNextPage && (
        <Button mt="md" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t('publish.list.more')}
        </Button>
      )}
    </Section>
  )
}

type Rows =
  NonNullable<ReturnType<typeof deliveriesQuery>['queryFn']> extends (...args: never[]) => infer R
    ? Awaited<R> extends { rows: infer Row }
      ? Row
      : never
    : never

function DeliveryTable({ rows }: { rows: Rows }) {
  const { t } = useTranslation()
  const format = useFormat()
  const answerText = useAnswerText()
  return (
    <Table.ScrollContainer minWidth={640} type="native" tabIndex={0}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('publish.deliveries.address')}</Table.Th>
            <Table.Th>{t('publish.deliveries.state')}</Table.Th>
            <Table.Th>{t('publish.deliveries.answer')}</Table.Th>
            <Table.Th ta="right">{t('publish.deliveries.attempts')}</Table.Th>
            <Table.Th ta="right">{t('publish.deliveries.when')}</Table.Th>
            <Table.Th ta="right">{t('publish.deliveries.opened')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.subscriberId}>
              <Table.Td>{row.email}</Table.Td>
              <Table.Td>
                <StatusMark shape={shapes[row.state]}>{t(`publish.state.${row.state}`)}</StatusMark>
              </Table.Td>
              <Table.Td
                className={classes.answer}
                data-relay={/^\d{3}\b/.test(row.answer ?? '') || undefined}
                title={row.answer ? answerText(row.answer) : undefined}
              >
                {row.answer ? answerText(row.answer) : '—'}
              </Table.Td>
              <Table.Td ta="right">{format.number(row.attempts)}</Table.Td>
              <Table.Td ta="right">
                {row.state === 'deferred' && row.dueAt
                  ? t('publish.deliveries.again', { time: format.time(row.dueAt) })
                  : format.ago(row.changedAt)}
              </Table.Td>
              <Table.Td ta="right">{row.openedAt ? format.ago(row.openedAt) : '—'}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
