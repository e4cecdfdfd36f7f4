import { Button, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Fragment, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import type { z } from 'zod'
import { studioPaths } from '../../server/http/studio-paths.ts'
import {
  type countSegment,
  createSegment,
  deleteSegment,
  type Segment,
  updateSegment,
} from '../../server/segments/contract.ts'
import type { Filter } from '../../server/segments/filter/contract.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { WhoMayChange } from '../newsletters/who-may-change.tsx'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Loading } from '../ui/loading.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { QueryContent } from '../ui/query-content.tsx'
import { Section } from '../ui/section.tsx'
import { useServerForm } from '../ui/server-form.ts'
import { dropUnsaved, LeaveGuard } from '../ui/unsaved.tsx'
import { WelcomeSection } from '../welcomes/welcome-section.tsx'
import { FilterBuilder } from './builder.tsx'
import { DeleteUsed } from './delete-used.tsx'
import { draftOf, filterOf, newCondition, nextId } from './draft.ts'
import type { Parts } from './parts.ts'
import { countQuery, fieldsQuery, partsQuery, segmentQuery, tagsQuery } from './queries.ts'
import classes from './segments.module.css'

type Stored = z.infer<typeof Segment>

/** A segment: its name, its conditions in plain words, and how many fit them now. */
export function SegmentPage() {
  const { t } = useTranslation()
  const { segmentId = 'new' } = useParams()
  const { id } = useNewsletter()
  const isNew = segmentId === 'new'
  const segment = useQuery({ ...segmentQuery(id, Number(segmentId)), enabled: !isNew })
  const fields = useQuery(fieldsQuery(id))
  const tags = useQuery(tagsQuery(id))
  const parts = useQuery(partsQuery(id))
  const known = fields.data && tags.data && parts.data ? { fields: fields.data, tags: tags.data, ...parts.data } : null
  if (!known) {
    const failed = [fields, tags, parts].find(({ isError }) => isError)
    return failed ? <ErrorNotice error={failed.error} retry={failed.refetch} /> : <Loading />
  }
  if (isNew) return <SegmentForm key="new" stored={null} parts={known} />
  return (
    <QueryContent query={segment} list={{ to: studioPaths.segments, label: t('shell.titles.segments') }}>
      {(stored) => (
        <Fragment key={stored.id}>
          <SegmentForm stored={stored} parts={known} />
          <WelcomeSection segmentId={stored.id} />
        </Fragment>
      )}
    </QueryContent>
  )
}

function SegmentForm({ stored, parts }: { stored: Stored | null; parts: Parts }) {
  const { t } = useTranslation()
  const { may } = useNewsletter()
  const [draft, setDraft] = useState(() =>
    stored
      ? draftOf(stored.filter)
      : { id: nextId(), way: 'all' as const, parts: [newCondition('language', parts.fields)] },
  )
  const filter = useMemo(() => filterOf(draft, parts.fields), [draft, parts.fields])
  const [deleting, setDeleting] = useState(false)
  const [saved, setSaved] = useState(draft)
  const { form, error, busy, isUnsaved, submit } = useSave(stored, filter, () => setSaved(draft))
  const isChanged = isUnsaved || (JSON.stringify(draft) !== JSON.stringify(saved) && !busy)
  const remove = useRemove(stored)
  return (
    <form onSubmit={submit} noValidate data-unsaved={isChanged || undefined}>
      <LeaveGuard />
      <PageTitle isName title={stored ? stored.name : t('segments.newTitle')}>
        {stored && may('subscribers.write') && (
          <Button variant="subtle" color="rouge" onClick={() => setDeleting(true)}>
            {t('segments.delete')}
          </Button>
        )}
        {may('subscribers.write') && (
          <Button type="submit" variant="filled" color="encre" loading={busy} disabled={filter === null}>
            {t('segments.save')}
          </Button>
        )}
      </PageTitle>
      <WhoMayChange need="subscribers.write" />
      <ErrorNotice error={error} />
      <div className={classes.columns}>
        <fieldset disabled={!may('subscribers.write')} className={classes.fields}>
          <TextInput
            label={t('segments.name')}
            placeholder={t('segments.nameExample')}
            required
            maxLength={60}
            mb="lg"
            {...form.getInputProps('name')}
          />
          <Section title={t('segments.conditions')}>
            <FilterBuilder draft={draft} parts={parts} change={setDraft} />
          </Section>
        </fieldset>
        <Count filter={filter} />
      </div>
      {stored && (
        <DeleteUsed
          name={deleting ? stored.name : null}
          text={t('segments.deleteText')}
          isAudience
          onClose={() => setDeleting(false)}
          onDelete={remove}
        />
      )}
    </form>
  )
}

function useSave(stored: Stored | null, filter: Filter | null, onSaved: () => void) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useServerForm({ initialValues: { name: stored?.name ?? '' } }, async ({ name }) => {
    if (!filter) return
    const body = { name, filter }
    const saved = stored
      ? await call(updateSegment, { params: { newsletterId: id, segmentId: stored.id }, body })
      : await call(createSegment, { params: { newsletterId: id }, body })
    onSaved()
    queries.setQueryData(segmentQuery(id, saved.id).queryKey, saved)
    await queries.invalidateQueries({ queryKey: [id, 'segments', 'list'] })
    notifications.show({ message: t('segments.saved', { name: saved.name }) })
    if (!stored) await navigate(`/subscribers/segments/${saved.id}`, { replace: true })
  })
}

