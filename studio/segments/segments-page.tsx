import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { z } from 'zod'
import type { Segment } from '../../server/segments/contract.ts'
import { useFormat } from '../format.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { countQuery, segmentsQuery } from './queries.ts'
import classes from './segments.module.css'

/** All segments, each with how many are in it now. */
export function SegmentsPage() {
  const { t } = useTranslation()
  const { id, may } = useNewsletter()
  const segments = useQuery(segmentsQuery(id))
  const add = may('subscribers.write') && (
    <Button component={Link} to="/subscribers/segments/new" variant="filled" color="encre">
      {t('segments.new')}
    </Button>
  )
  return (
    <>
      <PageTitle title={t('shell.titles.segments')} lead={t('segments.lead')}>
        {add}
      </PageTitle>
      <QueryContent query={segments}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState title={t('segments.none')} action={add}>
              {add && t('segments.noneText')}
            </EmptyState>
          ) : (
            <ul className={classes.list}>
              {rows.map((segment) => (
                <Row key={segment.id} segment={segment} />
              ))}
            </ul>
          )
        }
      </QueryContent>
    </>
  )
}

function Row({ segment }: { segment: z.infer<typeof Segment> }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id } = useNewsletter()
  const { data } = useQuery(countQuery(id, segment.filter))
  const count = data?.subscribers
  const n =
    data &&
    (data.margin === null
      ? format.number(data.subscribers)
      : t('segments.estimate', { n: format.number(data.subscribers) }))
  return (
    <li>
      <Link to={`/subscribers/segments/${segment.id}`}>{segment.name}</Link>
      <span>{count === undefined ? '…' : t('segments.people', { count, n })}</span>
    </li>
  )
}
