import { Anchor, Table, Tabs } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { COMPLAINT_DAYS, MAX_COMPLAINT_RATE, WATCHED_COMPLAINT_RATE } from '../../server/feedback/contract.ts'
import type { RunningResult } from '../analytics/queries.ts'
import { useFormat } from '../format.ts'
import { meaningOf } from '../sending/answer-meaning.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Loading } from '../ui/loading.tsx'
import { MoreRows } from '../ui/more-rows.tsx'
import { Section } from '../ui/section.tsx'
import { StatusMark } from '../ui/status-mark.tsx'
import classes from './bounces.module.css'
import { type Feedback, type FeedbackCounts, feedbackQuery } from './queries.ts'

const kinds = ['hard', 'soft', 'complaint'] as const

/** Bounces and complaints that came after a relay had accepted the mail, and what was done about them. */
export function Bounces({ result }: { result: RunningResult }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { bounces, complaints } = result
  if (bounces + complaints === 0) return null
  return (
    <Section
      title={t('feedback.title')}
      aside={
        <Anchor component={Link} to={`/publish/${result.id}/deliveries?state=returned`} size="sm">
          {t('feedback.see')}
        </Anchor>
      }
    >
      <p className={classes.lead}>
        {bounces > 0 && `${t('feedback.bounces', { count: bounces, n: format.number(bounces) })} `}
        {complaints > 0 && `${t('feedback.complaints', { count: complaints, n: format.number(complaints) })} `}
        {t('feedback.stay')}
      </p>
      {complaints > 0 && result.status !== 'paused' && <ComplaintNotice publicationId={result.id} />}
      <FeedbackList publicationId={result.id} />
    </Section>
  )
}

/** Says when complaints about the newsletter's latest publications are more than mailbox providers like, or accept. */
function ComplaintNotice({ publicationId }: { publicationId: string }) {
  const { t } = useTranslation()
  const format = useFormat()
  const newsletter = useNewsletter()
  const recent = useInfiniteQuery(feedbackQuery(newsletter.id, publicationId, undefined)).data?.pages[0]?.recent
  if (!recent || recent.level === 'fine') return null
  const { complaints, accepted, level } = recent
  return (
    <div className={classes.warning} data-level={level} role="note">
      <p>
        <b>{t(`feedback.${level}.title`)}</b>
      </p>
      <p>
        {t('feedback.recent', {
          count: complaints,
          n: format.number(complaints),
          of: format.number(accepted),
          days: COMPLAINT_DAYS,
          rate: format.rate(complaints / Math.max(1, accepted)),
        })}{' '}
        {t(`feedback.${level}.text`, {
          watched: format.rate(WATCHED_COMPLAINT_RATE),
          limit: format.rate(MAX_COMPLAINT_RATE),
        })}
      </p>
    </div>
  )
}

function FeedbackList({ publicationId }: { publicationId: string }) {
  const newsletter = useNewsletter()
  const [kind, setKind] = useState<Feedback['kind'] | undefined>()
  const list = useInfiniteQuery(feedbackQuery(newsletter.id, publicationId, kind))
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? []
  const counts = list.data?.pages.at(-1)?.counts
  return (
    <>
      {counts && <Kinds counts={counts} kind={kind} set={setKind} />}
      {list.isError && <ErrorNotice error={list.error} retry={list.refetch} />}
      {list.isPending && <Loading lines={3} row={46} />}
      {rows.length > 0 && <FeedbackTable rows={rows} />}
      <MoreRows query={list} />
    </>
  )
}

interface KindsProps {
  counts: FeedbackCounts
  kind: Feedback['kind'] | undefined
  set: (kind: Feedback['kind'] | undefined) => void
}

/** The filter by kind, shown when there are at least two kinds. */
function Kinds({ counts, kind, set }: KindsProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const present = kinds.filter((one) => counts[one] > 0)
  if (present.length < 2) return null
  return (
    <Tabs
      className={classes.tabs ?? ''}
      value={kind ?? 'all'}
      onChange={(value) => set(kinds.find((one) => one === value))}
    >
      <Tabs.List aria-label={t('feedback.filter')}>
        <Tabs.Tab value="all">{t('feedback.kind.all')}</Tabs.Tab>
        {present.map((one) => (
          <Tabs.Tab key={one} value={one}>
            {t(`feedback.kind.${one}`)} <span className={classes.count}>{format.number(counts[one])}</span>
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  )
}

/** One row for each bounce or complaint. On a phone the words are below the address. */
function FeedbackTable({ rows }: { rows: Feedback[] }) {
  const { t } = useTranslation()
  return (
    <Table className={classes.table ?? ''} style={{ '--row': '46px' }}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('feedback.address')}</Table.Th>
          <Table.Th>{t('feedback.what')}</Table.Th>
          <Table.Th>{t('feedback.words')}</Table.Th>
          <Table.Th>{t('feedback.done')}</Table.Th>
          <Table.Th ta="right">{t('feedback.when')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <FeedbackRow key={row.id} row={row} />
        ))}
      </Table.Tbody>
    </Table>
  )
}

function FeedbackRow({ row }: { row: Feedback }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <Table.Tr>
      <Table.Td data-part="address">{row.email || t('feedback.erased')}</Table.Td>
      <Table.Td data-part="kind">
        <StatusMark shape={row.kind === 'soft' ? 'paused' : 'stopped'}>{t(`feedback.kind.${row.kind}`)}</StatusMark>
      </Table.Td>
      <Table.Td data-part="words">
        <Words row={row} />
      </Table.Td>
      <Table.Td data-part="done">
        {t(`feedback.did.${row.kind === 'soft' && row.suppressed ? 'worn' : row.kind}`)}
      </Table.Td>
      <Table.Td data-part="when">
        <time dateTime={row.at}>{format.ago(row.at)}</time>
      </Table.Td>
    </Table.Tr>
  )
}

/** The meaning in a sentence when the code tells it, then the other server's own words. */
function Words({ row: { kind, status, words } }: { row: Feedback }) {
  const { t } = useTranslation()
  const meaning = kind === 'complaint' ? null : meaningOf(/^\d{3}\b/.test(words) ? words : `${status ?? ''} ${words}`)
  return (
    <>
      {meaning && <span>{t(`publish.meaning.${meaning}`)}</span>}
      {words ? <q title={words}>{words}</q> : <span data-quiet="">{t('feedback.noWords')}</span>}
    </>
  )
}