function useRemove(stored: Stored | null) {
  const { id } = useNewsletter()
  const queries = useQueryClient()
  const navigate = useNavigate()
  return async (evenIfUsed: 'true' | 'false') => {
    if (!stored) return
    await call(deleteSegment, { params: { newsletterId: id, segmentId: stored.id }, query: { evenIfUsed } })
    await queries.invalidateQueries({ queryKey: [id, 'segments', 'list'] })
    dropUnsaved()
    await navigate('/subscribers/segments')
  }
}

const SETTLED_MS = 350

function Count({ filter }: { filter: Filter | null }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { id } = useNewsletter()
  const [asked] = useDebouncedValue(filter, SETTLED_MS)
  const [exactly, setExactly] = useState<Filter | null>(null)
  const isExact = exactly !== null && exactly === asked
  const { data, isError, error, refetch, isFetching } = useQuery(countQuery(id, asked, isExact))
  const shown = filter ? data : null
  const about = (count: number) =>
    shown?.margin === null ? format.number(count) : t('segments.estimate', { n: format.number(count) })
  return (
    <Section title={t('segments.inIt')} className={classes.count}>
      {isError && <ErrorNotice error={error} retry={refetch} />}
      <div role="status">
        <p className={classes.figure}>{shown ? about(shown.subscribers) : '—'}</p>
        <p>{shown ? t('segments.subscribersWord', { count: shown.subscribers }) : t('segments.incomplete')}</p>
      </div>
      {shown && (
        <dl>
          <div>
            <dt>{t('segments.receive')}</dt>
            <dd>{about(shown.receive)}</dd>
          </div>
          <div>
            <dt>{t('digests.wouldGet')}</dt>
            <dd>{about(shown.onDigest)}</dd>
          </div>
          <div>
            <dt>{t('segments.paused')}</dt>
            <dd>{about(shown.paused)}</dd>
          </div>
          <div>
            <dt>{t('segments.pending')}</dt>
            <dd>{about(shown.pending)}</dd>
          </div>
          <div>
            <dt>{t('segments.byHand')}</dt>
            <dd>{about(shown.byHand)}</dd>
          </div>
          {shown.suppressed > shown.byHand && (
            <div>
              <dt>{t('segments.suppressed')}</dt>
              <dd>{about(shown.suppressed - shown.byHand)}</dd>
            </div>
          )}
          <div>
            <dt>{t('segments.left')}</dt>
            <dd>{about(leftOf(shown))}</dd>
          </div>
        </dl>
      )}
      {shown && shown.margin !== null && (
        <>
          <p className={classes.hint}>{t('segments.estimated', { n: format.number(shown.margin) })}</p>
          <Button size="xs" mb="sm" loading={isExact && isFetching} onClick={() => setExactly(asked)}>
            {t('segments.countExactly')}
          </Button>
        </>
      )}
      <p className={classes.hint}>{t('segments.again')}</p>
    </Section>
  )
}

/** Those of the list who are no subscribers any more. */
const leftOf = ({
  subscribers,
  receive,
  onDigest,
  paused,
  pending,
  suppressed,
}: z.infer<typeof countSegment.reply>): number =>
  Math.max(0, subscribers - receive - onDigest - paused - pending - suppressed)
