import { Button, Group, Select, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { createTag } from '../../server/segments/contract.ts'
import { type BulkAct, startBulkChange } from '../../server/subscribers/bulk/contract.ts'
import { call } from '../api.ts'
import { useFormat } from '../format.ts'
import { tagsQuery } from '../segments/queries.ts'
import { useNewsletter } from '../shell/newsletter.tsx'
import { ConfirmDelete } from '../ui/confirm-delete.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { focusMain } from '../ui/focus-place.ts'

type Asked = z.input<typeof startBulkChange.body>

interface Props {
  act: BulkAct
  count: number
  chosen: Asked['chosen']
  onClose: () => void
  onStarted: () => void
}

/** Says how many it is about and what can be undone, and starts the act. An erasure is typed out first. */
export function BulkDialog(props: Props) {
  return props.act === 'erase' ? <EraseDialog {...props} /> : <ActDialog {...props} act={props.act} />
}

/** Starts the act for exactly so many. When they are others by now, nothing happens, and they are counted again. */
function useStart({ onClose, onStarted }: Pick<Props, 'onClose' | 'onStarted'>) {
  const { id } = useNewsletter()
  const queries = useQueryClient()
  return async (body: Asked) => {
    try {
      await call(startBulkChange, { params: { newsletterId: id }, body })
    } catch (refusal) {
      await queries.invalidateQueries({ queryKey: [id, 'subscribers', 'count'] })
      throw refusal
    }
    onClose()
    onStarted()
    // What opened it goes with the choice. What became of it, and the way back, are said where the page begins.
    focusMain()
    await queries.invalidateQueries({ queryKey: [id, 'bulk'] })
  }
}

function ActDialog({ act, count, chosen, ...rest }: Props & { act: 'tag' | 'untag' | 'unsubscribe' }) {
  const { t } = useTranslation()
  const format = useFormat()
  const start = useStart(rest)
  const [tagId, setTagId] = useState<number | null>(null)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const asked: Asked | null =
    act === 'unsubscribe'
      ? { act, chosen, expected: count }
      : tagId === null
        ? null
        : { act, tagId, chosen, expected: count }
  const run = async () => {
    if (!asked) return
    setBusy(true)
    await start(asked).catch(setError)
    setBusy(false)
  }
  return (
    <Dialog
      opened
      onClose={rest.onClose}
      title={t(`subscribers.bulk.title.${act}`, { count, n: format.number(count) })}
    >
      <Text size="sm" c="var(--tirage-ink2)">
        {t(`subscribers.bulk.text.${act}`)}
      </Text>
      {act !== 'unsubscribe' && <TagField tagId={tagId} choose={setTagId} mayMake={act === 'tag'} onError={setError} />}
      <ErrorNotice error={error} />
      <Group mt="lg" justify="flex-end" gap="sm">
        <Button onClick={rest.onClose}>{t('ui.cancel')}</Button>
        <Button variant="filled" color="encre" loading={busy} disabled={asked === null} onClick={() => void run()}>
          {t(`subscribers.bulk.act.${act}`)}
        </Button>
      </Group>
    </Dialog>
  )
}

interface TagFieldProps {
  tagId: number | null
  choose: (tagId: number | null) => void
  /** Whether a name that no tag has is offered as a new one. */
  mayMake: boolean
  onError: (error: unknown) => void
}

const MAKE = 'make'

function TagField({ tagId, choose, mayMake, onError }: TagFieldProps) {
  const { t } = useTranslation()
  const { id } = useNewsletter()
  const queries = useQueryClient()
  const { data: tags = [] } = useQuery(tagsQuery(id))
  const [typed, setTyped] = useState('')
  const name = typed.trim()
  const isNew = name !== '' && !tags.some((tag) => tag.name.toLowerCase() === name.toLowerCase())
  const make = async () => {
    onError(null)
    try {
      const made = await call(createTag, { params: { newsletterId: id }, body: { name } })
      await queries.invalidateQueries({ queryKey: tagsQuery(id).queryKey })
      choose(made.id)
    } catch (refusal) {
      onError(refusal)
    }
  }
  return (
    <Select
      mt="md"
      label={t('subscribers.bulk.which')}
      placeholder={t('segments.choose')}
      searchable
      data-autofocus
      data={[
        ...tags.map((tag) => ({ value: String(tag.id), label: tag.name })),
        ...(mayMake && isNew ? [{ value: MAKE, label: t('subscribers.bulk.newTag', { name }) }] : []),
      ]}
      value={tagId === null ? null : String(tagId)}
      searchValue={typed}
      onSearchChange={setTyped}
      maxLength={60}
      onChange={(value) => (value === MAKE ? void make() : choose(value ? Number(value) : null))}
      nothingFoundMessage={tags.length === 0 ? t('subscribers.bulk.noTags') : t('subscribers.bulk.noSuchTag', { name })}
    />
  )
}

function EraseDialog({ count, chosen, ...rest }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const start = useStart(rest)
  const n = format.number(count)
  return (
    <ConfirmDelete
      opened
      onClose={rest.onClose}
      title={t('subscribers.bulk.title.erase', { count, n })}
      confirm={t('subscribers.bulk.act.erase')}
      typed={t('subscribers.bulk.typed', { count })}
      onConfirm={() => start({ act: 'erase', chosen, expected: count })}
    >
      {t('subscribers.bulk.text.erase', { count, n })}
    </ConfirmDelete>
  )
}
